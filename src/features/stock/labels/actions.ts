import { labelEndpoints } from '#contract/stock/labels.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import { act, type Acted } from '#src/sync/device/act.ts'
import type { Device } from '#src/sync/device/device.ts'

/** Requests labels for pieces. */
export function requestLabels(
  device: Pick<Device, 'call' | 'connection' | 'outbox' | 'session'>,
  pieces: readonly Pick<Frame, 'id_inventory' | 'sku'>[],
): Promise<Acted<ResponseOf<typeof labelEndpoints.requestLabels>>> {
  return act(device, {
    live: () => device.call(labelEndpoints.requestLabels, { body: { items: pieces.map(({ id_inventory }) => id_inventory) } }),
    record: () => recordLabelRequests(device, pieces),
  })
}
