import type { Insertable, Transaction } from 'kysely'
import type { VendorReturnStatus } from '#contract/returns/vendor-return-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Rows = {
  returns: Insertable<Schema['vendor_returns']>[]
  lines: Insertable<Schema['vendor_return_lines']>[]
  history: Insertable<Schema['vendor_return_history']>[]
}

const mostPieces = 5
/** The shipped returns: one is credited, the other has been with its vendor for too long. */
const gone = [
  { status: 'credited', daysAgo: 34 },
  { status: 'shipped', daysAgo: 47 },
] as const
/** The returns that have not left the store. */
const kept = [
  { status: 'ra_requested', daysAgo: 6 },
  { status: 'draft', daysAgo: 1 },
] as const

/** Returns of the first store in several states. Their pieces are already Removed or Defective. Each vendor has one. */
export function demoVendorReturns(frames: readonly DemoFrame[], calendar: DemoCalendar, random: SeededRandom): Rows {
  const [{ store_id }] = demoStores
  const clerk = fullName(demoPeople.find(({ roles }) => roles.some((role) => role === 'stock_clerk')) ?? demoPeople[0])
  const rows: Rows = { returns: [], lines: [], history: [] }
  const here = frames.filter((frame) => frame.store_id === store_id)
  const byVendor = (fits: (frame: DemoFrame) => boolean) => {
    const found = new Map<number, DemoFrame[]>()
    for (const frame of here.filter(fits)) found.set(frame.vendor_id, [...(found.get(frame.vendor_id) ?? []), frame])
    return [...found]
  }
  const removed = byVendor((frame) => frame.status === 'Removed' && frame.removed_reason === 'vendor_return')
  const taken = new Set(removed.slice(0, gone.length).map(([vendor]) => vendor))
  const defective = byVendor((frame) => frame.status === 'Defective').filter(([vendor]) => !taken.has(vendor))

  function add(vendor_id: number, status: VendorReturnStatus, daysAgo: number, pieces: readonly DemoFrame[]): void {
    const return_id = random.uuid()
    const begun = calendar.daysAgo(daysAgo)
    const ra_number = `RA-${random.int(10_000, 99_999)}`
    const cost = pieces.reduce((sum, { item_net }) => sum + (item_net ?? 0), 0)
    const isGone = status === 'shipped' || status === 'credited'
    const steps = [
      { at: begun, action: 'Begun', detail: '' },
      ...(status === 'draft' ? [] : [{ at: calendar.plus(begun, 90), action: 'RMA requested', detail: '' }]),
      ...(isGone ? [{ at: calendar.plus(begun, 2 * 1440), action: 'RMA approved', detail: `RMA ${ra_number}` }] : []),
      ...(isGone ? [{ at: calendar.plus(begun, 3 * 1440), action: 'Shipped', detail: 'Parcel post' }] : []),
      ...(status === 'credited' ? [{ at: calendar.plus(begun, 20 * 1440), action: 'Credited', detail: 'Credit memo CM-2210' }] : []),
    ]
    const at = (action: string) => steps.find((step) => step.action === action)?.at ?? null
    rows.returns.push({
      return_id,
      store_id,
      vendor_id,
      status,
      reason: isGone ? 'stock balance' : 'defective',
      note: '',
      ra_number: isGone ? ra_number : '',
      ra_requested_at: at('RMA requested'),
      ra_approved_at: at('RMA approved'),
      shipped_at: at('Shipped'),
      carrier: isGone ? 'Parcel post' : '',
      credited_at: at('Credited'),
      credit_memo_no: status === 'credited' ? 'CM-2210' : '',
      // The vendor kept a restocking fee that nobody had agreed to.
      credit_received_cents: status === 'credited' ? cost - Math.round(cost / 10) : null,
      created_by: clerk,
      created_at: begun,
      since: steps.at(-1)?.at ?? begun,
    })
    for (const [place, { id_inventory, item_net }] of pieces.entries()) {
      rows.lines.push({ return_id, id_inventory, place, cost_cents: item_net, taken_status: isGone ? 'Ready for Sale' : null })
    }
    for (const step of steps) rows.history.push({ return_id, id_user: null, rep: clerk, ...step })
  }
  for (const [place, { status, daysAgo }] of gone.entries()) {
    const [vendor, pieces] = removed[place] ?? []
    if (vendor !== undefined && pieces) add(vendor, status, daysAgo, pieces.slice(0, mostPieces))
  }
  for (const [place, { status, daysAgo }] of kept.entries()) {
    const [vendor, pieces] = defective[place] ?? []
    if (vendor !== undefined && pieces) add(vendor, status, daysAgo, pieces.slice(0, mostPieces))
  }
  return rows
}

export async function insertDemoVendorReturns(trx: Transaction<Schema>, { returns, lines, history }: Rows): Promise<void> {
  if (returns.length === 0) return
  await trx.insertInto('vendor_returns').values(returns).execute()
  await trx.insertInto('vendor_return_lines').values(lines).execute()
  await trx.insertInto('vendor_return_history').values(history).execute()
}
