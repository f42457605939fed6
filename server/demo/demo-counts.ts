import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { CountLine } from '#contract/counts/count-sheets.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoBrands } from '#server/demo/demo-catalog.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Row<T extends keyof Schema> = Insertable<Schema[T]>

/** Count sheets with everything on them, ready for their tables except for the revision. */
export type DemoCounts = {
  sheets: Row<'count_sheets'>[]
  items: Row<'count_items'>[]
  scans: Row<'count_scans'>[]
  decisions: Row<'count_decisions'>[]
  lines: Row<'count_lines'>[]
}

const [maya, ben, ana] = demoPeople
const store = demoStores[0]
const counted: readonly InventoryStatus[] = ['Ready for Sale', 'Defective', 'Missing']

/**
 * Makes two closed counts and one open one, all Downtown. It writes the results of the closed ones into `frames`: seen
 * at the count, Missing since the sheet was closed.
 */
export function demoCounts(frames: readonly DemoFrame[], calendar: DemoCalendar, random: SeededRandom): DemoCounts {
  const counts: DemoCounts = { sheets: [], items: [], scans: [], decisions: [], lines: [] }
  const ofStore = frames.filter((frame) => frame.store_id === store.store_id && counted.includes(frame.status))
  const ofBrands = (names: readonly string[]) => {
    const ids = demoBrands.filter((brand) => names.includes(brand.name)).map((brand) => brand.brand_id)
    return { ids, frames: ofStore.filter((frame) => ids.includes(frame.brand_id)) }
  }
  addClosed(
    counts,
    { number: 1, daysAgo: 22, notes: 'Walls B and C after the new display', ...ofBrands(['Quillmoor', 'Tarnwick']) },
    calendar,
    random,
  )
  addClosed(counts, { number: 2, daysAgo: 9, notes: 'Titanium frames', ...ofBrands(['Kobayama', 'Hoshikage']) }, calendar, random)
  const sunBrands = demoBrands.filter((brand) => brand.style === 'sun').map((brand) => brand.name)
  addOpen(counts, { number: 3, daysAgo: 1, notes: 'Sunglasses', ...ofBrands(sunBrands) }, calendar, random)
  return counts
}

type Plan = { number: number; daysAgo: number; notes: string; ids: number[]; frames: DemoFrame[] }

