import { v7 as mintUuid } from 'uuid'
import { countSheetEndpoints, type CountScope, type CountSheet } from '#contract/counts/count-sheets.ts'
import { exceptionKey } from '#contract/counts/counting.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { Device, NotSaved } from '#src/sync/device/device.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { laneOf } from './model/sheet-commands.ts'
import type { SheetModel } from './model/sheet-model.ts'

/** Creates a sheet on this device, also offline. Returns its id, or why it could not be saved. */
export async function createSheet(
  device: Device,
  input: { scope: CountScope; notes: string; blind: boolean },
): Promise<{ saved: true; id: string } | { saved: false; problem: NotSaved }> {
  const id = mintUuid()
  const result = await device.outbox.record('count.create', laneOf(id), { id_count_sheet: id, ...input }, { title: 'New count sheet' })
  if (!result.saved) return result
  void device.drain()
  return { saved: true, id }
}

export async function deleteSheet(device: Device, sheet: CountSheet): Promise<NotSaved | null> {
  const result = await device.outbox.record(
    'count.delete',
    laneOf(sheet.id_count_sheet),
    { id_count_sheet: sheet.id_count_sheet },
    { title: `Delete ${sheet.number === null ? 'a new count' : `count #${sheet.number}`}`, store_id: sheet.store_id },
  )
  if (!result.saved) return result.problem
  void device.drain()
  return null
}

/** Records one decision for one or more exceptions. Stops at the first that could not be saved. */
export async function decide(
  model: SheetModel,
  scans: readonly LedgerScan[],
  decision: 'apply' | 'skip' | 'undecided',
  reason: string,
): Promise<NotSaved | null> {
  for (const scan of scans) {
    const problem = await model.record(
      'count.decide',
      {
        id_count_sheet: model.id,
        id_inventory: scan.id_inventory,
        id_scan: scan.id_inventory === null ? scan.id : null,
        decision,
        reason,
      },
      `Decision on ${exceptionKey(scan) === `scan:${scan.id}` ? `the code ${scan.raw_code}` : scan.raw_code}`,
    )
    if (problem) return problem
  }
  return null
}

/** Sends the unsent work and pulls the changes. Returns why this tablet is not up to date, or null. */
export async function bringUpToDate(device: Device, model: SheetModel): Promise<string | null> {
  if (!(await device.probe())) return 'You’re offline. You can close a count only online.'
  await device.drain()
  await device.pull()
  const { unsent, attention } = model.state.getState()
  if (attention > 0)
    return `${formatNumberOf(attention, 'entry on this tablet needs', 'entries on this tablet need')} attention first. See the Sync center.`
  if (unsent > 0)
    return `${formatNumberOf(unsent, 'entry on this tablet is', 'entries on this tablet are')} still being sent. Try again in a moment.`
  return null
}

export function closeSheet(
  device: Device,
  id: string,
  input: { confirmedMissing: number; overrideDevices: string[]; searched: boolean },
): Promise<Outcome<CountSheet>> {
  return device.call(countSheetEndpoints.closeCountSheet, {
    params: { id },
    body: {
      confirmed_missing: input.confirmedMissing,
      override_devices: input.overrideDevices.length > 0 ? input.overrideDevices : null,
      searched: input.searched,
    },
  })
}

/** Returns a failure as one sentence. */
export function failureText(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'You’re offline. You can close a count only online.'
  if (failure.kind === 'signed-out') return 'Sign in again. Nothing was changed.'
  return failure.message
}
