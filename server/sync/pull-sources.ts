import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countDecision, countItem, countScan, countSheet } from '#contract/counts/count-sheets.ts'
import { frame } from '#contract/stock/frames.ts'
import type { Collection } from '#contract/sync/sync.ts'
import { punch } from '#contract/people/time-card.ts'
import type { RevisionScope } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { seesExpected, selectDecisions, selectScans, selectSheets, toCountSheet } from '#server/features/counts/count-sheets/rows.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { patientColumns, selectPatients } from '#server/domain/patients/patient-row.ts'
import { personName } from '#server/domain/people/person-name.ts'

/** The start of a page, and its limits. */
export type PageRequest = {
  person: Scope
  after: { revision: number; id: string }
  /** On a first pull: sheets closed before this or deleted, and their parts, are left out. */
  firstSince: string | null
  limit: number
}

/** One row of a page: the row for the device, or the id that it drops. */
export type PulledRow = { revision: number; id: string; row: Record<string, unknown> | null; forget: string | number }

/** Reads one collection in the order of its revisions, which is the order of commits. */
export type PullSource = {
  columns: readonly string[]
  scope(person: Scope): RevisionScope
  /**
   * The view that a person's permissions give. It is part of the cursor, so that a tablet pulls from the start when a
   * person with another view comes. Empty for the usual one.
   */
  view?(person: Scope): '' | ' blind'
  /** The id before all others. */
  firstId: string
  page(db: Kysely<Schema>, request: PageRequest): Promise<PulledRow[]>
  /** About how many rows follow this place. */
  total(db: Kysely<Schema>, request: PageRequest): Promise<number>
}

const nil = '00000000-0000-0000-0000-000000000000'
const storeOf = (person: Scope): RevisionScope => `store:${person.store_id}`
/** Returns ` blind` when the person must not see expected numbers of blind sheets. */
const blindOr = (person: Scope) => (seesAll(person) ? '' : ' blind')
const seesAll = (person: Scope) => person.permissions.has('count.see-expected-while-blind')

