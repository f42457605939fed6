import { type Kysely, Migrator } from 'kysely'
import { migrations } from '#server/platform/db/migrations/migrations.ts'

/**
 * Brings the tables to this version. Safe when several servers start at once: one does it, the others wait.
 * Each start does all outstanding migrations in one transaction, so that a killed one leaves nothing half done.
 */
export async function migrate<DB>(db: Kysely<DB>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
