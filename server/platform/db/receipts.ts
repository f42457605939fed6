import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Receipt } from '#contract/sync/sync.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * Receipts make commands happen once. They are written in the transaction that does the work. A repeat of the same
 * command gets the same text again.
 */
export type StoredReceipt = { body_hash: string; answer: string }

/** The fields of a new receipt: `answer` is stored, and repeated byte for byte. */
export type NewReceipt = {
  command_id: string
  number: number
  body_hash: string
  kind: string
  author_id: number | null
  deliverer_id: number | null
  device_id: string
  answer: string
  received_at: string
}

/** SHA-256, hex, of a command's `hashedText`. */
export function bodyHash(hashedText: string): string {
  return createHash('sha256').update(hashedText).digest('hex')
}

/** Returns the receipts of these commands, by command id in lower case. */
export async function findReceipts(db: Kysely<Schema>, ids: readonly string[]): Promise<Map<string, StoredReceipt>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('receipts')
    .select(['command_id', 'body_hash', 'answer'])
    .where('command_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.command_id, { body_hash: row.body_hash, answer: row.answer }]))
}

/**
 * Takes numbers for `count` receipts from the table's own sequence: `Received #48213`. Each call of the returned
 * function gives the next one; it throws when none is left.
 */
export async function takeReceiptNumbers(trx: Transaction<Schema>, count: number): Promise<() => number> {
  const taken = sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('receipts', 'number')) as number from generate_series(1, ${count}::int)
  `
  const rows = count === 0 ? [] : (await taken.execute(trx)).rows
  const numbers = rows.map((row) => row.number).sort((a, b) => b - a)
  return () => {
    const number = numbers.pop()
    if (number === undefined) throw new Error('the database gave fewer receipt numbers than are asked for')
    return number
  }
}

export async function insertReceipts(trx: Transaction<Schema>, receipts: readonly NewReceipt[]): Promise<void> {
  if (receipts.length > 0)
    await trx
      .insertInto('receipts')
      .values([...receipts])
      .execute()
}

/** Returns the receipt of an applied command, in the form that is stored and answered. */
export function appliedReceipt(receipt: {
  id: string
  body_hash: string
  number: number
  at: string
  rows: NonNullable<Receipt['rows']>
}): Receipt {
  return {
    id: receipt.id,
    body_hash: receipt.body_hash,
    outcome: 'applied',
    number: receipt.number,
    at: receipt.at,
    rows: receipt.rows,
  }
}
