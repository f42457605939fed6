import { sql, type Updateable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import type { RestockPlace } from '#contract/returns/patient-return-rules.ts'
import { returnAmounts } from '#contract/returns/patient-return-rules.ts'
import type { PatientReturnConfirmation } from '#contract/returns/patient-returns.ts'
import type { PatientReturnTable } from '#server/platform/db/tables/money-tables.ts'
import { balanceOf, linesOfReturns } from '#server/features/money/patient-returns/read-patient-returns.ts'
import { type Step, onReturn } from '#server/features/money/patient-returns/on-return.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { type FrameWithNames, selectFrames } from '#server/domain/stock/frame-rows.ts'
import { moveFrame } from '#server/domain/stock/move-frame.ts'
import { joinVendorReturn } from '#server/domain/stock/vendor-return.ts'

/** @throws Refusal as `onReturn` */
export async function denyReturn(services: Services, scope: Scope, id: string, version: number, reason: string): Promise<void> {
  await onReturn(services, scope, id, version, 'return.deny', (step) => decide(step, { status: 'denied', decision_note: reason }))
}

/**
 * Changes invoice, ledger and stock together, or nothing.
 * @throws Refusal return-destination-missing, returned-piece-elsewhere, and as `onReturn`
 */
export async function confirmReturn(
  services: Services,
  scope: Scope,
  id: string,
  { version, restocking_fee_cents, refund_method, note, lines: asked }: PatientReturnConfirmation,
): Promise<void> {
  await onReturn(services, scope, id, version, 'return.confirm', async (step) => {
    const { writing, back } = step
    const { trx } = writing
    const lines = await linesOfReturns(trx, [back.return_id])
    const placeOf = new Map(asked.map(({ item_sale_id, restock }) => [item_sale_id.toLowerCase(), restock]))
    for (const { item_sale_id, id_inventory, sku } of lines) {
      const restock = id_inventory === null ? 'none' : placeOf.get(item_sale_id)
      if (restock === undefined) throw new Refusal('return-destination-missing', { message: `Choose where ${sku} goes` })
      if (id_inventory !== null && restock !== 'none') await restockFrame(step, await soldFrame(step, id_inventory), restock)
      await trx
        .updateTable('patient_return_lines')
        .set({ restock })
        .where('return_id', '=', back.return_id)
        .where('item_sale_id', '=', item_sale_id)
        .execute()
    }
    const balance = (await balanceOf(trx, [back])).get(back.id_invoice) ?? 0
    const shares = lines.map(({ share_cents }) => share_cents)
    const { credit_cents, refund_cents } = returnAmounts(shares, restocking_fee_cents, balance)
    if (credit_cents > 0) await takeOffInvoice(step, credit_cents)
    if (refund_cents > 0 && refund_method !== 'store credit') await refund(step, refund_cents, refund_method)
    await decide(step, { status: 'confirmed', decision_note: note, restocking_fee_cents, credit_cents, refund_cents, refund_method })
  })
}

async function decide(
  { writing, scope, at, back }: Step,
  set: Updateable<PatientReturnTable> & { status: 'confirmed' | 'denied' },
): Promise<void> {
  await writing.trx
    .updateTable('patient_returns')
    .set({ ...set, decided_by: scope.name, decided_at: at, version: back.version + 1 })
    .where('return_id', '=', back.return_id)
    .execute()
}

/** @throws Refusal returned-piece-elsewhere, when the patient no longer has it */
async function soldFrame({ writing }: Step, idInventory: number): Promise<FrameWithNames> {
  const frame = await selectFrames(writing.trx).where('frames.id_inventory', '=', idInventory).executeTakeFirst()
  if (frame?.status === 'Sold') return frame
  const message = frame ? `${frame.sku} is ${frame.status}` : 'One of its frames no longer exists'
  throw new Refusal('returned-piece-elsewhere', { message, details: { ids: [idInventory] } })
}

/** Puts the frame into the store that took it back, which need not be the store that sold it. */
async function restockFrame({ writing, scope, at, back }: Step, frame: FrameWithNames, restock: Exclude<RestockPlace, 'none'>) {
  const by = { ...scope, at }
  const extra = `Patient return ${back.number}`
  const here = { store_id: back.store_id, last_seen_at: at, ...(frame.store_id !== back.store_id && { board_location: null }) }
  if (restock === 'to_stock') {
    await moveFrame(writing, by, frame, { ...here, status: 'Ready for Sale' }, { action: 'Returned by a patient', extra })
  } else if (restock === 'defective') {
    await moveFrame(writing, by, frame, { ...here, status: 'Defective' }, { action: 'Returned by a patient, defective', extra })
  } else {
    const gone = { ...here, status: 'Removed', removed_reason: 'vendor_return' } as const
    await moveFrame(writing, by, frame, gone, { action: 'Returned by a patient, for its vendor', extra })
    // If the vendor denies it, it is a defective piece of this store.
    await joinVendorReturn(writing.trx, by, { ...frame, store_id: back.store_id }, 'Defective')
  }
}

/** Invoiced lines never change. An extra line takes the amount off the invoice. */
async function takeOffInvoice({ writing: { trx }, back }: Step, cents: number): Promise<void> {
  await trx
    .insertInto('invoice_items')
    .values({
      item_sale_id: uuidv7(),
      id_invoice: back.id_invoice,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from invoice_items where id_invoice = ${back.id_invoice})`,
      kind: 'adjustment',
      description: `Return ${back.number}`,
      qty: 1,
      unit_price_cents: -cents,
    })
    .execute()
  await trx
    .updateTable('invoices')
    .set({ version: sql<number>`version + 1` })
    .where('id_invoice', '=', back.id_invoice)
    .execute()
}

async function refund({ writing: { trx }, scope, at, back }: Step, cents: number, method: 'original tender' | 'gift card'): Promise<void> {
  await trx
    .insertInto('invoice_payments')
    .values({
      id_payment: uuidv7(),
      id_invoice: back.id_invoice,
      kind: 'refund',
      amount_cents: cents,
      at,
      by: scope.id_user,
      store_id: back.store_id,
      reference: `Return ${back.number}, ${method}`,
    })
    .execute()
}
