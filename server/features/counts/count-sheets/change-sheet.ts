import { Refusal } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Applied } from '#server/platform/http/command-applier.ts'
import type { Apply, UseCaseContext } from '#server/platform/http/use-case.ts'
import {
  findOpenSheet,
  findSheet,
  readDecisions,
  seesExpected,
  selectScans,
  type SheetRow,
  toCountSheet,
} from '#server/features/counts/count-sheets/rows.ts'

/** Changes of an open sheet, except for scanning and closing. */

type SheetContext = UseCaseContext<'count.create' | 'count.note' | 'count.recount' | 'count.delete' | 'count.close'>
type SheetKey = Pick<SheetRow, 'id_count_sheet' | 'store_id'>

const noPermissions: ReadonlySet<Permission> = new Set()

/**
 * Returns the sheet for a receipt. Any user who delivers the command again gets the same receipt, so an open blind
 * sheet shows only what a counter may see. Users with more rights get the rest from the pull.
 */
export async function appliedSheet({ writing }: Pick<SheetContext, 'writing'>, sheet: SheetKey): Promise<Applied> {
  const now = await findSheet(writing.trx, sheet.id_count_sheet, sheet.store_id)
  return { rows: [{ collection: 'count_sheets', row: toCountSheet(now, seesExpected(now, noPermissions)) }] }
}

export const noteSheet: Apply<'count.note'> = async (context) => {
  const { writing, body, actor } = context
  const sheet = await findOpenSheet(writing.trx, body.id_count_sheet, actor.store_id)
  await writing.trx
    .updateTable('count_sheets')
    .set({ notes: body.notes, revision: writing.revision(`store:${sheet.store_id}`) })
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .execute()
  return await appliedSheet(context, sheet)
}

/** Adds the event that negates a scan. Users may undo their own scans, and with the right to close sheets anybody's. */
export const undoScan: Apply<'count.undo'> = async ({ writing, id, body, actor, deliverer, capturedAt, receivedAt }) => {
  const { trx } = writing
  const sheet = await findOpenSheet(trx, body.id_count_sheet, actor.store_id)
  const scan = await trx
    .selectFrom('count_scans')
    .selectAll()
    .where('id', '=', body.negates)
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .where('negates', 'is', null)
    .executeTakeFirst()
  if (!scan) throw new Refusal('scan-unknown')
  if (scan.author_id !== actor.id_user && !actor.permissions.has('count.close')) throw new Refusal('scan-foreign')
  await trx
    .insertInto('count_scans')
    .values({
      ...scan,
      id,
      device_id_inventory: null,
      negates: scan.id,
      previous_scan: null,
      captured_at: capturedAt,
      received_at: receivedAt,
      author_id: actor.id_user,
      deliverer_id: deliverer?.id_user ?? null,
      device_id: actor.device_id,
      revision: writing.revision(`store:${sheet.store_id}`),
    })
    .execute()
  const row = await selectScans(trx).where('scan.id', '=', id).executeTakeFirstOrThrow()
  return { rows: [{ collection: 'count_scans', row }] }
}

/** Records a user's decision on an exception or on a missing piece. The last decision counts. */
export const decideException: Apply<'count.decide'> = async ({ writing, body, actor, capturedAt }) => {
  const { trx } = writing
  const sheet = await findOpenSheet(trx, body.id_count_sheet, actor.store_id)
  const key = await decisionKey(writing, sheet.id_count_sheet, body)
  const word = {
    decision: body.decision,
    reason: body.reason,
    decided_by: actor.id_user,
    decided_at: capturedAt,
    revision: writing.revision(`store:${sheet.store_id}`),
  }
  await trx
    .insertInto('count_decisions')
    .values({ id_count_sheet: sheet.id_count_sheet, store_id: sheet.store_id, key, ...word })
    .onConflict((conflict) => conflict.columns(['id_count_sheet', 'key']).doUpdateSet(word))
    .execute()
  const decisions = await readDecisions(trx, sheet.id_count_sheet)
  return { rows: decisions.filter((row) => row.key === key).map((row) => ({ collection: 'count_decisions', row })) }
}

async function decisionKey(
  { trx }: UseCaseContext<'count.decide'>['writing'],
  idCountSheet: string,
  body: { id_inventory: number | null; id_scan: string | null },
): Promise<string> {
  if (body.id_inventory !== null) {
    const scanned = await trx
      .selectFrom('count_scans')
      .select('id')
      .where('id_count_sheet', '=', idCountSheet)
      .where('id_inventory', '=', body.id_inventory)
      .executeTakeFirst()
    const expected = await trx
      .selectFrom('count_items')
      .select('id_inventory')
      .where('id_count_sheet', '=', idCountSheet)
      .where('id_inventory', '=', body.id_inventory)
      .executeTakeFirst()
    if (!scanned && !expected) throw new Refusal('frame-unknown', { message: 'This frame isn’t on the count sheet' })
    return `frame:${body.id_inventory}`
  }
  if (body.id_scan === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.id_scan', message: 'a frame or a scan must be named' }] })
  }
  const scan = await trx
    .selectFrom('count_scans')
    .select('id')
    .where('id', '=', body.id_scan)
    .where('id_count_sheet', '=', idCountSheet)
    .executeTakeFirst()
  if (!scan) throw new Refusal('scan-unknown')
  return `scan:${scan.id}`
}

/**
 * Begins another walk at the time when the user asked for it, which may be long ago on an offline tablet. Scans that
 * others captured since then belong to it.
 */
export const recountSheet: Apply<'count.recount'> = async (context) => {
  const { writing, body, actor, capturedAt } = context
  const { trx } = writing
  const sheet = await findOpenSheet(trx, body.id_count_sheet, actor.store_id)
  const revision = writing.revision(`store:${sheet.store_id}`)
  const afterLast = new Date(Date.parse(sheet.walk_started_at) + 1).toISOString()
  const startedAt = capturedAt > afterLast ? capturedAt : afterLast
  const walk = sheet.walk + 1
  await trx
    .updateTable('count_sheets')
    .set({
      walk,
      walk_started_at: startedAt,
      walk_starts: JSON.stringify([...sheet.walk_starts, startedAt]),
      phase: 'recounting',
      revision,
    })
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .execute()
  await trx
    .updateTable('count_scans')
    .set({ walk, revision })
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .where('captured_at', '>=', startedAt)
    .execute()
  return await appliedSheet(context, sheet)
}

/** Deletes an open sheet. Its maker may delete it while it is empty, and then only a manager. Its events are kept. */
export const deleteSheet: Apply<'count.delete'> = async ({ writing, body, actor, receivedAt }) => {
  const { trx } = writing
  const sheet = await findOpenSheet(trx, body.id_count_sheet, actor.store_id)
  if (!actor.permissions.has('count.delete')) {
    if (sheet.created_by !== actor.id_user) throw new Refusal('permission-missing')
    const scan = await trx
      .selectFrom('count_scans')
      .select('id')
      .where('id_count_sheet', '=', sheet.id_count_sheet)
      .limit(1)
      .executeTakeFirst()
    if (scan) throw new Refusal('count-not-empty')
  }
  await trx
    .updateTable('count_sheets')
    .set({ deleted_at: receivedAt, revision: writing.revision(`store:${sheet.store_id}`) })
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .execute()
  return { rows: [] }
}
