import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

/** More than a chain receives between two backups. */
export const numbersSkipped = 10_000

/**
 * The data are those of a backup. A new epoch tells every tablet so. Pieces that came after the backup have labels with numbers that the
 * data do not know: those are given to no other piece, or what a tablet says of the one would be done to the other.
 */
export async function beginNewPast(db: Kysely<Schema>, epoch: string): Promise<void> {
  await db.updateTable('server_state').set({ epoch }).execute()
  const numbers = sql`pg_get_serial_sequence('frames', 'id_inventory')`
  await sql`select setval(${numbers}, nextval(${numbers}) + ${numbersSkipped}::int)`.execute(db)
}
