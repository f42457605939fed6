import * as v from 'valibot'
import type { SigningKey } from '#contract/sync/signing-key.ts'
import { signedIn, type SignedIn } from '#contract/people/session.ts'
import { createApp } from '#server/app.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import type { RateLimits } from '#server/platform/http/rate-limit.ts'
import { newSecrets } from '#server/secrets.ts'
import type { Config, Services } from '#server/platform/services.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { type Seed, seedClinic, seedPassword } from '#tests/support/seed-clinic.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { testConfig, testServices } from '#tests/support/test-services.ts'

/** A stopped clock, which only the test moves. */
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
  /** The server gets it as JSON, or unchanged if it is a string or bytes. */
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
  /** Every line of the log, parsed. */
  logged: Record<string, unknown>[]
  /** Starts the shutdown: new calls get 503, and event streams end. */
  stopping: AbortController
  request(method: string, path: string, options?: TestRequest): Promise<Response>
  /** Signs in a seeded user in a new session. */
  signIn(username: string, deviceId?: string, key?: SigningKey | null): Promise<SignedIn>
  close(): Promise<void>
}

/** Starts the whole server without a port, on its own empty database with a small seeded clinic. */
export async function startTestServer(
  options: { clock?: TestClock; config?: Partial<Config>; rateLimits?: RateLimits; storage?: Storage } = {},
): Promise<TestServer> {
  const clock = options.clock ?? testClock()
  const logged: Record<string, unknown>[] = []
  const { services, db } = await testServices({
    config: testConfig(options.config),
    secrets: await newSecrets(),
    clock,
    ...(options.storage && { storage: options.storage }),
    write: (line) => void logged.push(v.parse(v.record(v.string(), v.unknown()), JSON.parse(line))),
    openDatabase: openTestDatabase,
  })
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
      // Every client over a network sends this header.
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
      services.changes.close()
      await services.messaging.close()
      await db.close()
    },
  }
  return server
}
