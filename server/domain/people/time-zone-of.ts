import type { Kysely } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/** The time zone of a store: it sets where days begin, and how times are shown to its users. */
export async function timeZoneOf(db: Kysely<Schema>, storeId: number): Promise<string> {
  const store = await db.selectFrom('stores').select('time_zone').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return store.time_zone
}
