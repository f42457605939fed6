import http from 'node:http'
import type { Socket } from 'node:net'
import type { WireCommand } from '#contract/sync/commands.ts'

/** One call of a tablet on its way to the server. */
export type PassingCall = {
  method: string
  path: string
  /** The access token of the call; null without one. */
  token: string | null
  /** The commands of a push; empty for every other call. */
  commands: WireCommand[]
}

/**
 * `pass`: to the server and back. `lose-request`: the connection breaks before the request reaches the server.
 * `lose-answer`: the server does the work, and the tablet gets no answer. `captive-portal`: the login page of a café
 * answers with 200 in the server's place. `cut-request`: the connection breaks when half of the body is at the server.
 * `cut-answer`: it breaks when half of the first chunk is at the tablet.
 */
export type Fate = 'pass' | 'lose-request' | 'lose-answer' | 'captive-portal' | 'cut-request' | 'cut-answer'

/** The line between tablets and server, under the test's control. The tablets know only its address. */
export type WireProxy = {
  origin: string
  /** Decides the fate of each call. It may wait, which holds the call. */
  meet: (call: PassingCall) => Fate | Promise<Fate>
  /** Runs when the server has answered and the tablet has not yet. It may wait. */
  answered: (call: PassingCall, status: number) => void | Promise<void>
  /** Rewrites a file of the app by its path, as a newer version would. */
  rewrites: Map<string, (text: string) => string>
  /** Every push that reached the server, in order. */
  pushes: PassingCall[]
  /** The number of pushes at the server now, and the highest number so far. */
  underWay: { now: number; most: number }
  /** Breaks every open connection. */
  cut(): void
  close(): Promise<void>
}

export async function openWireProxy(server: { port: number }): Promise<WireProxy> {
  const sockets = new Set<Socket>()
  const listener = http.createServer((request, response) => {
    void carry(request, response).catch(() => response.destroy())
  })
  listener.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy does not listen')

  async function carry(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)))
    const body = Buffer.concat(chunks)
    const call = callOf(request, body)
    const fate = await proxy.meet(call)
    if (fate === 'lose-request') return response.destroy()
    if (fate === 'captive-portal') {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end('<!doctype html><title>Café Wi-Fi</title><h1>Welcome! Please accept our terms.</h1>')
    }
    if (fate === 'cut-request') {
      await sendHalf(request, body)
      return response.destroy()
    }
    const isPush = call.commands.length > 0
    if (isPush) {
      proxy.pushes.push(call)
      proxy.underWay.now += 1
      proxy.underWay.most = Math.max(proxy.underWay.most, proxy.underWay.now)
    }
    const answer = await askServer(request, body).finally(() => (proxy.underWay.now -= isPush ? 1 : 0))
    await proxy.answered(call, answer.statusCode ?? 0)
    if (fate === 'lose-answer') {
      // Wait for the end of the answer, so that the server has done the work.
      for await (const _ of answer) continue
      return response.destroy()
    }
    if (fate === 'cut-answer') {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      for await (const chunk of answer) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
        await new Promise((resolve) => response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), resolve))
        break
      }
      return response.destroy()
    }
    const rewrite = proxy.rewrites.get(call.path)
    if (rewrite && answer.statusCode === 200) {
      const text: Buffer[] = []
      for await (const chunk of answer) text.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)))
      const { 'content-length': _, etag: __, ...headers } = answer.headers
      response.writeHead(200, headers)
      return response.end(rewrite(Buffer.concat(text).toString()))
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    response.flushHeaders()
    answer.on('error', () => response.destroy())
    response.on('close', () => answer.destroy())
    answer.pipe(response)
  }

  function askServer(request: http.IncomingMessage, body: Buffer): Promise<http.IncomingMessage> {
    const headers = { ...request.headers }
    if (proxy.rewrites.has(request.url ?? '')) {
      // Ask for the whole file, uncompressed, so that it can be rewritten.
      for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name]
    }
    return new Promise((resolve, reject) => {
      const onward = http.request(
        { host: '127.0.0.1', port: server.port, method: request.method, path: request.url, headers, agent: false },
        resolve,
      )
      onward.on('error', reject)
      onward.end(body)
    })
  }

  /** Sends half of the body, then breaks the connection. */
  function sendHalf(request: http.IncomingMessage, body: Buffer): Promise<void> {
    return new Promise((resolve) => {
      const { method, url: path, headers } = request
      const onward = http.request({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false })
      onward.on('error', () => resolve())
      onward.on('close', () => resolve())
      onward.write(body.subarray(0, Math.floor(body.length / 2)), () => onward.destroy())
    })
  }

  const proxy: WireProxy = {
    origin: `http://localhost:${address.port}`,
    meet: () => 'pass',
    answered: () => undefined,
    rewrites: new Map(),
    pushes: [],
    underWay: { now: 0, most: 0 },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve))
      proxy.cut()
      await closed
    },
  }
  return proxy
}

function callOf(request: http.IncomingMessage, body: Buffer): PassingCall {
  const path = request.url ?? '/'
  const isPush = path === '/api/sync/push' && request.method === 'POST'
  const said = isPush ? (JSON.parse(body.toString()) as { commands: WireCommand[] }) : null
  return {
    method: request.method ?? 'GET',
    path,
    token: request.headers.authorization?.replace(/^Bearer /, '') ?? null,
    commands: said?.commands ?? [],
  }
}
