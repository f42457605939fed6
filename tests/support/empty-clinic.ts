import { pino } from 'pino'
import { createChangeFeed } from '#server/platform/db/change-feed.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { createMessaging } from '#server/domain/messages/messaging.ts'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { developmentProvider } from '#server/platform/risk/development-provider.ts'
import { newSecrets } from '#server/secrets.ts'
import type { Config, Secrets, Services } from '#server/platform/services.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

const log = pino({ level: 'silent' })

export const now = Date.parse('2026-11-20T14:30:00.000Z')
const config: Config = {
  mode: 'demo',
  port: 0,
  dataFolder: '',
  databaseUrl: null,
  distFolder: null,
  appVersion: 'test',
  trustedProxies: [],
  metricsToken: null,
  publicUrl: null,
  files: null,
  logLevel: 'silent',
  accessTokenSeconds: 900,
  refreshTokenDays: 30,
  risk: { provider: 'development' },
  messaging: { sms: null, email: null },
}

export const opened: OpenedDatabase[] = []

let secrets: Secrets | null = null

/** Closes the clinics that a test opened. */
export async function closeClinics(): Promise<void> {
  for (const db of opened.splice(0)) await db.close()
}

/** A clinic with an empty database of its own. */
export async function emptyClinic(): Promise<Services> {
  secrets ??= await newSecrets()
  const db = await openTestDatabase()
  opened.push(db)
  const risk = developmentProvider('test', log)
  const clock = { now: () => now }
  const messaging = createMessaging({ db, clock, config: config.messaging, log })
  return {
    db,
    clock,
    config,
    secrets,
    log,
    changes: createChangeFeed(),
    risk,
    messaging,
    metrics: createMetrics(),
    storage: memoryStorage(),
  }
}
