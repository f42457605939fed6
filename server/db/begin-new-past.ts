import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

/** More than a chain receives, or registers, between two backups. */
export const numbersSkipped = 10_000

/** Numbers that people know things by past the data: on the labels of pieces, and what patients are called by on paper. */
export const numbersPeopleKnow = [
  ['frames', 'id_inventory'],
  ['patients', 'patient_no'],
] as const

/**
 * The data are those of a backup. A new epoch tells every tablet so. Pieces and patients that came after the backup have numbers that the data do
 * not know: those are given to no other, or what a tablet or a paper says of the one would be done to the other.
 */
export async function beginNewPast(db: Kysely<Schema>, epoch: string): Promise<void> {
  await db.updateTable('server_state').set({ epoch }).execute()
  for (const [table, column] of numbersPeopleKnow) {
    const numbers = sql`pg_get_serial_sequence(${table}, ${column})`
    await sql`select setval(${numbers}, nextval(${numbers}) + ${numbersSkipped}::int)`.execute(db)
  }
}
