import { type Insertable, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

const rowsAtOnce = 2000

/**
 * Inserts rows by the thousand: each statement has one parameter for all of its rows and columns. `columns` names the
 * columns with their SQL types. Rows come from an iterable, so that memory never holds a whole long table.
 */
export async function insertRows<T extends keyof Schema>(
  trx: Transaction<Schema>,
  table: T,
  columns: Partial<Record<keyof Insertable<Schema[T]> & string, string>>,
  rows: Iterable<Insertable<Schema[T]>>,
  onProgress?: (inserted: number) => void,
): Promise<number> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const typed = Object.entries<string | undefined>(columns)
  // A jsonb column takes its value as JSON text, as everywhere in the schema.
  const types = sql.join(
    typed.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type === undefined || type === 'jsonb' ? 'text' : type)}`),
  )
  const values = sql.join(typed.map(([name, type]) => (type === 'jsonb' ? sql`${sql.ref(name)}::jsonb` : sql.ref(name))))
  let inserted = 0
  let waiting: Insertable<Schema[T]>[] = []
  const flush = async () => {
    if (waiting.length === 0) return
    const json = JSON.stringify(waiting)
    await sql`insert into ${sql.table(table)} (${names}) select ${values} from jsonb_to_recordset(${json}::jsonb) as given(${types})`.execute(
      trx,
    )
    inserted += waiting.length
    waiting = []
    onProgress?.(inserted)
  }
  for (const row of rows) {
    waiting.push(row)
    if (waiting.length === rowsAtOnce) await flush()
  }
  await flush()
  return inserted
}

/** The rows brought their own ids. The database continues after the highest. */
export async function continueIdentity(trx: Transaction<Schema>, table: keyof Schema, column: string): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, ${column}), (select coalesce(max(${sql.ref(column)}), 1) from ${sql.table(table)}))
  `.execute(trx)
}
