import * as v from 'valibot'
import type { Frame } from '#contract/stock/frame.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { type TransferReason, transferReasons } from '#contract/stock/transfers.ts'
import type { Device } from '#src/sync/device/device.ts'
import { waiting, type WaitingOf } from '#src/sync/device/waiting.ts'

/** Work on transfers that waits on this device. */
export const transferWork = waiting('transfer', {
  'transfer.begin': v.object({ id_transfer: v.string(), to_store_id: v.number(), reason: v.picklist(transferReasons), note: v.string() }),
  'transfer.put': v.object({ id_transfer: v.string(), id_inventory: v.number(), on: v.boolean() }),
  'transfer.send': v.object({ id_transfer: v.string(), items: v.array(v.number()) }),
})
export type WaitingTransfer = WaitingOf<typeof transferWork>

type Tablet = Pick<Device, 'outbox'>
type Draft = { to_store_id: number; reason: TransferReason; note: string }

/** Records a new draft. Returns the reason it was not saved, else null, as do the two functions below. */
export function recordTransferBegin(
  device: Tablet,
  id_transfer: string,
  draft: Draft,
  destination: string,
  by: HomeInfo | null,
): Promise<string | null> {
  const body = { id_transfer, ...draft }
  return transferWork.record(device, 'transfer.begin', id_transfer, body, `New transfer to ${destination}`, by)
}

/** Records that one piece is put on a draft, or taken off it. */
export function recordTransferPut(
  device: Tablet,
  id_transfer: string,
  { id_inventory, sku }: Pick<Frame, 'id_inventory' | 'sku'>,
  on: boolean,
): Promise<string | null> {
  const title = `${sku}: ${on ? 'added to' : 'removed from'} a transfer`
  return transferWork.record(device, 'transfer.put', id_transfer, { id_transfer, id_inventory, on }, title)
}

/** Records that the draft leaves, with its pieces. */
export function recordTransferSend(device: Tablet, id_transfer: string, items: number[], destination: string): Promise<string | null> {
  // The title has no verb: it shows while the command waits, after a refusal, and after it was sent.
  return transferWork.record(device, 'transfer.send', id_transfer, { id_transfer, items }, `Transfer to ${destination}`)
}