function after(column: string, columnId: string, type: 'int' | 'uuid', { after: { revision, id } }: PageRequest): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)}, ${sql.ref(columnId)}) > (${revision}::bigint, ${id}::${sql.raw(type)})`
}

/** Parts of a sheet have keys of two columns, written `sheet/part`. */
function afterPart(table: string, part: string, type: 'int' | 'text', { after: { revision, id } }: PageRequest): RawBuilder<boolean> {
  const [sheet = nil, key = ''] = id.split('/')
  return sql<boolean>`(${sql.ref(`${table}.revision`)}, ${sql.ref(`${table}.id_count_sheet`)}, ${sql.ref(`${table}.${part}`)})
    > (${revision}::bigint, ${sheet}::uuid, ${key}::${sql.raw(type)})`
}

/** On a first pull, keeps only parts of sheets that are open or were closed lately. */
function ofLiveSheet(firstSince: string | null, column: string): RawBuilder<boolean> {
  if (firstSince === null) return sql<boolean>`true`
  return sql<boolean>`exists (
    select 1 from count_sheets as owner
    where owner.id_count_sheet = ${sql.ref(column)} and owner.deleted_at is null
      and (owner.closed_at is null or owner.closed_at > ${firstSince}::timestamptz)
  )`
}

async function countOf(query: { execute(): Promise<{ total: number }[]> }): Promise<number> {
  const [row] = await query.execute()
  return row?.total ?? 0
}
const total = sql<number>`count(*)`.as('total')

const frames: PullSource = {
  columns: Object.keys(frame.entries),
  scope: () => 'chain',
  firstId: '0',
  async page(db, request) {
    const rows = await db
      .selectFrom('frames')
      .innerJoin('brands', 'brands.brand_id', 'frames.brand_id')
      .select([
        'frames.id_inventory',
        'frames.sku',
        'frames.serial',
        'frames.upc',
        'frames.status',
        'frames.store_id',
        'frames.brand_id',
        'brands.name as brand_name',
        'frames.vendor_id',
        'frames.title_product',
        'frames.title_variant',
        'frames.size_lens_width',
        'frames.size_bridge_width',
        'frames.size_temple_length',
        'frames.pb_selling_price',
        'frames.board_location',
        'frames.last_seen_at',
        'frames.version',
        'frames.revision',
        'frames.deleted_at',
      ])
      .where(after('frames.revision', 'frames.id_inventory', 'int', request))
      .orderBy('frames.revision')
      .orderBy('frames.id_inventory')
      .limit(request.limit)
      .execute()
    return rows.map((row) => ({
      revision: row.revision,
      id: String(row.id_inventory),
      row: row.deleted_at === null ? row : null,
      forget: row.id_inventory,
    }))
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('frames')
        .select(total)
        .where(after('revision', 'id_inventory', 'int', request)),
    ),
}

const countSheets: PullSource = {
  columns: Object.keys(countSheet.entries),
  scope: storeOf,
  view: blindOr,
  firstId: nil,
  async page(db, request) {
    const rows = await selectSheets(db)
      .where('sheet.store_id', '=', request.person.store_id)
      .where(after('sheet.revision', 'sheet.id_count_sheet', 'uuid', request))
      .orderBy('sheet.revision')
      .orderBy('sheet.id_count_sheet')
      .limit(request.limit)
      .execute()
    return rows.map((row) => ({
      revision: row.revision,
      id: row.id_count_sheet,
      row: row.deleted_at === null ? toCountSheet(row, seesExpected(row, request.person.permissions)) : null,
      forget: row.id_count_sheet,
    }))
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('count_sheets')
        .select(total)
        .where('store_id', '=', request.person.store_id)
        .where(after('revision', 'id_count_sheet', 'uuid', request)),
    ),
}

function itemsOf(db: Kysely<Schema>, request: PageRequest) {
  let query = db
    .selectFrom('count_items as item')
    .where('item.store_id', '=', request.person.store_id)
    .where(afterPart('item', 'id_inventory', 'int', request))
    .where(ofLiveSheet(request.firstSince, 'item.id_count_sheet'))
  if (!seesAll(request.person)) {
    query = query.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('count_sheets as veiled')
            .select('veiled.id_count_sheet')
            .whereRef('veiled.id_count_sheet', '=', 'item.id_count_sheet')
            .where('veiled.blind', '=', true),
        ),
      ),
    )
  }
  return query
}

const countItems: PullSource = {
  columns: Object.keys(countItem.entries),
  scope: storeOf,
  view: blindOr,
  firstId: `${nil}/0`,
  async page(db, request) {
    const rows = await itemsOf(db, request)
      .selectAll('item')
      .orderBy('item.revision')
      .orderBy('item.id_count_sheet')
      .orderBy('item.id_inventory')
      .limit(request.limit)
      .execute()
    return rows.map((row) => {
      const id = `${row.id_count_sheet}/${row.id_inventory}`
      return { revision: row.revision, id, row, forget: id }
    })
  },
  total: (db, request) => countOf(itemsOf(db, request).select(total)),
}

const countScans: PullSource = {
  columns: Object.keys(countScan.entries),
  scope: storeOf,
  firstId: nil,
  async page(db, request) {
    const rows = await selectScans(db)
      .where('scan.store_id', '=', request.person.store_id)
      .where(after('scan.revision', 'scan.id', 'uuid', request))
      .where(ofLiveSheet(request.firstSince, 'scan.id_count_sheet'))
      .orderBy('scan.revision')
      .orderBy('scan.id')
      .limit(request.limit)
      .execute()
    return rows.map((row) => ({ revision: row.revision, id: row.id, row, forget: row.id }))
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('count_scans as scan')
        .select(total)
        .where('scan.store_id', '=', request.person.store_id)
        .where(after('scan.revision', 'scan.id', 'uuid', request))
        .where(ofLiveSheet(request.firstSince, 'scan.id_count_sheet')),
    ),
}

const countDecisions: PullSource = {
  columns: Object.keys(countDecision.entries),
  scope: storeOf,
  firstId: `${nil}/`,
  async page(db, request) {
    const rows = await selectDecisions(db)
      .where('decision.store_id', '=', request.person.store_id)
      .where(afterPart('decision', 'key', 'text', request))
      .where(ofLiveSheet(request.firstSince, 'decision.id_count_sheet'))
      .orderBy('decision.revision')
      .orderBy('decision.id_count_sheet')
      .orderBy('decision.key')
      .limit(request.limit)
      .execute()
    return rows.map((row) => {
      const id = `${row.id_count_sheet}/${row.key}`
      return { revision: row.revision, id, row, forget: id }
    })
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('count_decisions as decision')
        .select(total)
        .where('decision.store_id', '=', request.person.store_id)
        .where(afterPart('decision', 'key', 'text', request))
        .where(ofLiveSheet(request.firstSince, 'decision.id_count_sheet')),
    ),
}

const punches: PullSource = {
  columns: Object.keys(punch.entries),
  scope: (person) => `user:${person.id_user}`,
  firstId: nil,
  async page(db, request) {
    const rows = await db
      .selectFrom('punches as punch')
      .leftJoin('users as editor', 'editor.id_user', 'punch.edited_by')
      .select([
        'punch.id',
        'punch.id_user',
        'punch.store_id',
        'punch.direction',
        'punch.at',
        'punch.received_at',
        'punch.offline_captured',
        'punch.supersedes',
        sql<string | null>`${personName('editor')}`.as('edited_by_name'),
        'punch.edit_reason',
        'punch.in_review',
        'punch.revision',
      ])
      .where('punch.id_user', '=', request.person.id_user)
      .where(after('punch.revision', 'punch.id', 'uuid', request))
      .orderBy('punch.revision')
      .orderBy('punch.id')
      .limit(request.limit)
      .execute()
    return rows.map((row) => ({ revision: row.revision, id: row.id, row, forget: row.id }))
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('punches')
        .select(total)
        .where('id_user', '=', request.person.id_user)
        .where(after('revision', 'id', 'uuid', request)),
    ),
}

const patients: PullSource = {
  columns: patientColumns,
  scope: (person) => `patients:${person.store_id}`,
  firstId: nil,
  async page(db, request) {
    const rows = await selectPatients(db)
      .where('patients.store_id', '=', request.person.store_id)
      .where(after('patients.revision', 'patients.id', 'uuid', request))
      .orderBy('patients.revision')
      .orderBy('patients.id')
      .limit(request.limit)
      .execute()
    return rows.map((row) => ({ revision: row.revision, id: row.id, row, forget: row.id }))
  },
  total: (db, request) =>
    countOf(
      db
        .selectFrom('patients')
        .select(total)
        .where('store_id', '=', request.person.store_id)
        .where(after('revision', 'id', 'uuid', request)),
    ),
}

export const pullSources: Record<Collection, PullSource> = {
  frames,
  count_sheets: countSheets,
  count_items: countItems,
  count_scans: countScans,
  count_decisions: countDecisions,
  punches,
  patients,
}
