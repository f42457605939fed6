import type { CountLine } from '#contract/counts/count-sheets.ts'
import { exceptionKey } from '#contract/counts/counting.ts'
import { sizeOf } from '#contract/stock/frame.ts'
import type { SheetModel } from './sheet-model.ts'

/** Returns this tablet's lines of a sheet, for when the server cannot be reached. */
export function linesFromLedger(model: SheetModel, storeName: string | null): CountLine[] {
  const { ledger } = model
  const lines: CountLine[] = []
  const add = (id: number | null, scanId: string | null, outcome: CountLine['outcome']) => {
    const piece = model.pieceOf(id)
    const scan = scanId === null ? undefined : ledger.events.get(scanId)
    const word = scan ? ledger.decisions.rowOn(exceptionKey(scan)) : null
    const item = id === null ? undefined : ledger.items.get(id)
    lines.push({
      item_id: id,
      id_scan: scanId,
      raw_code: scan?.raw_code ?? null,
      sku: piece?.sku ?? null,
      serial: piece?.serial ?? null,
      upc: piece?.upc ?? null,
      brand_name: piece?.brand_name ?? null,
      title_product: piece?.title_product ?? null,
      title_variant: piece?.title_variant ?? null,
      size: piece ? sizeOf(piece) : null,
      // A frame counted at the server is expected, even while the expected list is on its way.
      expected: item !== undefined || outcome === 'counted',
      expected_status: item?.status ?? null,
      outcome,
      effect: outcome === 'missing' ? 'missing' : outcome === 'counted' ? 'none' : 'exception',
      detail: scan?.finding_detail ?? null,
      counted_by: scan?.author_name ?? null,
      counted_at: scan?.captured_at ?? null,
      decision: word?.decision ?? 'undecided',
      reason: word?.reason ?? '',
      price: piece?.pb_selling_price ?? null,
      expected_store: item ? storeName : null,
      device: null,
      cost: null,
    })
  }
  for (const item of ledger.inShelfOrder.toArray()) add(item.id_inventory, null, 'missing')
  for (const scan of ledger.scans.setAside.toReversed()) add(scan.id_inventory, scan.id, 'set-aside')
  for (const scan of ledger.scans.unknown.toReversed()) add(null, scan.id, 'unknown')
  for (const scan of ledger.scans.counted.toReversed()) add(scan.id_inventory, scan.id, 'counted')
  return lines
}
