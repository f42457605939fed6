import type { Kysely } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/** The time zone in which a store's days begin, and in which the times of its people are told. */
export async function timeZoneOf(db: Kysely<Schema>, storeId: number): Promise<string> {
  const store = await db.selectFrom('stores').select('time_zone').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return store.time_zone
}
