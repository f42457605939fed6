import { type Kysely, sql, type Transaction } from 'kysely'
import { controlActions } from '#contract/stock/control-rules.ts'
import type { CountDevice, CountItem } from '#contract/counts/count-sheets.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Apply, UseCaseContext } from '#server/platform/http/use-case.ts'
import { appliedSheet } from '#server/features/counts/count-sheets/change-sheet.ts'
import { type ClosePlan, planClosing, type StandingFrame } from '#server/features/counts/count-sheets/close-plan.ts'
import { findOpenSheet, readDecisions, readScans, readStoreNames, type SheetRow } from '#server/features/counts/count-sheets/rows.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'
import { endTransit } from '#server/domain/stock/transfer-line.ts'
import { personName } from '#server/domain/people/person-name.ts'

/** A tablet with the sheet open that was silent for this long may be offline, with unsent scans. */
export const silentAfterMs = 30_000

/**
 * Closes a sheet in one transaction, by the current state of each piece. It raises the chain's revision too, so that no
 * frame can change in the middle.
 */
export const closeSheet: Apply<'count.close'> = async (context) => {
  const { writing, body, actor, receivedAt } = context
  const { trx } = writing
  const sheet = await findOpenSheet(trx, body.id_count_sheet, actor.store_id)

  const devices = await readDevices(trx, sheet.id_count_sheet)
  const overridden = new Set(body.override_devices?.map((id) => id.toLowerCase()))
  const waitedFor = devices.filter(
    (device) => device.device_id !== actor.device_id && mayHoldScans(device, receivedAt) && !overridden.has(device.device_id),
  )
  if (waitedFor.length > 0) {
    throw new Refusal('count-devices-unsent', {
      message: `These tablets may still have unsent scans for this sheet: ${waitedFor.map(describeDevice).join(', ')}`,
      details: { devices: waitedFor },
    })
  }
  const plan = await readClosePlan(trx, sheet)
  if (plan.undecided > 0) throw new Refusal('count-exceptions-open', { details: { undecided: plan.undecided } })
  if (plan.result.missing !== body.confirmed_missing) {
    throw new Refusal('count-number-wrong', {
      message: `${plan.result.missing} frames would be marked missing, but ${body.confirmed_missing} was typed`,
      details: { missing: plan.result.missing },
    })
  }

  await changeFrames(context, sheet, plan, actor.name)
  await writeLines(trx, sheet.id_count_sheet, plan)
  await trx
    .updateTable('count_sheets')
    .set({
      phase: 'closed',
      closed_at: receivedAt,
      closed_by: actor.id_user,
      result: JSON.stringify({ ...plan.result, override_devices: overriddenNames(devices, overridden) }),
      revision: writing.revision(`store:${sheet.store_id}`),
    })
    .where('id_count_sheet', '=', sheet.id_count_sheet)
    .execute()
  return await appliedSheet(context, sheet)
}

/** Returns the effects of closing this sheet now. */
export async function readClosePlan(db: Kysely<Schema>, sheet: SheetRow): Promise<ClosePlan> {
  const items: CountItem[] = await db.selectFrom('count_items').selectAll().where('id_count_sheet', '=', sheet.id_count_sheet).execute()
  const scans = await readScans(db, sheet.id_count_sheet)
  const decisions = await readDecisions(db, sheet.id_count_sheet)
  const pieces = [...new Set([...items.map((item) => item.id_inventory), ...scans.flatMap((scan) => scan.id_inventory ?? [])])]
  const frames = await db
    .selectFrom('frames')
    .innerJoin('brands', 'brands.brand_id', 'frames.brand_id')
    .select([
      'frames.id_inventory',
      'frames.sku',
      'frames.serial',
      'frames.upc',
      'brands.name as brand_name',
      'frames.title_product',
      'frames.title_variant',
      'frames.size_lens_width',
      'frames.size_bridge_width',
      'frames.size_temple_length',
      'frames.pb_selling_price',
      'frames.item_list_cost',
      'frames.status',
      'frames.store_id',
      'frames.changed_at',
    ])
    .where('frames.id_inventory', '=', sql<number>`any(${pieces}::int[])`)
    .where('frames.deleted_at', 'is', null)
    .execute()
  const devices = new Map((await readDevices(db, sheet.id_count_sheet)).map((device) => [device.device_id, device.device_name]))
  return planClosing({
    sheet,
    items,
    scans,
    decisions,
    frames: new Map<number, StandingFrame>(frames.map((frame) => [frame.id_inventory, frame])),
    storeName: await readStoreNames(db),
    deviceName: (id) => devices.get(id) ?? null,
  })
}

