import { v7 as mintUuid } from 'uuid'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { transferEndpoints } from '#contract/stock/transfers.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import { failureText } from '#src/features/counts/count-sheets/actions.ts'
import type { Device } from '#src/sync/device/device.ts'

/**
 * Asks the store of the frames to send them here, as a draft among its transfers. The same frames of the same count
 * are asked for once, also after a lost answer. Returns why it was not done, or null.
 */
export async function requestTransfer(
  device: Pick<Device, 'call'>,
  count: CountSheet,
  from: { store_id: number; store_name: string },
  scans: readonly LedgerScan[],
): Promise<string | null> {
  const items = [...new Set(scans.flatMap((scan) => scan.id_inventory ?? []))].sort((a, b) => a - b)
  const asked = await device.call(transferEndpoints.createTransfer, {
    body: {
      id_transfer: await idFor(count, items),
      from_store_id: from.store_id,
      to_store_id: count.store_id,
      reason: 'count correction',
      note: `Found in count${count.number === null ? '' : ` #${count.number}`}`,
      carrier: '',
      tracking: '',
      items,
    },
  })
  return asked.ok ? null : failureText(asked.failure)
}

/** The same id for the same frames of the same count. */
async function idFor({ id_count_sheet, created_at }: CountSheet, items: readonly number[]): Promise<string> {
  const named = new TextEncoder().encode(`${id_count_sheet}/${items.join(',')}`)
  const random = new Uint8Array(await crypto.subtle.digest('SHA-256', named)).slice(0, 16)
  return mintUuid({ msecs: Date.parse(created_at), seq: 0, random })
}
