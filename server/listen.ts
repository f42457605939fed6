import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '#server/app.ts'
import { metricsPath } from '#server/metrics/answer-metrics.ts'
import type { Services } from '#server/services.ts'

/** How long calls under way may take to finish once the server was told to stop. */
const graceMs = 10_000
/** Longer than reverse proxies keep connections, so that none of them sends a call into one that just closed. */
const keepAliveMs = 75_000

export type Listening = {
  port: number
  /** Takes no new calls, finishes those under way, and ends streams of events. */
  stop(): Promise<void>
}

/**
 * Serves the app at the configured port. `pages` serves everything outside of `/api` and the metrics in development; without it the
 * built app is served.
 */
export async function listen(services: Services, pages?: (server: Server) => Promise<RequestListener>): Promise<Listening> {
  const stopping = new AbortController()
  const app = createApp(services, { stopping: stopping.signal })
  const answer = getRequestListener((request, { incoming }) =>
    app.fetch(request, {
      connection: { remoteAddress: incoming.socket.remoteAddress ?? '', encrypted: 'encrypted' in incoming.socket },
    }),
  )
  const server = createServer({ keepAliveTimeout: keepAliveMs })
  const answerPages = await pages?.(server)
  server.on('request', (incoming, outgoing) => {
    if (stopping.signal.aborted) outgoing.setHeader('Connection', 'close')
    const isCall =
      incoming.url === '/api' || incoming.url?.startsWith('/api/') || incoming.url?.startsWith('/upload/') || incoming.url === metricsPath
    if (isCall || !answerPages) void answer(incoming, outgoing)
    else answerPages(incoming, outgoing)
  })
  server.listen({ port: services.config.port, ...(services.config.host !== undefined && { host: services.config.host }) })
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      stopping.abort()
      server.close()
      const lastResort = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(lastResort)
    },
  }
}
