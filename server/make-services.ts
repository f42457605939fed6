import { chmodSync, mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { createChangeFeed } from '#server/platform/db/change-feed.ts'
import { databaseSource, type OpenedDatabase, openDatabase } from '#server/platform/db/open-database.ts'
import { createMessaging } from '#server/domain/messages/messaging.ts'
import { invitationFiller } from '#server/domain/messages/portal-link.ts'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { riskProviderFor } from '#server/platform/risk/risk-provider.ts'
import { loadSecrets } from '#server/secrets.ts'
import type { Config, Services } from '#server/platform/services.ts'
import { storageFor } from '#server/platform/storage/storage-for.ts'

export type OwnedServices = Services & { db: OpenedDatabase }

/**
 * Makes all services that handlers need, for a process of its own. `onLost` runs when the embedded database ends
 * unexpectedly.
 */
export async function makeServices(
  config: Config,
  environment: NodeJS.ProcessEnv,
  log: Logger,
  onLost: (error: Error) => void,
): Promise<OwnedServices> {
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  // The embedded database creates its files readable for everyone, regardless of the umask.
  chmodSync(config.dataFolder, 0o700)
  const secrets = await loadSecrets(config.dataFolder, environment)
  const opened: { db: OpenedDatabase | null } = { db: null }
  const changes = createChangeFeed({
    // The embedded database has one process, which knows its own writes.
    ...(config.databaseUrl !== null && {
      readRevisions: async () => (await opened.db?.pool.selectFrom('scope_revisions').selectAll().execute()) ?? [],
    }),
    onFault: (error) => log.error({ err: error }, 'changes could not be told'),
  })
  const metrics = createMetrics({
    connections: () => opened.db?.connections() ?? { open: 0, idle: 0, waiting: 0 },
    ofProcess: true,
  })
  const db = await openDatabase(databaseSource(config), {
    onCommit: (raised) => changes.publish(raised),
    onQuery: (seconds) => metrics.queried(seconds),
    onLost,
    onUntidy: (error) => log.error({ err: error }, 'the embedded database could not be tidied up; the next round tries again'),
  })
  opened.db = db
  const messaging = createMessaging({ db, clock: Date, config: config.messaging, log, fillInvitation: invitationFiller(config, secrets) })
  return {
    db,
    clock: Date,
    config,
    secrets,
    log,
    changes,
    risk: riskProviderFor(config, log),
    messaging,
    metrics,
    storage: storageFor(config),
  }
}

export async function closeServices(services: OwnedServices): Promise<void> {
  services.changes.close()
  await services.messaging.close()
  await services.db.close()
}
