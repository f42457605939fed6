import { type Kysely, sql } from 'kysely'
import type { CountScan } from '#contract/counts/count-sheets.ts'
import { findingOf } from '#contract/counts/counting.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { CountScanTable } from '#server/platform/db/tables/count-tables.ts'
import type { Applied } from '#server/platform/http/command-applier.ts'
import type { UseCaseContext } from '#server/platform/http/use-case.ts'
import { readStoreNames, selectSheets, type SheetRow } from '#server/features/counts/count-sheets/rows.ts'
import { resolveCodes } from '#server/features/counts/count-sheets/resolve-codes.ts'

type ScanContext = UseCaseContext<'count.scan'>

/**
 * Adds a run of scans to their sheets with five statements, however many scans there are. Every refusal is known before
 * the first row is written.
 */
export async function applyScans(contexts: ScanContext[]): Promise<(Applied | Refusal)[]> {
  const first = contexts[0]
  if (!first) return []
  const { writing, services } = first
  const { trx } = writing

  const sheets = await readSheets(trx, [...new Set(contexts.map(({ body }) => body.id_count_sheet))])
  const resolve = await resolveCodes(
    trx,
    contexts.map(({ body }) => body),
  )
  const resolved = contexts.map((context) => ({ context, resolved: resolve(context.body) }))
  const isExpected = await readExpected(
    trx,
    [...sheets.keys()],
    resolved.flatMap(({ resolved }) => (resolved.kind === 'piece' ? [resolved.piece.id_inventory] : [])),
  )
  const storeName = await readStoreNames(trx)

  const rows: CountScanTable[] = []
  const answers = resolved.map(({ context, resolved }): Applied | Refusal => {
    const { id, body, actor } = context
    const sheet = sheets.get(body.id_count_sheet.toLowerCase())
    if (!sheet || sheet.store_id !== actor.store_id) return new Refusal('count-unknown')
    if (sheet.phase === 'closed') return new Refusal('count-closed')
    const piece = resolved.kind === 'piece' ? resolved.piece : null
    const judged = piece
      ? findingOf(piece, sheet, isExpected(sheet.id_count_sheet, piece.id_inventory), storeName)
      : { finding: resolved.kind === 'model' ? ('model-only' as const) : ('unknown' as const), detail: null }
    const id_inventory = piece?.id_inventory ?? null
    const row: CountScanTable = {
      id,
      id_count_sheet: sheet.id_count_sheet,
      store_id: sheet.store_id,
      raw_code: body.raw_code,
      id_inventory,
      device_id_inventory: body.id_inventory === id_inventory ? null : body.id_inventory,
      finding: judged.finding,
      finding_detail: judged.detail,
      via: body.via,
      negates: null,
      previous_scan: body.previous_scan,
      walk: walkAt(sheet, context.capturedAt),
      captured_at: context.capturedAt,
      received_at: context.receivedAt,
      author_id: actor.id_user,
      deliverer_id: context.deliverer?.id_user ?? null,
      device_id: actor.device_id,
      revision: writing.revision(`store:${sheet.store_id}`),
    }
    rows.push(row)
    return { rows: [{ collection: 'count_scans', row: toCountScan(row, actor.name) }] }
  })
  if (rows.length > 0) await trx.insertInto('count_scans').values(rows).execute()
  if (rows.length < contexts.length) services.log.info({ refused: contexts.length - rows.length }, 'scans refused')
  return answers
}

export function toCountScan(row: CountScanTable, authorName: string): CountScan {
  return {
    id: row.id,
    id_count_sheet: row.id_count_sheet,
    raw_code: row.raw_code,
    id_inventory: row.id_inventory,
    finding: row.finding,
    finding_detail: row.finding_detail,
    via: row.via,
    negates: row.negates,
    previous_scan: row.previous_scan,
    walk: row.walk,
    captured_at: row.captured_at,
    author_id: row.author_id,
    author_name: authorName,
    device_id: row.device_id,
    revision: row.revision,
  }
}

/**
 * Returns the walk that had begun when the scan was captured. A scan cannot be older than its sheet: such a clock is
 * wrong, and the scan belongs to the current walk.
 */
function walkAt(sheet: Pick<SheetRow, 'walk' | 'walk_starts'>, capturedAt: string): number {
  const begun = sheet.walk_starts.filter((start) => start <= capturedAt).length
  return begun === 0 ? sheet.walk : Math.min(begun, sheet.walk)
}

async function readSheets(db: Kysely<Schema>, ids: string[]): Promise<Map<string, SheetRow>> {
  const rows = await selectSheets(db)
    .where('sheet.id_count_sheet', '=', sql<string>`any(${ids}::uuid[])`)
    .where('sheet.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id_count_sheet, row]))
}

async function readExpected(db: Kysely<Schema>, sheets: string[], pieces: number[]): Promise<(sheet: string, piece: number) => boolean> {
  if (pieces.length === 0) return () => false
  const rows = await db
    .selectFrom('count_items')
    .select(['id_count_sheet', 'id_inventory'])
    .where('id_count_sheet', '=', sql<string>`any(${sheets}::uuid[])`)
    .where('id_inventory', '=', sql<number>`any(${pieces}::int[])`)
    .execute()
  const expected = new Set(rows.map((row) => `${row.id_count_sheet}/${row.id_inventory}`))
  return (sheet, piece) => expected.has(`${sheet}/${piece}`)
}
