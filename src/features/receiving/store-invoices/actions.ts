import { gtin14 } from '#contract/core/codes.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { storeInvoiceEndpoints, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { Failure } from '#src/api/outcome.ts'
import { act, type KeptBecause } from '#src/sync/device/act.ts'
import type { Device } from '#src/sync/device/device.ts'
import { recordReceivedPiece, type WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'

/** How long to wait for the server. */
export const timeoutMs = 20_000

/** A request to receive pieces, by a label or a chosen model. The server applies each id once. */
export type Asked = {
  receive_id: string
  quantity: number
  name: string
  /** A user keeps it, although the invoice differs. */ confirmed?: boolean
} & (
  | { code: string }
  /** `learn`: the unknown UPC of the label. */
  | { id_model: number; learn?: string }
)
export type Received =
  | { kind: 'received'; name: string; tags: string[]; warning: string | null; invoice: VendorInvoice }
  | { kind: 'refused'; failure: Extract<Failure, { kind: 'refused' }> }
  /** The outbox keeps it. If the server already has it, sending it again does nothing. */
  | { kind: 'kept'; because: KeptBecause }
  /** It was not saved here, and the call may have arrived. The user can send the same request again. */
  | { kind: 'unconfirmed'; message: string }

/**
 * Receives pieces at the server. Without an answer or a connection, the outbox keeps the request.
 * Its author is the user who scanned, even when another user has signed in meanwhile.
 */
export async function receivePieces(
  device: Pick<Device, 'call' | 'connection' | 'outbox' | 'session'>,
  idVendorInvoice: string,
  asked: Asked,
): Promise<Received> {
  const { name: _, ...body } = asked
  const params = { id: idVendorInvoice }
  const acted = await act(device, {
    live: () => device.call(storeInvoiceEndpoints.receivePieces, { params, body }, { timeoutMs }),
    record: (by) => keep(device, idVendorInvoice, asked, by),
    isOnce: true,
  })
  if (!acted.ok) {
    const { failure } = acted
    return failure.kind === 'refused' ? { kind: 'refused', failure } : { kind: 'unconfirmed', message: failure.message }
  }
  if ('kept' in acted) return { kind: 'kept', because: acted.kept }
  const { pieces, warning, vendor_invoice: invoice } = acted.value
  const [first] = pieces
  const name = first ? `${first.frame.brand_name} ${first.frame.title_product}` : 'The frame'
  return { kind: 'received', name, tags: pieces.map(({ frame }) => frame.sku), warning, invoice }
}

/**
 * Keeps the request in the outbox, because deliveries arrive where the network does not reach. Returns why it failed,
 * or null.
 */
async function keep(device: Pick<Device, 'outbox'>, id_vendor_invoice: string, asked: Asked, by: HomeInfo | null): Promise<string | null> {
  const { receive_id, quantity, name, confirmed = true } = asked
  const what =
    'code' in asked
      ? { code: asked.code, id_model: null, learn: null }
      : { code: null, id_model: asked.id_model, learn: asked.learn ?? null }
  const title = `Received: ${quantity === 1 ? '' : `${quantity} × `}${name}`
  return await recordReceivedPiece(device, { id_vendor_invoice, receive_id, quantity, confirmed, ...what }, title, by)
}

/** Receives a refused piece as the chosen model, and lets the model learn the UPC. */
export async function matchReceived(
  { outbox }: Pick<Device, 'outbox'>,
  { id, body }: Pick<WaitingReceived, 'id' | 'body'>,
  id_model: number,
  code: string,
): Promise<void> {
  await outbox.correct(id, { confirmed: false, ...body, code: null, id_model, learn: gtin14(code) === null ? null : code })
}

/** Receives a piece after the server asked about it. */
export async function keepAsked({ outbox }: Pick<Device, 'outbox'>, { id, body }: Pick<WaitingReceived, 'id' | 'body'>): Promise<void> {
  await outbox.correct(id, { ...body, confirmed: true })
}

/** Drops a piece after the server asked about it. */
export async function setAside({ outbox }: Pick<Device, 'outbox'>, { id }: Pick<WaitingReceived, 'id'>): Promise<void> {
  await outbox.discard(id, 'Set aside: not on the invoice')
}
