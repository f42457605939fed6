import { gtin14 } from '#contract/core/codes.ts'
import type { VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { expectedHere } from '#contract/receiving/vendor-invoice-rules.ts'
import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'

/** Returns the number of unsent pieces of a line. Leaves out refused ones, which a user has to decide. */
export function waitingOf(
  { id_model, upc }: Pick<VendorInvoice['lines'][number], 'id_model' | 'upc'>,
  waiting: readonly Pick<WaitingReceived, 'body' | 'refusal'>[],
): number {
  const gtin = upc === null ? null : gtin14(upc)
  const isOfLine = (body: WaitingReceived['body']) =>
    body['id_model'] === id_model || (gtin !== null && typeof body['code'] === 'string' && gtin14(body['code']) === gtin)
  return piecesIn(waiting.filter(({ body }) => isOfLine(body)))
}

/** Returns the number of unsent pieces on this tablet. */
export function piecesIn(waiting: readonly Pick<WaitingReceived, 'body' | 'refusal'>[]): number {
  const kept = waiting.filter(({ refusal }) => refusal === null)
  return kept.reduce((sum, { body }) => sum + (typeof body['quantity'] === 'number' ? body['quantity'] : 1), 0)
}

/** Returns `5 of 8 received · 2 extra`, with `+ 2 waiting` for unsent pieces. */
export function receivedWords(
  { pieces, extra, invoiced }: { pieces: number; extra: number; invoiced: number | null },
  waits: number,
): string {
  if (invoiced === null) {
    const received = `${formatNumberOf(pieces, 'piece')} received`
    return waits === 0 ? received : `${received} + ${formatCount(waits)} waiting`
  }
  const here = formatCount(expectedHere({ pieces, extra }))
  const of = formatCount(invoiced)
  const words = waits === 0 ? `${here} of ${of} received` : `${here} received + ${formatCount(waits)} waiting of ${of}`
  return extra === 0 ? words : `${words} · ${formatCount(extra)} extra`
}