/** The tablets that ever worked on this sheet, last seen first. */
export async function readDevices(db: Kysely<Schema>, idCountSheet: string): Promise<CountDevice[]> {
  return await db
    .selectFrom('count_devices as device')
    .innerJoin('users as person', 'person.id_user', 'device.id_user')
    .select(['device.device_id', 'device.device_name', 'device.open', 'device.unsent', 'device.last_seen_at'])
    .select(personName('person').as('person_name'))
    .where('device.id_count_sheet', '=', idCountSheet)
    .orderBy('device.last_seen_at', 'desc')
    .execute()
}

function mayHoldScans(device: CountDevice, now: string): boolean {
  const silent = Date.parse(now) - Date.parse(device.last_seen_at) > silentAfterMs
  return device.unsent > 0 || (device.open && silent)
}

/**
 * The names of the overridden tablets, for readers. The server tells tablets apart by their ids. Null when none was
 * overridden.
 */
function overriddenNames(devices: readonly CountDevice[], overridden: ReadonlySet<string>): string[] | null {
  const names = devices.filter((device) => overridden.has(device.device_id)).map((device) => device.device_name)
  return names.length === 0 ? null : names
}

function describeDevice(device: CountDevice): string {
  return device.unsent > 0 ? `${device.device_name} (${device.unsent} unsent)` : `${device.device_name} (out of reach)`
}

async function changeFrames(context: UseCaseContext<'count.close'>, sheet: SheetRow, plan: ClosePlan, rep: string): Promise<void> {
  const { writing, actor, receivedAt } = context
  const { trx } = writing
  const revision = writing.revision('chain')
  for (const to of new Set(plan.changes.map((change) => change.to))) {
    const ids = plan.changes.filter((change) => change.to === to).map((change) => change.frame.id_inventory)
    await trx
      .updateTable('frames')
      .set((eb) => ({
        status: to,
        removed_reason: null,
        version: eb('version', '+', 1),
        changed_at: receivedAt,
        last_count_sheet_id: sheet.id_count_sheet,
        revision,
      }))
      .where('id_inventory', '=', sql<number>`any(${ids}::int[])`)
      .execute()
  }
  if (plan.seen.length > 0) {
    // A sighting changes nothing that an edit depends on, so the version stays the same.
    await sql`
      update frames set last_seen_at = greatest(frames.last_seen_at, seen.at), last_count_sheet_id = ${sheet.id_count_sheet}::uuid,
        revision = ${revision}::bigint
      from unnest(${plan.seen.map((piece) => piece.id_inventory)}::int[], ${plan.seen.map((piece) => piece.at)}::timestamptz[]) as seen (id, at)
      where frames.id_inventory = seen.id
    `.execute(trx)
  }
  const arrived = plan.changes.filter(({ frame }) => frame.status === 'ICT')
  await endTransit(
    trx,
    arrived.map(({ frame, to }) => ({ id_inventory: frame.id_inventory, status: to })),
    { rep, at: receivedAt },
  )
  for (const some of inGroups(plan.changes, 500)) {
    await trx
      .insertInto('frame_history')
      .values(
        some.map(({ frame, to, action }) =>
          historyRow({
            id_inventory: frame.id_inventory,
            action: controlActions[action].label,
            before: frame,
            after: { status: to, store_id: frame.store_id },
            at: receivedAt,
            by: { id_user: actor.id_user, rep, device_id: actor.device_id },
            extra: `Count #${sheet.number}`,
            id_count_sheet: sheet.id_count_sheet,
          }),
        ),
      )
      .execute()
  }
}

async function writeLines(trx: Transaction<Schema>, idCountSheet: string, plan: ClosePlan): Promise<void> {
  await sql`
    insert into count_lines (id_count_sheet, position, line)
    select ${idCountSheet}::uuid, line.place - 1, line.value
    from jsonb_array_elements(${JSON.stringify(plan.lines)}::jsonb) with ordinality as line (value, place)
  `.execute(trx)
}

function* inGroups<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size)
}
