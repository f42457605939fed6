import { createHash, timingSafeEqual } from 'node:crypto'
import { type Connection, isLoopback } from '#server/platform/http/client-address.ts'
import { metricsContentType, type TabletSums } from '#server/platform/metrics/metrics.ts'
import type { Config, Services } from '#server/platform/services.ts'

export const metricsPath = '/metrics'

type Asked = { services: Services; connection: Connection | null; headers: Headers }

/**
 * The metrics, for callers with the configured token. Without a configured token and outside of production, programs on
 * this machine may read them too. Everybody else finds nothing at this address.
 */
export async function answerMetrics({ services, connection, headers }: Asked, readTablets: () => Promise<TabletSums>): Promise<Response> {
  if (!mayRead(services.config, connection, headers)) {
    return new Response('Not found', { status: 404, headers: { 'cache-control': 'no-store', 'content-type': 'text/plain' } })
  }
  const text = await services.metrics.text(await readTablets())
  return new Response(text, { headers: { 'cache-control': 'no-store', 'content-type': metricsContentType } })
}

function mayRead({ metricsToken, mode }: Config, connection: Connection | null, headers: Headers): boolean {
  if (metricsToken !== null) {
    const [, token = ''] = /^Bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '') ?? []
    return timingSafeEqual(digest(token), digest(metricsToken))
  }
  if (mode === 'production' || connection === null) return false
  // A request that a proxy on this machine passes on only seems to come from here.
  const isPassedOn = headers.has('x-forwarded-for') || headers.has('forwarded')
  return !isPassedOn && isLoopback(connection.remoteAddress)
}

/** Hashes have equal length for any text, so the time of the comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
