import type { Insertable } from 'kysely'
import { controlActions } from '#contract/stock/control-rules.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

type HistoryRow = Insertable<Schema['frame_history']>

/** The action that brought a frame into its state. Each frame begins as Ready for Sale. */
const lastActions: Record<Exclude<InventoryStatus, 'Ready for Sale'>, string> = {
  Defective: controlActions.state_defective.label,
  Missing: controlActions.state_remove.label,
  Removed: controlActions.state_return_vendor.label,
  Sold: 'Sold',
  'On Hold': 'Put on hold',
  ICT: 'Transfer sent',
}

export const historyColumns = {
  id: 'bigint',
  id_inventory: 'integer',
  at: 'timestamptz',
  id_user: 'integer',
  rep: 'text',
  action: 'text',
  status_before: 'text',
  status: 'text',
  from_store_id: 'integer',
  to_store_id: 'integer',
  stock: 'text',
  extra: 'text',
} as const

/** Yields two to six rows for each frame. The last row explains the frame's state. */
export function* historyRows(frames: readonly DemoFrame[], calendar: DemoCalendar, random: SeededRandom): Iterable<HistoryRow> {
  let id = 0
  for (const frame of frames) {
    for (const row of historyOf(frame, calendar, random)) {
      id += 1
      yield { ...row, id }
    }
  }
}

function historyOf(frame: DemoFrame, calendar: DemoCalendar, random: SeededRandom): HistoryRow[] {
  const received = frame.receipt_at
  const rows = [
    rowOf(frame, random, received, 'Received', null, 'Ready for Sale', `Receipt ${frame.receipt_number}`),
    rowOf(frame, random, calendar.plus(received, random.int(20, 90)), 'Label printed', 'Ready for Sale', 'Ready for Sale', ''),
  ]
  if (random.chance(0.3)) {
    const before = Number(frame.pb_selling_price) - 1000
    const extra = `Price ${dollars(before)} to ${dollars(Number(frame.pb_selling_price))}`
    rows.push(
      rowOf(frame, random, calendar.plus(received, random.int(2, 20) * 1440), 'Price updated', 'Ready for Sale', 'Ready for Sale', extra),
    )
  }
  if (random.chance(0.15)) {
    rows.push(
      rowOf(
        frame,
        random,
        calendar.plus(received, random.int(21, 28) * 1440),
        'Moved on the board',
        'Ready for Sale',
        'Ready for Sale',
        '',
      ),
    )
  }
  if (frame.last_count_sheet_id !== null && frame.last_count_sheet_id !== undefined && frame.status !== 'Missing') {
    rows.push(rowOf(frame, random, frame.last_seen_at, 'Counted', 'Ready for Sale', 'Ready for Sale', ''))
  }
  if (frame.status !== 'Ready for Sale') {
    rows.push(rowOf(frame, random, frame.changed_at, lastActions[frame.status], 'Ready for Sale', frame.status, frame.note ?? ''))
  }
  return rows
}

function rowOf(
  frame: DemoFrame,
  random: SeededRandom,
  at: string,
  action: string,
  before: InventoryStatus | null,
  status: InventoryStatus,
  extra: string,
): HistoryRow {
  const person = random.pick(demoPeople)
  return historyRow({
    id_inventory: frame.id_inventory,
    action,
    before: before && { status: before, store_id: action === 'Transfer sent' ? originOf(frame) : frame.store_id },
    after: { status, store_id: frame.store_id },
    at,
    by: { id_user: person.id_user, rep: fullName(person), device_id: null },
    extra,
  })
}

/** The warehouse sends frames to the stores, and the stores send back frames that do not sell. */
function originOf(frame: DemoFrame): number {
  return frame.store_id === 3 ? 1 : 3
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
