import type { CountDecision, CountItem, CountLine, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { CloseEffect } from '#contract/counts/close-effect.ts'
import { closeEffectOf, leftAlone } from '#contract/counts/closing.ts'
import { CountLedger } from '#contract/counts/count-ledger.ts'
import { sizeOf, type ControlFlag, type InventoryStatus } from '#contract/stock/frames.ts'

/** A frame at the moment of closing. */
export type StandingFrame = {
  id_inventory: number
  sku: string
  serial: string
  upc: string | null
  brand_name: string
  title_product: string
  title_variant: string
  size_lens_width: number | null
  size_bridge_width: number | null
  size_temple_length: number | null
  pb_selling_price: number | null
  item_list_cost: number | null
  status: InventoryStatus
  store_id: number
  changed_at: string
}

export type CloseInput = {
  sheet: Pick<CountSheet, 'store_id' | 'snapshot_at' | 'walk' | 'created_at'>
  items: CountItem[]
  scans: CountScan[]
  decisions: CountDecision[]
  frames: Map<number, StandingFrame>
  storeName: (id: number) => string
  /** The tablet's name. Null when the server no longer knows it. */
  deviceName: (id: string) => string | null
}

/** The effects of closing now. It is pure, so that the preview and the closing cannot differ. */
export type ClosePlan = {
  lines: CountLine[]
  /** Frames whose status changes, with the inventory-control action for each. */
  changes: { frame: StandingFrame; to: InventoryStatus; action: ControlFlag }[]
  /** Frames that somebody held during the count. */
  seen: { id_inventory: number; at: string }[]
  /** Number of undecided exceptions. */
  undecided: number
  result: Omit<NonNullable<CountSheet['result']>, 'override_devices'>
}

const outcomeOrder: readonly CountLine['outcome'][] = ['missing', 'set-aside', 'unknown', 'explained', 'counted']

export function planClosing(input: CloseInput): ClosePlan {
  const { sheet, frames } = input
  const ledger = new CountLedger(sheet.walk)
  ledger.addItems(input.items)
  for (const scan of input.scans) ledger.add(scan)
  for (const decision of input.decisions) ledger.decisions.add(decision)

  const result = { counted: 0, expected: input.items.length, missing: 0, found: 0, received: 0, explained: 0, unknown: 0, skipped: 0 }
  const plan: ClosePlan = { lines: [], changes: [], seen: [], undecided: 0, result }

  const pieces = new Set([...ledger.items.keys(), ...input.scans.flatMap((scan) => scan.id_inventory ?? [])])
  for (const id of pieces) {
    const expected = ledger.items.get(id) ?? null
    const scan = ledger.scanOf(id)
    if (!expected && !scan) continue
    const now = frames.get(id) ?? null
    const word = wordOn(ledger, id, scan)
    const decision = word?.decision ?? 'undecided'
    const judged = closeEffectOf({
      standing: ledger.standingOf(id),
      now,
      store_id: sheet.store_id,
      movedSince: now !== null && now.changed_at > sheet.snapshot_at,
      storeName: input.storeName,
      decision,
    })
    const skipped = decision === 'skip' && (judged.to !== null || judged.outcome === 'set-aside')
    const effect = skipped ? leftAlone(judged) : judged

    tally(result, effect, skipped)
    if (effect.to !== null && now) plan.changes.push({ frame: now, to: effect.to, action: actionOf(effect) })
    const isHere = now?.store_id === sheet.store_id && now.status !== 'Sold' && now.status !== 'Removed'
    if (scan && isHere && !(skipped && judged.to !== null)) plan.seen.push({ id_inventory: id, at: scan.captured_at })
    const shown = expected ?? now
    plan.lines.push({
      item_id: id,
      id_scan: scan?.id ?? null,
      raw_code: scan?.raw_code ?? null,
      sku: shown?.sku ?? null,
      serial: shown?.serial ?? null,
      upc: shown?.upc ?? null,
      brand_name: shown?.brand_name ?? null,
      title_product: shown?.title_product ?? null,
      title_variant: shown?.title_variant ?? null,
      size: shown ? sizeOf(shown) : null,
      expected: expected !== null,
      expected_status: expected?.status ?? null,
      outcome: effect.outcome,
      effect: effect.effect,
      detail: effect.detail,
      counted_by: scan?.author_name ?? null,
      counted_at: scan?.captured_at ?? null,
      decision,
      reason: word?.reason ?? '',
      price: shown?.pb_selling_price ?? null,
      expected_store: expected ? input.storeName(sheet.store_id) : now ? input.storeName(now.store_id) : null,
      device: scan ? input.deviceName(scan.device_id) : null,
      cost: now?.item_list_cost ?? null,
    })
  }

  for (const scan of ledger.scans.setAside.toArray()) {
    if ((wordOn(ledger, scan.id_inventory, scan)?.decision ?? 'undecided') === 'undecided') plan.undecided += 1
  }
  for (const scan of ledger.scans.unknown.toReversed()) {
    const word = ledger.decisions.rowOn(`scan:${scan.id}`)
    const decision = word?.decision ?? 'undecided'
    if (decision === 'undecided') plan.undecided += 1
    if (decision === 'skip') result.skipped += 1
    result.unknown += 1
    plan.lines.push(unknownLine(scan, decision, word?.reason ?? '', input.deviceName(scan.device_id)))
  }
  plan.lines.sort(
    (a, b) =>
      outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome) ||
      compare(a.brand_name, b.brand_name) ||
      compare(a.sku ?? a.raw_code, b.sku ?? b.raw_code),
  )
  return plan
}

/** A decision names the piece. One from before the server knew the piece names the scan. */
function wordOn(ledger: CountLedger, id: number | null, scan: { id: string } | null): CountDecision | null {
  return ledger.decisions.rowOn(`frame:${id}`) ?? (scan && ledger.decisions.rowOn(`scan:${scan.id}`))
}

function tally(result: ClosePlan['result'], effect: CloseEffect, skipped: boolean): void {
  if (skipped) result.skipped += 1
  else if (effect.effect === 'missing') result.missing += 1
  else if (effect.effect === 'found') result.found += 1
  else if (effect.effect === 'received') result.received += 1
  else if (effect.effect === 'explained') result.explained += 1
  if (effect.outcome === 'counted') result.counted += 1
}

function actionOf(effect: CloseEffect): ControlFlag {
  if (effect.effect === 'missing') return 'state_remove'
  if (effect.effect === 'found') return 'state_return_in_stock'
  return 'state_in_stock'
}

function unknownLine(
  scan: { id: string; raw_code: string; author_name: string; captured_at: string },
  decision: CountLine['decision'],
  reason: string,
  device: string | null,
): CountLine {
  return {
    item_id: null,
    id_scan: scan.id,
    raw_code: scan.raw_code,
    sku: null,
    serial: null,
    upc: null,
    brand_name: null,
    title_product: null,
    title_variant: null,
    size: null,
    expected: false,
    expected_status: null,
    outcome: 'unknown',
    effect: 'exception',
    detail: null,
    counted_by: scan.author_name,
    counted_at: scan.captured_at,
    decision,
    reason,
    price: null,
    expected_store: null,
    device,
    cost: null,
  }
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}
