import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Refusal } from '#contract/core/errors.ts'
import { createApp } from '#server/app.ts'
import { answerError, refusalAnswer } from '#server/platform/http/answer-error.ts'
import { securityHeaders } from '#server/platform/http/security-headers.ts'
import { securityTextPath } from '#server/platform/http/security-text.ts'
import { metricsPath } from '#server/platform/metrics/answer-metrics.ts'
import type { Services } from '#server/platform/services.ts'

/** How long open calls may take to finish after the signal to stop. */
const graceMs = 10_000
/** How often a server that stops closes the connections that became idle. */
const sweepMs = 50
/**
 * Longer than reverse proxies keep connections, so that none of them sends a call into a connection that just closed.
 */
const keepAliveMs = 75_000
/** A request whose head takes longer gets a 408, and its connection ends. */
const headMs = 20_000
/** The same limit for a request with its body. The longest body is a file of 25 MB. */
const requestMs = 300_000
/** The server ends a connection without traffic. Event streams send something every 15 seconds. */
const silenceMs = 120_000
/** The server ends further connections at once. A tablet has two or three. */
const usualMostConnections = 4096

export type Listening = {
  port: number
  /** Refuses new calls, finishes open ones, and ends event streams. */
  stop(): Promise<void>
}

/**
 * Serves the app at the configured port. In development, `pages` serves everything outside of `/api` and the metrics.
 * Without it the built app is served.
 */
export async function listen(services: Services, pages?: (server: Server) => Promise<RequestListener>): Promise<Listening> {
  const stopping = new AbortController()
  const { config, log } = services
  const app = createApp(services, { stopping: stopping.signal })
  const headers = securityHeaders(config)(false)
  const secured = (answer: Response) => {
    for (const [name, value] of Object.entries({ ...headers, 'Cache-Control': 'no-store' })) answer.headers.set(name, value)
    return answer
  }
  const answer = getRequestListener(
    (request, { incoming }) =>
      app.fetch(request, {
        connection: { remoteAddress: incoming.socket.remoteAddress ?? '', encrypted: 'encrypted' in incoming.socket },
      }),
    {
      // These errors never reached the app: an invalid address or host, or a fault outside of any call.
      errorHandler: (error) =>
        secured(error instanceof RequestError ? refusalAnswer(new Refusal('request-unreadable')) : answerError(error, 'none', log)),
    },
  )
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: 5000,
    // The handler above answers these, with its headers.
    requireHostHeader: false,
  })
  server.maxConnections = config.mostConnections ?? usualMostConnections
  server.timeout = silenceMs
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, headers))
  // The client expects something that the server does not know.
  server.on('checkExpectation', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(417, { ...headers, Connection: 'close' }).end()
  })
  const answerPages = await pages?.(server)
  /** Connections that have not made a call yet, such as those that browsers open ahead. */
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', (incoming, outgoing) => {
    unused.delete(incoming.socket)
    if (stopping.signal.aborted) outgoing.setHeader('Connection', 'close')
    const isCall =
      incoming.url === '/api' ||
      incoming.url?.startsWith('/api/') ||
      incoming.url?.startsWith('/upload/') ||
      incoming.url === metricsPath ||
      incoming.url === securityTextPath
    if (isCall || !answerPages) void answer(incoming, outgoing)
    else answerPages(incoming, outgoing)
  })
  server.listen({ port: config.port, ...(config.host !== undefined && { host: config.host }) })
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      stopping.abort()
      server.close()
      // Node closes what is idle now, but not an unused connection, nor one whose call or event stream ends later.
      for (const socket of unused) socket.destroy()
      const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
      const lastResort = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(sweep)
      clearTimeout(lastResort)
    },
  }
}

/** Answers an invalid or too slow request, and ends the connection. During an answer it only ends the connection. */
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex, headers: Record<string, string>): void {
  const { _httpMessage: answer } = socket as Duplex & { _httpMessage?: ServerResponse | null }
  if (!socket.writable || answer?.headersSent || error.code === 'ECONNRESET') {
    socket.destroy(error)
    return
  }
  const [status, refusal] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', new Refusal('request-too-slow')]
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', new Refusal('request-unreadable', { message: 'The head of the request is too large' })]
        : ['400 Bad Request', new Refusal('request-unreadable')]
  const body = JSON.stringify(refusal.toBody())
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}
