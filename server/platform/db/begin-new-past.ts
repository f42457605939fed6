import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/** More than a chain receives, registers or sells between two backups. */
export const numbersSkipped = 10_000

/**
 * Sequences whose numbers people know: on labels, invoices and receipts, and in what they say to each other. The
 * numbers of documents have a table of their own.
 */
export const sequencesPeopleKnow = [
  ['frames', 'id_inventory'],
  ['patients', 'patient_no'],
  ['receipts', 'number'],
] as const

/**
 * The data are those of a backup. A new epoch tells every tablet so. What came after the backup has numbers that the data do not know: those are
 * given to nothing else, or what a tablet or a paper says of the one would be done to the other.
 */
export async function beginNewPast(db: Kysely<Schema>, epoch: string): Promise<void> {
  await db.updateTable('server_state').set({ epoch }).execute()
  for (const [table, column] of sequencesPeopleKnow) {
    const numbers = sql`pg_get_serial_sequence(${table}, ${column})`
    await sql`select setval(${numbers}, nextval(${numbers}) + ${numbersSkipped}::int)`.execute(db)
  }
  await db
    .updateTable('document_numbers')
    .set({ last: sql`last + ${numbersSkipped}::int` })
    .execute()
}
