import { tabletEndpoints } from '#contract/tablets.ts'
import type { Tablet } from '#contract/tablets.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device.ts'

/** Ends every session of a tablet. Null when it is done; nothing is queued for later. */
export async function revokeTablet(device: Pick<Device, 'call'>, { id_tablet }: Pick<Tablet, 'id_tablet'>): Promise<Failure | null> {
  const answer = await device.call(tabletEndpoints.revokeTablet, { params: { id: id_tablet } })
  return answer.ok ? null : answer.failure
}
