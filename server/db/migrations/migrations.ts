import type { Migration } from 'kysely'
import { firstTables } from '#server/db/migrations/0001-first-tables.ts'
import { settingsScope } from '#server/db/migrations/0002-settings-scope.ts'

/** Every migration by its name, which is also its place in the order. One that was released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-settings-scope': settingsScope,
}
