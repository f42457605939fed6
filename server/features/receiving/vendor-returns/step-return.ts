import { Refusal } from '#contract/core/errors.ts'
import { afterStep, type VendorReturnStep } from '#contract/returns/vendor-return-rules.ts'
import type { VendorReturnStepInput } from '#contract/returns/vendor-returns.ts'
import type { VendorReturnTable } from '#server/platform/db/tables/receiving-tables.ts'
import { linesOf } from '#server/features/receiving/vendor-returns/read-returns.ts'
import { type Step, movePiece, notAllowed, onReturn, putBack, record } from '#server/features/receiving/vendor-returns/on-return.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import type { Updateable } from 'kysely'

const actions: Record<VendorReturnStep, string> = {
  request: 'RMA requested',
  approve: 'RMA approved',
  deny: 'RMA denied',
  ship: 'Shipped',
  credit: 'Credited',
  close: 'Closed',
}

/**
 * Does the next step of a return, with its effect on the pieces. Of two users at the same time, one succeeds. Crediting
 * and closing need the right to settle invoices.
 * @throws Refusal as `onReturn`, vendor-return-not-allowed, vendor-return-empty, return-piece-elsewhere,
 * permission-missing
 */
export async function stepVendorReturn(
  services: Services,
  scope: Scope,
  id: string,
  version: number,
  given: VendorReturnStepInput,
): Promise<void> {
  const { step } = given
  if ((step === 'credit' || step === 'close') && !scope.permissions.has('vendor-invoice.settle')) throw new Refusal('permission-missing')
  await onReturn(services, scope, id, version, async (current) => {
    const { back, at, writing } = current
    const status = afterStep(back.status, step)
    if (status === null) throw notAllowed(back)
    if (back.pieces === 0) throw new Refusal('vendor-return-empty')
    const { set, detail } = written(given, at)
    await writing.trx
      .updateTable('vendor_returns')
      .set({ ...set, status, since: at, version: version + 1 })
      .where('return_id', '=', back.return_id)
      .execute()
    await record(current, back.return_id, actions[step], detail)
    if (step === 'ship') await ship(current)
    if (step === 'deny') await putBack(current, await linesOf(writing.trx, back.return_id))
  })
}

/** The columns that a step sets, and its text for the timeline. */
function written(given: VendorReturnStepInput, at: string): { set: Updateable<VendorReturnTable>; detail: string } {
  switch (given.step) {
    case 'request':
      return { set: { ra_requested_at: at }, detail: '' }
    case 'approve':
      return { set: { ra_number: given.ra_number, ra_approved_at: at }, detail: `RMA ${given.ra_number}` }
    case 'deny':
      return { set: { closed_at: at }, detail: given.why }
    case 'ship': {
      const { carrier, tracking } = given
      return { set: { carrier, tracking, shipped_at: at }, detail: [carrier, tracking].filter(Boolean).join(' ') }
    }
    case 'credit': {
      const { credit_memo_no, credit_received_cents } = given
      return { set: { credit_memo_no, credit_received_cents, credited_at: at }, detail: `Credit memo ${credit_memo_no}` }
    }
    case 'close':
      return { set: { closed_at: at }, detail: given.note }
  }
}

/**
 * Takes all pieces out of the stock, or none. It does not touch pieces that left for the vendor earlier.
 * @throws Refusal return-piece-elsewhere
 */
async function ship(current: Step): Promise<void> {
  const { back, writing } = current
  const lines = await linesOf(writing.trx, back.return_id)
  const isWithThem = ({ frame }: (typeof lines)[number]) => frame.status === 'Removed' && frame.removed_reason === 'vendor_return'
  const isHere = ({ frame }: (typeof lines)[number]) =>
    frame.store_id === back.store_id && (frame.status === 'Ready for Sale' || frame.status === 'Defective')
  const elsewhere = lines.filter((line) => !isWithThem(line) && !isHere(line))
  if (elsewhere.length > 0) {
    const named = elsewhere
      .slice(0, 5)
      .map(({ frame }) => `${frame.sku} is ${frame.store_id === back.store_id ? frame.status : `in ${frame.store_name}`}`)
    throw new Refusal('return-piece-elsewhere', {
      message: named.join(', '),
      details: { ids: elsewhere.map(({ id_inventory }) => id_inventory) },
    })
  }
  for (const line of lines.filter(isHere)) {
    await writing.trx
      .updateTable('vendor_return_lines')
      .set({ taken_status: line.frame.status })
      .where('return_id', '=', back.return_id)
      .where('id_inventory', '=', line.id_inventory)
      .execute()
    await movePiece(current, line.frame, { status: 'Removed', removed_reason: 'vendor_return' }, 'Returned to vendor')
  }
}