function addClosed(counts: DemoCounts, plan: Plan, calendar: DemoCalendar, random: SeededRandom): void {
  const begun = calendar.daysAgo(plan.daysAgo, 14)
  const closed = calendar.plus(begun, 150)
  const id = idAt(begun, random)
  const lines: CountLine[] = []
  let seconds = 0
  for (const frame of plan.frames) {
    const expectedStatus = frame.changed_at <= begun && frame.status === 'Defective' ? frame.status : 'Ready for Sale'
    counts.items.push(itemOf(id, frame, expectedStatus))
    const isMissing = frame.status === 'Missing'
    if (isMissing) {
      frame.last_seen_at = calendar.plus(begun, -random.int(10, 30) * 1440)
      frame.changed_at = closed
      lines.push(lineOf(frame, expectedStatus, null))
      continue
    }
    seconds += random.int(2, 9)
    const scan = scanOf(id, frame, calendar.plus(begun, (seconds % 8400) / 60), random)
    counts.scans.push(scan)
    lines.push(lineOf(frame, expectedStatus, scan))
    frame.last_count_sheet_id = id
    if (scan.captured_at > frame.last_seen_at) frame.last_seen_at = scan.captured_at
  }

  const tray = { ...scanOf(id, null, calendar.plus(begun, 141), random), raw_code: `TRAY-${plan.number}7`, finding: 'unknown' as const }
  const reason = 'The label of a display tray'
  counts.scans.push(tray)
  counts.decisions.push({
    id_count_sheet: id,
    store_id: store.store_id,
    key: `scan:${tray.id}`,
    decision: 'skip',
    reason,
    decided_by: maya.id_user,
    decided_at: calendar.plus(begun, 148),
    revision: 0,
  })
  lines.push({ ...lineOf(null, null, tray), decision: 'skip', reason })

  lines.sort(
    (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || compare(a.brand_name, b.brand_name) || compare(a.sku, b.sku),
  )
  lines.forEach((line, position) => counts.lines.push({ id_count_sheet: id, position, line: JSON.stringify(line) }))
  const missing = lines.filter((line) => line.outcome === 'missing').length
  counts.sheets.push({
    ...sheetOf(id, plan, begun, random.pick([ben, ana]).id_user),
    phase: 'closed',
    closed_at: closed,
    closed_by: maya.id_user,
    result: JSON.stringify({
      counted: plan.frames.length - missing,
      expected: plan.frames.length,
      missing,
      found: 0,
      received: 0,
      explained: 0,
      unknown: 1,
      skipped: 1,
      override_devices: null,
    }),
  })
}

/** A third of the frames is counted, and the rest waits for the user who opens the sheet. */
function addOpen(counts: DemoCounts, plan: Plan, calendar: DemoCalendar, random: SeededRandom): void {
  const begun = calendar.daysAgo(plan.daysAgo, 19)
  const id = idAt(begun, random)
  const expected = plan.frames.filter((frame) => frame.status !== 'Missing')
  for (const frame of expected) counts.items.push(itemOf(id, frame, frame.status))
  expected.slice(0, Math.min(60, Math.ceil(expected.length / 3))).forEach((frame, index) => {
    counts.scans.push(scanOf(id, frame, calendar.plus(begun, 2 + index * 0.1), random))
  })
  counts.sheets.push({
    ...sheetOf(id, { ...plan, frames: expected }, begun, ana.id_user),
    phase: 'counting',
    closed_at: null,
    closed_by: null,
    result: null,
  })
}

const outcomes: readonly CountLine['outcome'][] = ['missing', 'set-aside', 'unknown', 'explained', 'counted']

function sheetOf(id: string, plan: Plan, begun: string, createdBy: number) {
  return {
    id_count_sheet: id,
    number: plan.number,
    store_id: store.store_id,
    scope: JSON.stringify({ ...wholeStore, brand_ids: plan.ids }),
    notes: plan.notes,
    blind: false,
    expected_count: plan.frames.length,
    created_at: begun,
    created_by: createdBy,
    snapshot_at: begun,
    walk: 1,
    walk_started_at: begun,
    walk_starts: JSON.stringify([begun]),
    deleted_at: null,
    revision: 0,
  }
}

function itemOf(id: string, frame: DemoFrame, status: InventoryStatus): Row<'count_items'> {
  return {
    id_count_sheet: id,
    id_inventory: frame.id_inventory,
    store_id: frame.store_id,
    sku: frame.sku,
    serial: frame.serial,
    upc: frame.upc,
    brand_id: frame.brand_id,
    brand_name: frame.variant.brand.name,
    title_product: frame.title_product,
    title_variant: frame.title_variant,
    size_lens_width: frame.size_lens_width,
    size_bridge_width: frame.size_bridge_width,
    size_temple_length: frame.size_temple_length,
    pb_selling_price: frame.pb_selling_price,
    status,
    board_location: frame.board_location,
    last_seen_at: frame.last_seen_at,
    revision: 0,
  }
}

function scanOf(id: string, frame: DemoFrame | null, at: string, random: SeededRandom) {
  const person = random.chance(0.6) ? ben : ana
  return {
    id: idAt(at, random),
    id_count_sheet: id,
    store_id: store.store_id,
    raw_code: frame?.sku ?? '',
    id_inventory: frame?.id_inventory ?? null,
    device_id_inventory: null,
    finding: 'expected' as const,
    finding_detail: null,
    via: 'scanner' as const,
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: at,
    received_at: at,
    author_id: person.id_user,
    deliverer_id: person.id_user,
    device_id: person.device,
    revision: 0,
  }
}

function lineOf(
  frame: DemoFrame | null,
  expectedStatus: string | null,
  scan: { id: string; raw_code: string; author_id: number; captured_at: string } | null,
): CountLine {
  const person = demoPeople.find((one) => one.id_user === scan?.author_id)
  return {
    item_id: frame?.id_inventory ?? null,
    id_scan: scan?.id ?? null,
    raw_code: scan?.raw_code ?? null,
    sku: frame?.sku ?? null,
    serial: frame?.serial ?? null,
    upc: frame?.upc ?? null,
    brand_name: frame?.variant.brand.name ?? null,
    title_product: frame?.title_product ?? null,
    title_variant: frame?.title_variant ?? null,
    size: frame ? `${frame.size_lens_width}-${frame.size_bridge_width}-${frame.size_temple_length}` : null,
    expected: frame !== null,
    expected_status: expectedStatus,
    outcome: frame === null ? 'unknown' : scan ? 'counted' : 'missing',
    effect: frame === null ? 'exception' : scan ? 'none' : 'missing',
    detail: null,
    counted_by: person ? fullName(person) : null,
    counted_at: scan?.captured_at ?? null,
    decision: 'undecided',
    reason: '',
    price: frame?.pb_selling_price ?? null,
  }
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}

function idAt(at: string, random: SeededRandom): string {
  return uuidv7({ msecs: Date.parse(at), random: random.bytes(16), seq: random.int(0, 0x7fffffff) })
}
