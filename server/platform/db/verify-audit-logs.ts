import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditLog, appendOnlyTables, auditLogs } from '#server/platform/db/audit-logs.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The newest entry of a log's chain. Kept elsewhere, it shows later whether the whole chain was written again. */
export type Seal = { log: string; number: number; hash: string }
/** `rowId` is null where no row can be named. */
export type Break = { number: number; rowId: number | null; what: string }
export type Verdict = { log: AuditLog; seal: Seal | null; broken: Break | null }

const pageSize = 5000

/** Reads every log and its chain, and names the first row of each that is not as it was written. `kept` are seals of an earlier run. */
export async function verifyAuditLogs(db: Kysely<Schema>, kept: readonly Seal[] = []): Promise<Verdict[]> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql`set local timezone = 'UTC'`.execute(trx)
      return await verdictsIn(trx, kept)
    })
}

/** `verifyAuditLogs` inside of a transaction. */
export async function verdictsIn(trx: Transaction<Schema>, kept: readonly Seal[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const log of auditLogs) verdicts.push(await verifyLog(trx, log, kept))
  return verdicts
}

/** Append-only tables whose triggers are missing or switched off. */
export async function unguardedTables(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ table: string; guards: number }>`
    select given.name as table, count(guard.oid)::int as guards
    from unnest(${[...appendOnlyTables]}::text[]) as given (name)
    left join pg_trigger as guard
      on guard.tgrelid = given.name::regclass and guard.tgenabled in ('O', 'A') and guard.tgname in ('audit_append_only', 'audit_chained')
    group by given.name order by given.name
  `.execute(db)
  return rows.filter(({ table, guards }) => guards < (table === 'audit_chain' ? 1 : 2)).map(({ table }) => table)
}

type Entry = { number: number; row_id: number; hash: string; said: string | null }

async function verifyLog(trx: Kysely<Schema>, log: AuditLog, kept: readonly Seal[]): Promise<Verdict> {
  let seal = null as Seal | null
  for (;;) {
    const entries = await readEntries(trx, log, seal?.number ?? 0)
    for (const { number, row_id: rowId, hash, said } of entries) {
      const due: number = (seal?.number ?? 0) + 1
      const broken = (what: string, row: number | null): Verdict => ({ log, seal, broken: { number: due, rowId: row, what } })
      if (number !== due) return broken('the entry of the chain is gone', null)
      if (said === null) return broken('the row is gone', rowId)
      const right: string = createHash('sha256')
        .update(Buffer.from(seal?.hash ?? '', 'hex'))
        .update(said)
        .digest('hex')
      if (right !== hash) return broken('the row or its entry was changed', rowId)
      const other = kept.find((one) => one.log === log && one.number === number)
      if (other && other.hash !== hash) return broken('the chain was written again since the kept seal', rowId)
      seal = { log, number, hash }
    }
    if (entries.length < pageSize) break
  }
  const last = seal?.number ?? 0
  const cut = kept.find((one) => one.log === log && one.number > last)
  if (cut) return { log, seal, broken: { number: last + 1, rowId: null, what: `entries up to ${cut.number} of the kept seal are gone` } }
  const added = await rowWithoutEntry(trx, log)
  if (added !== null) return { log, seal, broken: { number: last + 1, rowId: added, what: 'the row was added past the chain' } }
  return { log, seal, broken: null }
}

/** The text of a row is made here and not by the database's own function, which could have been replaced. */
async function readEntries(trx: Kysely<Schema>, log: AuditLog, after: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select entry.number, entry.row_id, encode(entry.hash, 'hex') as hash, (
      select jsonb_object_agg(key, value)::text from jsonb_each(to_jsonb(written)) where value <> 'null'::jsonb
    ) as said
    from audit_chain as entry left join ${sql.table(log)} as written on written.id = entry.row_id
    where entry.log = ${log} and entry.number > ${after}::bigint
    order by entry.number limit ${pageSize}
  `.execute(trx)
  return rows
}

async function rowWithoutEntry(trx: Kysely<Schema>, log: AuditLog): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select written.id from ${sql.table(log)} as written
    where not exists (select from audit_chain as entry where entry.log = ${log} and entry.row_id = written.id)
    order by written.id limit 1
  `.execute(trx)
  return rows[0]?.id ?? null
}
