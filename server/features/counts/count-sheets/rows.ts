import { type Kysely, sql } from 'kysely'
import type { CountDecision, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { personName } from '#server/domain/people/person-name.ts'

/**
 * Rows in the shape of the wire: with names instead of numbers, and without the fields that a blind counter may not
 * see.
 */

/** Sheets with the names of the users who made and closed them, including deleted sheets. */
export function selectSheets(db: Kysely<Schema>) {
  return db
    .selectFrom('count_sheets as sheet')
    .innerJoin('users as maker', 'maker.id_user', 'sheet.created_by')
    .leftJoin('users as closer', 'closer.id_user', 'sheet.closed_by')
    .selectAll('sheet')
    .select([personName('maker').as('created_by_name'), sql<string | null>`${personName('closer')}`.as('closed_by_name')])
}
export type SheetRow = Awaited<ReturnType<ReturnType<typeof selectSheets>['executeTakeFirstOrThrow']>>

export function selectScans(db: Kysely<Schema>) {
  return db
    .selectFrom('count_scans as scan')
    .innerJoin('users as author', 'author.id_user', 'scan.author_id')
    .select([
      'scan.id',
      'scan.id_count_sheet',
      'scan.raw_code',
      'scan.id_inventory',
      'scan.finding',
      'scan.finding_detail',
      'scan.via',
      'scan.negates',
      'scan.previous_scan',
      'scan.walk',
      'scan.captured_at',
      'scan.author_id',
      personName('author').as('author_name'),
      'scan.device_id',
      'scan.revision',
    ])
}

export function selectDecisions(db: Kysely<Schema>) {
  return db
    .selectFrom('count_decisions as decision')
    .innerJoin('users as person', 'person.id_user', 'decision.decided_by')
    .select([
      'decision.id_count_sheet',
      'decision.key',
      'decision.decision',
      'decision.reason',
      personName('person').as('decided_by_name'),
      'decision.decided_at',
      'decision.revision',
    ])
}

/** Whether a user may know what a sheet expects: always, except for a counter's open blind sheet. */
export function seesExpected(sheet: Pick<CountSheet, 'blind' | 'phase'>, permissions: ReadonlySet<Permission>): boolean {
  return !sheet.blind || sheet.phase === 'closed' || permissions.has('count.see-expected-while-blind')
}

export function toCountSheet(row: SheetRow, showExpected: boolean): CountSheet {
  return {
    id_count_sheet: row.id_count_sheet,
    number: row.number,
    store_id: row.store_id,
    scope: row.scope,
    notes: row.notes,
    blind: row.blind,
    phase: row.phase,
    expected_count: showExpected ? row.expected_count : 0,
    created_at: row.created_at,
    created_by: row.created_by,
    created_by_name: row.created_by_name,
    snapshot_at: row.snapshot_at,
    closed_at: row.closed_at,
    closed_by_name: row.closed_by_name,
    walk: row.walk,
    walk_started_at: row.walk_started_at,
    result: row.result,
    revision: row.revision,
  }
}

/** Returns the sheet of this store. Another store's sheet counts as unknown. @throws Refusal count-unknown */
export async function findSheet(db: Kysely<Schema>, id: string, storeId: number | null): Promise<SheetRow> {
  const row = await selectSheets(db).where('sheet.id_count_sheet', '=', id).where('sheet.deleted_at', 'is', null).executeTakeFirst()
  if (!row || row.store_id !== storeId) throw new Refusal('count-unknown')
  return row
}

/** `findSheet` for an open sheet. @throws Refusal count-closed */
export async function findOpenSheet(db: Kysely<Schema>, id: string, storeId: number | null): Promise<SheetRow> {
  const row = await findSheet(db, id, storeId)
  if (row.phase === 'closed') throw new Refusal('count-closed')
  return row
}

export async function readScans(db: Kysely<Schema>, idCountSheet: string): Promise<CountScan[]> {
  return await selectScans(db).where('scan.id_count_sheet', '=', idCountSheet).execute()
}

export async function readDecisions(db: Kysely<Schema>, idCountSheet: string): Promise<CountDecision[]> {
  return await selectDecisions(db).where('decision.id_count_sheet', '=', idCountSheet).execute()
}

export async function readStoreNames(db: Kysely<Schema>): Promise<(id: number) => string> {
  const stores = await db.selectFrom('stores').select(['store_id', 'store_name']).execute()
  const names = new Map(stores.map((store) => [store.store_id, store.store_name]))
  return (id) => names.get(id) ?? `store ${id}`
}
