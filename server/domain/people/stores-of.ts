import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/** The stores of this person, lowest number first. The home store counts only while it is in `user_stores`. */
export async function storesOf(db: Kysely<Schema>, idUser: number): Promise<number[]> {
  return (await storesOfEach(db, [idUser]))(idUser)
}

/** `storesOf` for several people with one query. */
export async function storesOfEach(db: Kysely<Schema>, idUsers: readonly number[]): Promise<(idUser: number) => number[]> {
  const rows = await db
    .selectFrom('user_stores')
    .selectAll()
    .where('id_user', '=', sql<number>`any(${[...idUsers]}::int[])`)
    .orderBy('store_id')
    .execute()
  return (idUser) => rows.filter((row) => row.id_user === idUser).map((row) => row.store_id)
}
