import type { Kysely } from 'kysely'
import { migrate as migrateReally } from '#server/platform/db/migrate.ts'

/** Replaces the module of this name: after the first start, the tables are already there. */
let isDone = false

export async function migrate<DB>(db: Kysely<DB>): Promise<void> {
  if (isDone) return
  await migrateReally(db)
  isDone = true
}
