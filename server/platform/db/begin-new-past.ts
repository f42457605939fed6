import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/** More than a chain receives, registers or sells between two backups. */
export const numbersSkipped = 10_000

/** Numbers that people know things by past the data: on labels, invoices, packing slips and vendors' papers, and in what they say to each other. */
export const numbersPeopleKnow = [
  ['frames', 'id_inventory'],
  ['patients', 'patient_no'],
  ['invoices', 'invoice_no'],
  ['transfers', 'number'],
  ['store_invoices', 'number'],
  ['vendor_returns', 'number'],
  ['patient_returns', 'number'],
] as const

/**
 * The data are those of a backup. A new epoch tells every tablet so. What came after the backup has numbers that the data do not know: those are
 * given to nothing else, or what a tablet or a paper says of the one would be done to the other.
 */
export async function beginNewPast(db: Kysely<Schema>, epoch: string): Promise<void> {
  await db.updateTable('server_state').set({ epoch }).execute()
  for (const [table, column] of numbersPeopleKnow) {
    const numbers = sql`pg_get_serial_sequence(${table}, ${column})`
    await sql`select setval(${numbers}, nextval(${numbers}) + ${numbersSkipped}::int)`.execute(db)
  }
}
