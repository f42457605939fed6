import { describe, expect, it } from 'vitest'
import { CountLedger } from '#contract/counts/count-ledger.ts'
import type { CountDecision, CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import { countSumOf } from '#contract/counts/count-sum.ts'
import { exceptionKey, findingOf, isInScope } from '#contract/counts/counting.ts'
import { type InventoryStatus, inventoryStatuses } from '#contract/stock/frames.ts'
import { planClosing, type StandingFrame } from '#server/features/counts/count-sheets/close-plan.ts'

const id_count_sheet = '01890000-0000-7000-8000-000000000001'
const here = 1
const elsewhere = 2
const storeName = (id: number) => (id === here ? 'Downtown' : 'Eastside')

/** A store, a partial count of it, and events during the count, drawn at random. */
function randomHistory(seed: number) {
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  let minute = 0
  const now = () => new Date(Date.UTC(2026, 10, 21, 9, minute++)).toISOString()
  const begun = now()
  const frames = new Map<number, StandingFrame>()
  for (let id = 1; id <= 24; id++) {
    const status: InventoryStatus = random(3) > 0 ? 'Ready for Sale' : (inventoryStatuses[random(inventoryStatuses.length)] ?? 'Sold')
    frames.set(id, frameOf(id, status, random(6) === 0 ? elsewhere : here, begun))
  }
  const statuses = random(3) === 0 ? [...inventoryStatuses].filter(() => random(2) === 0) : []
  const scope = { brand_ids: [], vendor_ids: [], statuses, price_min_cents: null, price_max_cents: random(2) === 0 ? 16_000 : null }
  const items = [...frames.values()]
    .filter((frame) => frame.store_id === here && isInScope({ ...frame, brand_id: 1, vendor_id: 1 }, scope))
    .map(itemOf)
  const expected = new Set(items.map((item) => item.id_inventory))
  const sheet: Pick<CountSheet, 'store_id' | 'snapshot_at' | 'walk' | 'created_at'> = {
    store_id: here,
    snapshot_at: now(),
    walk: 1 + random(2),
    created_at: begun,
  }
  const scans: CountScan[] = []
  const decisions: CountDecision[] = []
  for (let step = 0; step < 60; step++) {
    const at = now()
    const id = 1 + random(26)
    const frame = frames.get(id)
    const act = random(10)
    if (act < 6) {
      const found = frame
        ? findingOf(frame, sheet, expected.has(id), storeName)
        : { finding: id === 25 ? ('unknown' as const) : ('model-only' as const), detail: null }
      scans.push(scanOf(scans.length, { id_inventory: frame ? id : null, finding: found.finding, finding_detail: found.detail, at }))
      const scan = scans.at(-1)
      if (scan) scan.walk = 1 + random(sheet.walk)
    } else if (act === 6 && scans.length > 0) {
      scans.push(
        scanOf(scans.length, {
          id_inventory: null,
          finding: 'unknown',
          finding_detail: null,
          at,
          negates: scans[random(scans.length)]?.id ?? null,
        }),
      )
    } else if (act === 7 && frame) {
      if (random(8) === 0) frames.delete(id)
      else
        frames.set(id, {
          ...frame,
          status: inventoryStatuses[random(inventoryStatuses.length)] ?? 'Sold',
          store_id: random(4) === 0 ? elsewhere : here,
          changed_at: at,
        })
    } else if (act > 7) {
      const scan = scans[random(scans.length || 1)]
      const key = random(3) === 0 || !scan ? `frame:${id}` : exceptionKey(scan)
      const decision = random(2) === 0 ? ('apply' as const) : ('skip' as const)
      decisions.push({ id_count_sheet, key, decision, reason: '', decided_by_name: 'Maya', decided_at: at, revision: step })
    }
  }
  return { sheet, items, scans, decisions, frames, storeName, deviceName: () => null }
}

describe('the figures of closing a count', () => {
  it.each(Array.from({ length: 400 }, (_, at) => at + 1))('add up, and equal the figures of the count screen (history %i)', (seed) => {
    const history = randomHistory(seed)
    const ledger = new CountLedger(history.sheet.walk)
    ledger.addItems(history.items)
    for (const scan of history.scans) ledger.add(scan)
    for (const decision of history.decisions) ledger.decisions.add(decision)
    const plan = planClosing(history)
    const sum = countSumOf(plan.lines)

    expect(sum.counted + sum.missing + sum.explained + sum.expectedSetAside).toBe(sum.expected)
    expect([sum.expected, sum.counted, sum.exceptions]).toEqual([ledger.expectedTotal, ledger.countedTotal, ledger.scans.toDecide.length])
    expect(sum.expected - sum.counted).toBe(ledger.toFindTotal)
    expect(sum.kinds.reduce((total, kind) => total + kind.count, 0)).toBe(sum.exceptions)
    const aside = plan.lines.filter((line) => line.outcome === 'set-aside').map((line) => line.id_scan)
    expect(new Set(aside)).toEqual(new Set(ledger.scans.setAside.toArray().map((scan) => scan.id)))
    expect(plan.result).toMatchObject({ expected: sum.expected, counted: sum.counted, missing: sum.missing })
    const undecided = ledger.scans.toDecide.toArray().filter((scan) => ledger.decisions.on(exceptionKey(scan)) === 'undecided')
    expect(plan.undecided).toBe(undecided.length)
    expect(plan.changes.filter((change) => change.to === 'Missing')).toHaveLength(sum.missing)
  })
})

function frameOf(id: number, status: InventoryStatus, store_id: number, changed_at: string): StandingFrame {
  return {
    id_inventory: id,
    sku: `DT-${100_000 + id}`,
    serial: `F00${100_000 + id}`,
    upc: null,
    brand_name: 'Ash',
    title_product: 'Model',
    title_variant: 'Black',
    size_lens_width: 52,
    size_bridge_width: 18,
    size_temple_length: 140,
    pb_selling_price: 10_000 + id * 500,
    item_list_cost: 5000,
    status,
    store_id,
    changed_at,
  }
}

function itemOf({ store_id: _store, changed_at: _changed, item_list_cost: _cost, ...frame }: StandingFrame): CountItem {
  return { ...frame, id_count_sheet, brand_id: 1, board_location: null, last_seen_at: null, revision: 1 }
}

function scanOf(
  index: number,
  {
    at,
    negates = null,
    ...finding
  }: Pick<CountScan, 'id_inventory' | 'finding' | 'finding_detail'> & { at: string; negates?: string | null },
): CountScan {
  return {
    ...finding,
    id: `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    id_count_sheet,
    raw_code: 'X',
    via: 'scanner',
    negates,
    previous_scan: null,
    walk: 1,
    captured_at: at,
    author_id: 1,
    author_name: 'Ana',
    device_id: '01890000-0000-7000-8000-0000000000aa',
    revision: index,
  }
}
