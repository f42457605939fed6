import type { Transaction } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { differencesOf, isOpen, statusNow } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type CardRow, findVendorInvoice, seesCosts, toCard } from '#server/features/receiving/store-invoices/read-invoices.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type Actor, actorOf } from '#server/platform/http/use-case.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import type { Services } from '#server/platform/services.ts'

/** One action of a user on a vendor invoice of the store where they work now. */
export type Step = { writing: Writing; actor: Actor; at: string; invoice: CardRow }

/**
 * Runs `work` in one transaction with pieces, history and the new state of the invoice. Writers of invoices and frames
 * take turns, so that a check still holds at the write.
 * @throws Refusal vendor-invoice-unknown, store-foreign, vendor-invoice-changed
 */
export async function onInvoice(
  services: Services,
  scope: Scope,
  id: string,
  version: number | undefined,
  work: (step: Step) => Promise<void>,
): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write(['chain'], async (writing) => {
    const invoice = await findVendorInvoice(writing.trx, scope, id)
    assertHere(scope, invoice)
    if (version !== undefined && version !== invoice.version) {
      throw new Refusal('vendor-invoice-changed', { details: { now: toCard(invoice, seesCosts(scope)) } })
    }
    await work({ writing, actor: actorOf(scope), at, invoice })
  })
}

/** @throws Refusal vendor-invoice-not-allowed */
export function assertOpen({ status }: CardRow): void {
  if (!isOpen(status)) throw notAllowed(status)
}

export function notAllowed(status: string): Refusal {
  return new Refusal('vendor-invoice-not-allowed', { message: `The vendor invoice is ${status}` })
}

/** Sets the invoice's status after a change of pieces, lines or amounts, and raises its version. */
export async function settle({ writing: { trx }, actor, invoice }: Step): Promise<void> {
  const now = await findVendorInvoice(trx, actor, invoice.id_vendor_invoice)
  await trx
    .updateTable('vendor_invoices')
    .set({ status: statusNow(now.status, now.pieces, agrees(now)), version: invoice.version + 1 })
    .where('id_vendor_invoice', '=', invoice.id_vendor_invoice)
    .execute()
}

export const agrees = (row: CardRow) => differencesOf(toCard(row, true)).length === 0

/** Adds a row to the history, which only grows. */
export async function record(
  trx: Transaction<Schema>,
  { actor, at }: { actor: Pick<Actor, 'id_user' | 'name'>; at: string },
  idVendorInvoice: string,
  action: string,
  detail = '',
): Promise<void> {
  await trx
    .insertInto('vendor_invoice_history')
    .values({ id_vendor_invoice: idVendorInvoice, at, id_user: actor.id_user, rep: actor.name, action, detail })
    .execute()
}
