import * as v from 'valibot'
import { controlActions, controlNote } from '#contract/stock/control-rules.ts'
import { controlFlags, type ControlFlag, type Frame, type InventoryStatus } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { waiting, type WaitingOf } from '#src/sync/device/waiting.ts'

/** The frame as the user saw it when they chose the action. */
export type SeenFrame = Pick<Frame, 'id_inventory' | 'sku' | 'status' | 'store_id'>

/** Actions on frames that wait on this device. */
export const frameChanges = waiting('frame', {
  'frame.change-state': v.object({ id_inventory: v.number(), action: v.picklist(controlFlags) }),
})
export type WaitingChange = WaitingOf<typeof frameChanges>

/**
 * Records one of the seven actions. The server does it if the frame has not changed since (decision 0057). Returns the
 * reason it was not saved, else null.
 */
export function recordFrameState(
  device: Pick<Device, 'outbox'>,
  { id_inventory, sku, status, store_id }: SeenFrame,
  action: ControlFlag,
  note: string,
): Promise<string | null> {
  const body = { id_inventory, action, note: controlNote(note) ?? '', seen: { status, store_id } }
  return frameChanges.record(device, 'frame.change-state', id_inventory, body, `${sku}: ${controlActions[action].label}`)
}

/** The status of a frame after the actions that wait on this tablet. Refused ones do not count. */
export function statusHere(frame: Pick<Frame, 'id_inventory' | 'status'>, changes: readonly WaitingChange[]): InventoryStatus {
  const last = changes.findLast(({ body, refusal }) => body.id_inventory === frame.id_inventory && refusal === null)
  return last ? controlActions[last.body.action].to : frame.status
}
