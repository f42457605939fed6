import * as v from 'valibot'
import type { CommandBody } from '#contract/sync/commands.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { Device } from '#src/sync/device/device.ts'
import { waiting, type WaitingOf } from '#src/sync/device/waiting.ts'

/**
 * Pieces that were received on this device and wait to be sent, by vendor invoice. A correction sends the whole body
 * again.
 */
export const receivedPieces = waiting('receiving', { 'vendor-invoice.receive': v.record(v.string(), v.unknown()) })
export type WaitingReceived = WaitingOf<typeof receivedPieces>

/**
 * Records a piece that came on a vendor invoice. The server receives each `receive_id` once, even when an earlier call
 * already arrived. Returns the reason it was not saved, else null.
 * @param by the user who scanned it, and in which store
 */
export function recordReceivedPiece(
  device: Pick<Device, 'outbox'>,
  received: CommandBody<'vendor-invoice.receive'>,
  title: string,
  by: HomeInfo | null,
): Promise<string | null> {
  return receivedPieces.record(device, 'vendor-invoice.receive', received.id_vendor_invoice, received, title, by)
}
