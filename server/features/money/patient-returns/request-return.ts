import { Refusal } from '#contract/core/errors.ts'
import type { PatientReturnRequest } from '#contract/returns/patient-returns.ts'
import { findInvoice, returnableLines } from '#server/features/money/patient-returns/read-patient-returns.ts'
import { auditReturn, onReturn } from '#server/features/money/patient-returns/on-return.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Records that a patient brought items of an invoice to the store where the user works now. The same id is written
 * once. Nothing else changes before the return is confirmed.
 * @throws Refusal key-reused, patient-invoice-not-finalized, return-line-taken, and as `findInvoice`
 */
export async function requestReturn(services: Services, scope: Scope, idInvoice: string, asked: PatientReturnRequest): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  const id = asked.return_id.toLowerCase()
  // Writers of returns take turns, so that no two returns have the same piece.
  await services.db.write(['chain'], async ({ trx }) => {
    const invoice = await findInvoice(trx, scope, idInvoice)
    const known = await trx.selectFrom('patient_returns').selectAll().where('return_id', '=', id).executeTakeFirst()
    if (known) {
      if (known.id_invoice !== invoice.id_invoice || known.requested_by !== scope.name) throw new Refusal('key-reused')
      return
    }
    if (invoice.status !== 'finalized') throw new Refusal('patient-invoice-not-finalized')
    const goods = new Map((await returnableLines(trx, invoice.id_invoice)).map((line) => [line.item_sale_id, line]))
    for (const [place, { item_sale_id, qty }] of asked.lines.entries()) {
      const line = goods.get(item_sale_id.toLowerCase())
      if (line && qty <= line.left) continue
      const message = line ? `“${line.description}” has ${line.left} left to return` : 'This can’t be returned'
      throw new Refusal('return-line-taken', { message, fields: [{ path: `body.lines.${place}.qty`, message }] })
    }
    await trx
      .insertInto('patient_returns')
      .values({
        return_id: id,
        id_invoice: invoice.id_invoice,
        store_id: scope.store_id,
        status: 'pending',
        note: asked.note,
        warranty: asked.warranty,
        requested_by: scope.name,
        requested_at: at,
      })
      .execute()
    await trx
      .insertInto('patient_return_lines')
      .values(
        asked.lines.map(({ item_sale_id, qty, reason }, place) => ({
          return_id: id,
          item_sale_id: item_sale_id.toLowerCase(),
          place,
          qty,
          reason,
        })),
      )
      .execute()
    await auditReturn(trx, scope, { id_patient: invoice.id_patient, at }, 'return.request')
  })
}

/** Deletes a pending return. @throws Refusal as `onReturn` */
export async function deleteReturn(services: Services, scope: Scope, id: string, version: number): Promise<void> {
  await onReturn(services, scope, id, version, 'return.delete', async ({ writing: { trx }, back }) => {
    await trx.deleteFrom('patient_returns').where('return_id', '=', back.return_id).execute()
  })
}
