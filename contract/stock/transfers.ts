import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { frame, type Frame, inventoryStatus, type InventoryStatus } from '#contract/stock/frame.ts'
import { instant, rowId, text, uuid } from '#contract/core/primitives.ts'

/** Frames on their way from one store to another. Meanwhile they are ICT and in neither store's count. */

export const transferReasons = ['customer order', 'rebalancing', 'defective', 'count correction'] as const
export type TransferReason = (typeof transferReasons)[number]

/**
 * `draft` until it is sent. `sent` until the first piece is received, and `partly received` until the last is. Then
 * `received`, or `discrepancy` when a user gave a piece up. Canceled transfers were called off before anything arrived.
 */
export const transferStatuses = ['draft', 'sent', 'partly received', 'received', 'discrepancy', 'cancelled'] as const
export type TransferStatus = (typeof transferStatuses)[number]

/**
 * The state of one piece: `listed` in a draft, `lost` when a user gave it up, `returned` when the transfer was called
 * back.
 */
export const lineStates = ['listed', 'in transit', 'received', 'damaged', 'lost', 'returned'] as const
export type TransferLineState = (typeof lineStates)[number]

/** After this time in transit, somebody should ask where it is. */
const overdueDays = 7
export const mostTransferred = 500
export const transferPageSize = 50

export const transferTabs = ['to-send', 'in-transit', 'to-receive', 'done'] as const
export type TransferTab = (typeof transferTabs)[number]

const card = v.object({
  id_transfer: uuid,
  /** The number for people. */
  number: rowId,
  status: v.picklist(transferStatuses),
  from_store_id: rowId,
  from_store: v.string(),
  to_store_id: rowId,
  to_store: v.string(),
  reason: v.picklist(transferReasons),
  note: v.string(),
  carrier: v.string(),
  tracking: v.string(),
  /** Why a user closed it without all of its pieces. */
  discrepancy: v.string(),
  created_by: v.string(),
  created_at: instant,
  sent_by: v.nullable(v.string()),
  sent_at: v.nullable(instant),
  closed_at: v.nullable(instant),
  pieces: v.number(),
  /** Its pieces that arrived, damaged ones too. */
  arrived: v.number(),
  version: rowId,
})
export type TransferCard = v.InferOutput<typeof card>

const line = v.object({
  frame,
  state: v.picklist(lineStates),
  received_by: v.nullable(v.string()),
  received_at: v.nullable(instant),
  note: v.string(),
})

export type TransferLine = v.InferOutput<typeof line>

export const transfer = v.object({ ...card.entries, lines: v.array(line) })
export type Transfer = v.InferOutput<typeof transfer>

const words = (most: number) => v.optional(v.pipe(text(most), v.trim()), '')
const pieces = v.pipe(
  v.array(rowId),
  v.maxLength(mostTransferred, `must be at most ${mostTransferred}`),
  v.check((ids) => new Set(ids).size === ids.length, 'names a frame twice'),
)

/** The content of a draft. */
export const transferDraft = v.object({
  to_store_id: rowId,
  reason: v.picklist(transferReasons),
  note: words(500),
  carrier: words(60),
  tracking: words(60),
  /** Frames by their number. */
  items: pieces,
})
export type TransferDraft = v.InferOutput<typeof transferDraft>

/** The result for one received piece: `here` already, or `unexpected` when it is no piece of this transfer. */
const arrival = v.object({
  id_inventory: rowId,
  outcome: v.picklist(['received', 'here', 'unexpected']),
  status: inventoryStatus,
})
export type Arrival = v.InferOutput<typeof arrival>

const params = v.object({ id_transfer: uuid })
const versioned = { version: rowId }

