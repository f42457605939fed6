import { gtin14 } from '#contract/core/codes.ts'
import type { VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { expectedHere } from '#contract/receiving/vendor-invoice-rules.ts'
import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'

/** How many pieces wait on this tablet for a line. What the server refused waits for a person, and does not count. */
export function waitingOf(
  { id_model, upc }: Pick<VendorInvoice['lines'][number], 'id_model' | 'upc'>,
  waiting: readonly Pick<WaitingReceived, 'body' | 'refusal'>[],
): number {
  const gtin = upc === null ? null : gtin14(upc)
  const isOfLine = (body: WaitingReceived['body']) =>
    body['id_model'] === id_model || (gtin !== null && typeof body['code'] === 'string' && gtin14(body['code']) === gtin)
  return piecesIn(waiting.filter(({ body }) => isOfLine(body)))
}

/** How many pieces wait on this tablet. */
export function piecesIn(waiting: readonly Pick<WaitingReceived, 'body' | 'refusal'>[]): number {
  const kept = waiting.filter(({ refusal }) => refusal === null)
  return kept.reduce((sum, { body }) => sum + (typeof body['quantity'] === 'number' ? body['quantity'] : 1), 0)
}

/** `5 of 8 received · 2 extra`, with `+ 2 waiting` where pieces wait on this tablet. */
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
