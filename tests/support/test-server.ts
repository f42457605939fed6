import * as v from 'valibot'
import type { SigningKey } from '#contract/sync/signing-key.ts'
import { signedIn, type SignedIn } from '#contract/people/session.ts'
import { createApp } from '#server/app.ts'
import { createChangeFeed } from '#server/platform/db/change-feed.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import type { RateLimits } from '#server/platform/http/rate-limit.ts'
import { createLog } from '#server/log.ts'
import { createMessaging } from '#server/domain/messages/messaging.ts'
import { invitationFiller } from '#server/domain/messages/portal-link.ts'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { riskProviderFor } from '#server/platform/risk/risk-provider.ts'
import { newSecrets } from '#server/secrets.ts'
import type { Config, Services } from '#server/platform/services.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { type Seed, seedClinic, seedPassword } from '#tests/support/seed-clinic.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

/** A clock that stands still until it is set. */
export type TestClock = { now(): number; set(instant: string | number): void; advance(milliseconds: number): void }

export function testClock(start: string | number = '2026-11-20T14:00:00.000Z'): TestClock {
  let now = new Date(start).getTime()
  return {
    now: () => now,
    set: (instant) => void (now = new Date(instant).getTime()),
    advance: (milliseconds) => void (now += milliseconds),
  }
}

export type TestRequest = {
  /** Sent as JSON; a string or bytes go as they are. */
  body?: unknown
  token?: string
  headers?: Record<string, string>
  /** The caller's network address. */
  address?: string
}
export type TestServer = {
  services: Services
  app: ReturnType<typeof createApp>
  db: OpenedDatabase
  clock: TestClock
  seed: Seed
  /** Everything that was logged, parsed. */
  logged: Record<string, unknown>[]
  /** Begins the stop: new calls are answered 503, streams of events end. */
  stopping: AbortController
  request(method: string, path: string, options?: TestRequest): Promise<Response>
  /** A new session of one of the seeded people. */
  signIn(username: string, deviceId?: string, key?: SigningKey | null): Promise<SignedIn>
  close(): Promise<void>
}

/** The whole server without a port, on an empty database of its own with a small seeded clinic. */
export async function startTestServer(
  options: { clock?: TestClock; config?: Partial<Config>; rateLimits?: RateLimits; storage?: Storage } = {},
): Promise<TestServer> {
  const clock = options.clock ?? testClock()
  const config: Config = {
    mode: 'test',
    port: 0,
    dataFolder: '',
    databaseUrl: null,
    distFolder: null,
    appVersion: '0.0.0-test',
    accessTokenSeconds: 900,
    refreshTokenDays: 30,
    risk: { provider: 'development' },
    messaging: { sms: null, email: null },
    trustedProxies: [],
    metricsToken: null,
    publicUrl: null,
    files: null,
    logLevel: 'info',
    ...options.config,
  }
  const logged: Record<string, unknown>[] = []
  const log = createLog(config.logLevel, {
    write: (line) => void logged.push(v.parse(v.record(v.string(), v.unknown()), JSON.parse(line))),
  })
  const changes = createChangeFeed({ onFault: (error) => log.error({ err: error }, 'a listener failed') })
  const opened: { db: OpenedDatabase | null } = { db: null }
  const metrics = createMetrics({ connections: () => opened.db?.connections() ?? { open: 0, idle: 0, waiting: 0 } })
  const db = await openTestDatabase({ onCommit: (raised) => changes.publish(raised), onQuery: (seconds) => metrics.queried(seconds) })
  opened.db = db
  const secrets = await newSecrets()
  const messaging = createMessaging({ db, clock, config: config.messaging, log, fillInvitation: invitationFiller(config, secrets) })
  const risk = riskProviderFor(config, log)
  const services: Services = {
    db,
    clock,
    config,
    secrets,
    log,
    changes,
    risk,
    messaging,
    metrics,
    storage: options.storage ?? memoryStorage(),
  }
  const stopping = new AbortController()
  const seed = await seedClinic(services)
  const app = createApp(services, { stopping: stopping.signal, ...(options.rateLimits && { rateLimits: options.rateLimits }) })

  const server: TestServer = {
    services,
    app,
    db,
    clock,
    seed,
    logged,
    stopping,
    async request(method, path, { body, token, headers = {}, address = '127.0.0.1' } = {}) {
      const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream
      const sent = body === undefined || isRaw ? (body as BodyInit | undefined) : JSON.stringify(body)
      // As every client over a network says it.
      const length = typeof sent === 'string' || sent instanceof Uint8Array ? Buffer.byteLength(sent) : null
      const init = {
        method,
        headers: {
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...(length !== null && { 'content-length': String(length) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent, duplex: 'half' }),
      }
      return await app.request(path, init, { connection: { remoteAddress: address, encrypted: false } })
    },
    async signIn(username, deviceId, key) {
      const answer = await server.request('POST', '/api/auth/login', {
        body: {
          username,
          password: seedPassword,
          recaptcha_token: 'development:login:test',
          ...(deviceId && { device_id: deviceId }),
          ...(key && { signing_key: key }),
        },
      })
      if (answer.status !== 200) throw new Error(`${username} could not sign in: ${answer.status} ${await answer.text()}`)
      return v.parse(signedIn, await answer.json())
    },
    async close() {
      stopping.abort()
      changes.close()
      await messaging.close()
      await db.close()
    },
  }
  return server
}