export const transferEndpoints = {
  listTransfers: endpoint({
    method: 'GET',
    path: '/api/transfer',
    summary: 'Transfers from and to the store that one works in, 50 a page',
    access: 'frame.look-up',
    cached: 'recent',
    query: v.object({ tab: v.picklist(transferTabs), page: pageQuery(7) }),
    response: pageOf({ transfers: v.array(card) }),
  }),
  readTransfer: endpoint({
    method: 'GET',
    path: '/api/transfer/{id_transfer}',
    summary: 'A transfer with its pieces',
    access: 'frame.look-up',
    cached: 'recent',
    params,
    response: transfer,
    refuses: ['transfer-unknown'],
  }),
  createTransfer: endpoint({
    method: 'POST',
    path: '/api/transfer',
    summary: 'A draft from the store that one works in; the same id again is the same draft',
    access: 'frame.transfer',
    body: v.object({
      id_transfer: uuid,
      ...transferDraft.entries,
      /** Another store that is asked to send frames found here. The reason is then `count correction`. */
      from_store_id: v.optional(rowId),
    }),
    response: transfer,
    refuses: ['key-reused', 'store-unknown', 'frame-unknown', 'store-foreign', 'transfer-piece-elsewhere'],
  }),
  changeTransfer: endpoint({
    method: 'PUT',
    path: '/api/transfer/{id_transfer}',
    summary: 'Changes a draft',
    access: 'frame.transfer',
    params,
    body: v.object({ ...transferDraft.entries, ...versioned }),
    response: transfer,
    refuses: [
      'transfer-unknown',
      'transfer-changed',
      'transfer-not-allowed',
      'transfer-piece-elsewhere',
      'store-unknown',
      'frame-unknown',
      'store-foreign',
    ],
  }),
  sendTransfer: endpoint({
    method: 'POST',
    path: '/api/transfer/{id_transfer}/send',
    summary: 'Sends a draft: all of its pieces become ICT, or none',
    access: 'frame.transfer',
    params,
    body: v.object(versioned),
    response: transfer,
    refuses: [
      'transfer-unknown',
      'transfer-changed',
      'transfer-not-allowed',
      'transfer-empty',
      'transfer-piece-elsewhere',
      'store-foreign',
    ],
  }),
  receiveTransfer: endpoint({
    method: 'POST',
    path: '/api/transfer/{id_transfer}/receive',
    summary: 'Pieces that arrived; one that arrived before stays unchanged, and a piece of no line of the transfer is only reported',
    access: 'frame.transfer',
    params,
    body: v.object({
      pieces: v.pipe(
        v.array(v.object({ id_inventory: rowId, damaged: v.optional(v.boolean(), false), note: words(500) })),
        v.minLength(1),
        v.maxLength(mostTransferred),
      ),
    }),
    response: v.object({ arrivals: v.array(arrival), transfer }),
    refuses: ['transfer-unknown', 'transfer-not-allowed', 'store-foreign', 'frame-unknown'],
  }),
  closeTransfer: endpoint({
    method: 'POST',
    path: '/api/transfer/{id_transfer}/close',
    summary: 'Gives up what has not arrived: it becomes Missing',
    access: 'frame.transfer',
    params,
    body: v.object({ ...versioned, discrepancy: v.pipe(text(500), v.trim(), v.nonEmpty('This field is required')) }),
    response: transfer,
    refuses: ['transfer-unknown', 'transfer-changed', 'transfer-not-allowed', 'store-foreign'],
  }),
  cancelTransfer: endpoint({
    method: 'POST',
    path: '/api/transfer/{id_transfer}/cancel',
    summary: 'Calls a transfer off while nothing has arrived; what was sent is in stock again where it came from',
    access: 'frame.transfer',
    params,
    body: v.object(versioned),
    response: transfer,
    refuses: ['transfer-unknown', 'transfer-changed', 'transfer-not-allowed', 'store-foreign'],
  }),
} as const

/** Returns the status of a transfer by the states of its pieces. */
export function statusOf(lines: readonly TransferLineState[]): TransferStatus {
  if (lines.includes('in transit')) return lines.some((state) => state !== 'in transit') ? 'partly received' : 'sent'
  if (lines.every((state) => state === 'returned')) return 'cancelled'
  return lines.some((state) => state === 'lost' || state === 'returned') ? 'discrepancy' : 'received'
}

/** Returns true when a transfer has been under way for too long. @param now ms */
export function isOverdue({ status, sent_at }: Pick<TransferCard, 'status' | 'sent_at'>, now: number): boolean {
  const isUnderWay = status === 'sent' || status === 'partly received'
  return isUnderWay && sent_at !== null && now - Date.parse(sent_at) > overdueDays * 86_400_000
}

/** Returns the statuses in which a piece can leave. A transfer of defective pieces takes those too. */
function sentStatuses(reason: TransferReason): readonly InventoryStatus[] {
  return reason === 'defective' ? ['Ready for Sale', 'Defective'] : ['Ready for Sale']
}

/**
 * Returns why a piece cannot go on a transfer, for the person who holds it; null when it can. The server and the tablet
 * both ask this.
 */
export function whyNotTransferred({ status }: Pick<Frame, 'status'>, { reason }: Pick<TransferCard, 'reason'>): string | null {
  if (sentStatuses(reason).includes(status)) return null
  if (status === 'Defective') return 'Defective — can go only on a transfer of defective frames'
  return `${status} — can’t be transferred`
}
