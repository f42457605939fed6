import type { Frame } from '#contract/stock/frame.ts'
import type { Transfer, TransferLine } from '#contract/stock/transfers.ts'
import type { WaitingTransfer } from '#src/domain/transfers/record-transfer.ts'

/** A transfer as this tablet knows it. It has no number until the server gives it one. */
export type ShownTransfer = Omit<Transfer, 'number'> & {
  number: number | null
  /** The unsent work: the pieces by number, and whether it was sent. */
  waits: { pieces: ReadonlySet<number>; send: boolean }
}

type Known = { frameOf: (id: number) => Frame | null; storeName: (id: number) => string }

/** Returns the server's transfer with the unsent work of this tablet. Undefined when neither knows it. */
export function shownTransfer(told: Transfer | undefined, waiting: readonly WaitingTransfer[], known: Known): ShownTransfer | undefined {
  const going = waiting.filter(({ refusal }) => refusal === null)
  const start = told ?? begun(going, known)
  if (!start) return undefined
  const pieces = new Set<number>()
  let lines = start.lines
  let send = false
  for (const { kind, body } of going) {
    if (kind === 'transfer.send') send = true
    if (kind !== 'transfer.put') continue
    const isOn = lines.some(({ frame }) => frame.id_inventory === body.id_inventory)
    if (isOn === body.on) continue
    pieces.add(body.id_inventory)
    if (!body.on) lines = lines.filter(({ frame }) => frame.id_inventory !== body.id_inventory)
    const frame = body.on ? known.frameOf(body.id_inventory) : null
    if (frame) lines = [...lines, listed(frame)]
  }
  // Another user sent it, so the server will refuse the unsent work and say why.
  if (start.status !== 'draft') return { ...start, waits: { pieces: new Set(), send: false } }
  return { ...start, lines, pieces: lines.length, waits: { pieces, send } }
}

/** Returns a line for a piece on a draft. */
export const listed = (frame: Frame): TransferLine => ({ frame, state: 'listed', received_by: null, received_at: null, note: '' })

function begun(waiting: readonly WaitingTransfer[], { storeName }: Known): Omit<ShownTransfer, 'waits'> | null {
  const first = waiting.find((one) => one.kind === 'transfer.begin')
  if (!first || first.store_id === null) return null
  const { id_transfer, to_store_id, reason, note } = first.body
  return {
    id_transfer,
    number: null,
    status: 'draft',
    from_store_id: first.store_id,
    from_store: storeName(first.store_id),
    to_store_id,
    to_store: storeName(to_store_id),
    reason,
    note,
    carrier: '',
    tracking: '',
    discrepancy: '',
    created_by: first.by,
    created_at: first.at,
    sent_by: null,
    sent_at: null,
    closed_at: null,
    pieces: 0,
    arrived: 0,
    version: 0,
    lines: [],
  }
}
