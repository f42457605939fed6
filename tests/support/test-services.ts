import { createLog } from '#server/log.ts'
import { createMessaging } from '#server/domain/messages/messaging.ts'
import { invitationFiller } from '#server/domain/messages/portal-link.ts'
import { createChangeFeed } from '#server/platform/db/change-feed.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics/metrics.ts'
import { riskProviderFor } from '#server/platform/risk/risk-provider.ts'
import type { Config, Services } from '#server/platform/services.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'

/** The configuration of a server without outside services: no messages, no files on a disk, no address. */
export function testConfig(more: Partial<Config> = {}): Config {
  return {
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
    ...more,
  }
}

type Parts = {
  config: Config
  secrets: Services['secrets']
  clock: Services['clock']
  storage?: Storage
  /** Gets each line of the log. */
  write(line: string): void
  openDatabase(hooks: { onCommit: Services['changes']['publish']; onQuery: Metrics['queried'] }): Promise<OpenedDatabase>
}

/** Makes all services that the server's calls need, around a database of the test's choice. */
export async function testServices(parts: Parts): Promise<{ services: Services; db: OpenedDatabase }> {
  const { config, secrets, clock, storage = memoryStorage() } = parts
  const log = createLog(config.logLevel, { write: (line) => parts.write(line) })
  const changes = createChangeFeed({ onFault: (error) => log.error({ err: error }, 'a listener failed') })
  const opened: { db: OpenedDatabase | null } = { db: null }
  const metrics = createMetrics({ connections: () => opened.db?.connections() ?? { open: 0, idle: 0, waiting: 0 } })
  const db = await parts.openDatabase({ onCommit: (raised) => changes.publish(raised), onQuery: (seconds) => metrics.queried(seconds) })
  opened.db = db
  const messaging = createMessaging({ db, clock, config: config.messaging, log, fillInvitation: invitationFiller(config, secrets) })
  const risk = riskProviderFor(config, log)
  return { services: { db, clock, config, secrets, log, changes, risk, messaging, metrics, storage }, db }
}
