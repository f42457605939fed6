import * as v from 'valibot'
import type { Frame } from '#contract/stock/frame.ts'
import type { Device } from '#src/sync/device/device.ts'
import { waiting, type WaitingOf } from '#src/sync/device/waiting.ts'

/** Requests for labels that wait on this device. */
export const labelRequests = waiting('frame', { 'label.request': v.object({ id_inventory: v.number() }) })
export type WaitingLabel = WaitingOf<typeof labelRequests>

/**
 * Records that pieces need labels. Each is a command of its own, so a refused one does not hold up the others. Returns
 * the reason one was not saved, else null.
 */
export async function recordLabelRequests(
  device: Pick<Device, 'outbox'>,
  pieces: readonly Pick<Frame, 'id_inventory' | 'sku'>[],
): Promise<string | null> {
  const problems = await Promise.all(
    pieces.map(({ id_inventory, sku }) =>
      labelRequests.record(device, 'label.request', id_inventory, { id_inventory }, `${sku}: new label`),
    ),
  )
  return problems.find((problem) => problem !== null) ?? null
}
