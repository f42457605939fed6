import type { Kysely } from 'kysely'
import { migrate as migrateReally } from '#server/platform/db/migrate.ts'

/** Stands in for the module of this name: a server that was killed a moment ago has its tables. */
let isDone = false

export async function migrate<DB>(db: Kysely<DB>): Promise<void> {
  if (isDone) return
  await migrateReally(db)
  isDone = true
}
