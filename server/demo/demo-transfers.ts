import type { Insertable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type TransferRow = Insertable<Schema['transfers']>
type LineRow = Insertable<Schema['transfer_lines']>

const carriers = ['Store van', 'Parcel post'] as const
const piecesInBox = 8

export const transferColumns = {
  id_transfer: 'uuid',
  from_store_id: 'integer',
  to_store_id: 'integer',
  reason: 'text',
  status: 'text',
  note: 'text',
  carrier: 'text',
  tracking: 'text',
  created_by: 'text',
  created_at: 'timestamptz',
  sent_by: 'text',
  sent_at: 'timestamptz',
  closed_at: 'timestamptz',
} as const
export const transferLineColumns = {
  id_transfer: 'uuid',
  id_inventory: 'integer',
  place: 'integer',
  state: 'text',
  sent_status: 'text',
  received_by: 'text',
  received_at: 'timestamptz',
} as const

/** Puts every ICT frame into a transfer on its way. The oldest transfer to a store is overdue. One more is a draft. */
export function demoTransfers(
  frames: readonly DemoFrame[],
  calendar: DemoCalendar,
  random: SeededRandom,
): { transfers: TransferRow[]; lines: LineRow[] } {
  const clerk = fullName(demoPeople.find(({ roles }) => roles.some((role) => role === 'stock_clerk')) ?? demoPeople[0])
  const transfers: TransferRow[] = []
  const lines: LineRow[] = []
  const pack = (
    row: Pick<TransferRow, 'from_store_id' | 'to_store_id' | 'reason' | 'note'>,
    daysAgo: number,
    pieces: readonly DemoFrame[],
    isSent: boolean,
  ) => {
    const id_transfer = random.uuid()
    const at = calendar.daysAgo(daysAgo, random.int(14, 20))
    const carrier = isSent ? random.pick(carriers) : ''
    transfers.push({
      ...row,
      id_transfer,
      status: isSent ? 'sent' : 'draft',
      carrier,
      tracking: carrier === 'Parcel post' ? `PP ${random.int(10_000_000, 99_999_999)}` : '',
      created_by: clerk,
      created_at: at,
      sent_by: isSent ? clerk : null,
      sent_at: isSent ? calendar.plus(at, 30) : null,
      closed_at: null,
    })
    for (const [place, { id_inventory }] of pieces.entries()) {
      lines.push({
        id_transfer,
        id_inventory,
        place,
        state: isSent ? 'in transit' : 'listed',
        sent_status: isSent ? 'Ready for Sale' : null,
        received_by: null,
        received_at: null,
      })
    }
  }
  for (const store of demoStores) {
    const coming = frames.filter((frame) => frame.store_id === store.store_id && frame.status === 'ICT')
    const others = demoStores.filter(({ store_id }) => store_id !== store.store_id)
    for (let first = 0; first < coming.length; first += piecesInBox) {
      const from = random.pick(others)
      const daysAgo = first === 0 ? random.int(9, 15) : random.int(1, 5)
      pack(
        { from_store_id: from.store_id, to_store_id: store.store_id, reason: 'rebalancing', note: '' },
        daysAgo,
        coming.slice(first, first + piecesInBox),
        true,
      )
    }
  }
  const [here, there] = demoStores
  const packed = frames.filter((frame) => frame.store_id === here.store_id && frame.status === 'Ready for Sale').slice(0, 3)
  pack(
    { from_store_id: here.store_id, to_store_id: there.store_id, reason: 'customer order', note: 'For a fitting on Friday' },
    0,
    packed,
    false,
  )
  return { transfers, lines }
}
