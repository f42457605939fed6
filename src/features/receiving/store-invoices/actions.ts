import { gtin14 } from '#contract/core/codes.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { storeInvoiceEndpoints, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { Failure } from '#src/api/outcome.ts'
import { act, type KeptBecause } from '#src/sync/device/act.ts'
import type { Device } from '#src/sync/device/device.ts'
import { recordReceivedPiece, type WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'

/** How long the server is waited for. */
export const timeoutMs = 20_000

/** What is received: by a label, or a model that was chosen. Under its id it is received once. */
export type Asked = {
  receive_id: string
  quantity: number
  name: string
  /** A person keeps it, whatever the paper says. */ confirmed?: boolean
} & (
  | { code: string }
  /** `learn`: the UPC of the label, which nobody knew. */
  | { id_model: number; learn?: string }
)
export type Received =
  | { kind: 'received'; name: string; tags: string[]; warning: string | null; invoice: VendorInvoice }
  | { kind: 'refused'; failure: Extract<Failure, { kind: 'refused' }> }
  /** It waits on this tablet. The server may have it already, and then does nothing. */
  | { kind: 'kept'; because: KeptBecause }
  /** It was not saved here, and the call may have arrived. The same request can be sent again. */
  | { kind: 'unconfirmed'; message: string }

/**
 * Receives at the server. What it does not answer, and what is scanned where nobody can ask it, waits on this tablet: in the name of whoever
 * scanned it, also when somebody else has signed in meanwhile.
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

/** A delivery comes where the internet does not: what is scanned waits on this tablet. Why it does not, or null. */
async function keep(device: Pick<Device, 'outbox'>, id_vendor_invoice: string, asked: Asked, by: HomeInfo | null): Promise<string | null> {
  const { receive_id, quantity, name, confirmed = true } = asked
  const what =
    'code' in asked
      ? { code: asked.code, id_model: null, learn: null }
      : { code: null, id_model: asked.id_model, learn: asked.learn ?? null }
  const title = `Received: ${quantity === 1 ? '' : `${quantity} × `}${name}`
  return await recordReceivedPiece(device, { id_vendor_invoice, receive_id, quantity, confirmed, ...what }, title, by)
}

/** What the server did not know is of this model: received as it was scanned, and its UPC is remembered. */
export async function matchReceived(
  { outbox }: Pick<Device, 'outbox'>,
  { id, body }: Pick<WaitingReceived, 'id' | 'body'>,
  id_model: number,
  code: string,
): Promise<void> {
  await outbox.correct(id, { confirmed: false, ...body, code: null, id_model, learn: gtin14(code) === null ? null : code })
}

/** What the server asks about is kept: received as it was scanned. */
export async function keepAsked({ outbox }: Pick<Device, 'outbox'>, { id, body }: Pick<WaitingReceived, 'id' | 'body'>): Promise<void> {
  await outbox.correct(id, { ...body, confirmed: true })
}

/** What the server asks about is set aside: nothing of it is received. */
export async function setAside({ outbox }: Pick<Device, 'outbox'>, { id }: Pick<WaitingReceived, 'id'>): Promise<void> {
  await outbox.discard(id, 'Set aside: not on the invoice')
}
