import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * The documents whose numbers follow each other without a gap, with the column of the number. Its default takes the
 * next one; a transaction that fails gives it back.
 */
export const numberedDocuments = {
  count_sheets: 'number',
  transfers: 'number',
  store_invoices: 'number',
  vendor_returns: 'number',
  patient_returns: 'number',
  invoices: 'invoice_no',
} as const

/** Continues after the highest number, for rows that brought their own. */
export async function continueDocumentNumbers(trx: Transaction<Schema>): Promise<void> {
  for (const [document, column] of Object.entries(numberedDocuments)) {
    await sql`
      insert into document_numbers as known
      select ${document}, coalesce(max(${sql.ref(column)}), 0) from ${sql.table(document)}
      on conflict (document) do update set last = greatest(known.last, excluded.last)
    `.execute(trx)
  }
}
