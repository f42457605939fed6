import http from 'node:http'
import type { Socket } from 'node:net'
import type { WireCommand } from '#contract/sync/commands.ts'

/** One call of a tablet as it passed on its way to the server. */
export type PassingCall = {
  method: string
  path: string
  /** The access token it came with; null without one. */
  token: string | null
  /** The commands of a push; empty for every other call. */
  commands: WireCommand[]
}

/**
 * `pass`: to the server and back. `lose-request`: the line breaks before the server hears of it. `lose-answer`: the server
 * does it, and the tablet never learns. `captive-portal`: a login page of some café answers with 200 in its place.
 * `cut-request`: the line breaks when half of the body is at the server. `cut-answer`: it breaks when half of what the
 * server said first is at the tablet.
 */
export type Fate = 'pass' | 'lose-request' | 'lose-answer' | 'captive-portal' | 'cut-request' | 'cut-answer'

/** The line between the tablets and the server, with a hand on it. The tablets know only its address. */
export type WireProxy = {
  origin: string
  /** Decides what becomes of each call; may wait, and so hold it. */
  meet: (call: PassingCall) => Fate | Promise<Fate>
  /** The server has answered a call and the tablet has not heard of it yet; may wait. */
  answered: (call: PassingCall, status: number) => void | Promise<void>
  /** What comes instead of a file of the app, by its path: makes a newer version of it. */
  rewrites: Map<string, (text: string) => string>
  /** Every push that was let through to the server, in order. */
  pushes: PassingCall[]
  /** Pushes that are at the server at this moment, and the most there ever were. */
  underWay: { now: number; most: number }
  /** Breaks every connection that is open. */
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
      // The server must have finished, or nothing would be lost.
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
      // Whole and as it is, or there would be nothing to change.
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

  /** The server waits for the rest, and then hears that nobody is there any more. */
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
