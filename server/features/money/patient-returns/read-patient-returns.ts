import { type Kysely, sql } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import { invoiceAmounts, lineAmounts, type LineKind } from '#contract/money/invoice-money.ts'
import { patientName } from '#contract/patients/patient.ts'
import { shareOfPieces } from '#contract/returns/patient-return-rules.ts'
import {
  type PatientReturn,
  type patientReturnEndpoints,
  type PatientReturnLine,
  patientReturnPageSize,
  type ReturnableLine,
} from '#contract/returns/patient-returns.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { findPatient, storesInSight } from '#server/domain/patients/patient-access.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'

/** Kinds of lines that can come back. Services cannot. */
const goods: readonly LineKind[] = ['frame', 'lens', 'lens_option', 'contact_lens', 'accessory', 'warranty']

function selectReturns(db: Kysely<Schema>) {
  return db
    .selectFrom('patient_returns as back')
    .innerJoin('stores', 'stores.store_id', 'back.store_id')
    .innerJoin('invoices', 'invoices.id_invoice', 'back.id_invoice')
    .innerJoin('patients', 'patients.id', 'invoices.id_patient')
    .selectAll('back')
    .select(['stores.store_name as store', 'invoices.invoice_no', 'invoices.status as invoice_status', 'invoices.id_patient'])
    .select(['patients.first_name', 'patients.middle_name', 'patients.last_name', 'patients.pref', 'patients.store_id as patient_store_id'])
}
export type ReturnRow = Awaited<ReturnType<ReturnType<typeof selectReturns>['executeTakeFirstOrThrow']>>

/** Returns a page of the returns of the store where the user works now: pending first, then newest first. */
export async function listPatientReturns(
  db: Kysely<Schema>,
  scope: Scope,
  { status, page }: ParsedRequestOf<(typeof patientReturnEndpoints)['listPatientReturns']>['query'],
) {
  const found = selectReturns(db)
    .where('back.store_id', '=', scope.store_id)
    .$if(status !== undefined, (query) => query.where('back.status', '=', status ?? 'pending'))
  const { total } = await found
    .clearSelect()
    .select((expr) => expr.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .orderBy(sql`back.status = 'pending'`, 'desc')
    .orderBy('back.number', 'desc')
    .limit(patientReturnPageSize)
    .offset((page - 1) * patientReturnPageSize)
    .execute()
  return { patient_returns: await toReturns(db, scope, rows), page, page_size: patientReturnPageSize, total: Number(total) }
}

/** @throws Refusal patient-return-unknown, also for a return of a store that is not the user's */
export async function findPatientReturn(db: Kysely<Schema>, scope: Scope, id: string): Promise<ReturnRow> {
  const row = await selectReturns(db).where('back.return_id', '=', id.toLowerCase()).executeTakeFirst()
  const isTheirs = row && (row.store_id === scope.store_id || (await storesOf(db, scope.id_user)).includes(row.store_id))
  if (!isTheirs) throw new Refusal('patient-return-unknown')
  return row
}

/** @throws Refusal as `findPatientReturn` */
export async function readPatientReturn(db: Kysely<Schema>, scope: Scope, id: string): Promise<PatientReturn> {
  const [back] = await toReturns(db, scope, [await findPatientReturn(db, scope, id)])
  if (!back) throw new Refusal('patient-return-unknown')
  return back
}

/**
 * Returns the invoice, if the user may see its patient. @throws Refusal patient-invoice-unknown, and as `findPatient`
 */
export async function findInvoice(db: Kysely<Schema>, scope: Scope, id: string) {
  const invoice = await db.selectFrom('invoices').selectAll().where('id_invoice', '=', id.toLowerCase()).executeTakeFirst()
  if (!invoice) throw new Refusal('patient-invoice-unknown')
  await findPatient(db, scope, invoice.id_patient)
  return invoice
}

/** The returns of an invoice, newest first. */
export async function returnsOfInvoice(db: Kysely<Schema>, scope: Scope, idInvoice: string): Promise<PatientReturn[]> {
  const rows = await selectReturns(db).where('back.id_invoice', '=', idInvoice).orderBy('back.number', 'desc').execute()
  return await toReturns(db, scope, rows)
}

/** The goods on an invoice, with how many of each may still come back. A denied return does not count. */
export async function returnableLines(db: Kysely<Schema>, idInvoice: string): Promise<ReturnableLine[]> {
  const lines = await db.selectFrom('invoice_items').selectAll().where('id_invoice', '=', idInvoice).orderBy('position').execute()
  const taken = await db
    .selectFrom('patient_return_lines as line')
    .innerJoin('patient_returns as back', 'back.return_id', 'line.return_id')
    .where('back.id_invoice', '=', idInvoice)
    .where('back.status', '<>', 'denied')
    .groupBy('line.item_sale_id')
    .select((expr) => ['line.item_sale_id', expr.fn.sum<string>('line.qty').as('qty')])
    .execute()
  const takenOf = new Map(taken.map(({ item_sale_id, qty }) => [item_sale_id, Number(qty)]))
  return lines
    .filter(({ kind }) => goods.includes(kind))
    .map((line) => ({
      item_sale_id: line.item_sale_id,
      kind: line.kind,
      description: line.description,
      sku: line.sku,
      qty: line.qty,
      left: Math.max(0, line.qty - (takenOf.get(line.item_sale_id) ?? 0)),
      share_cents: lineAmounts(line).patient_cents,
    }))
}

/** The lines of returns, each with the patient's share of its price. */
export async function linesOfReturns(db: Kysely<Schema>, ids: readonly string[]) {
  const rows = await db
    .selectFrom('patient_return_lines as back')
    .innerJoin('invoice_items as line', 'line.item_sale_id', 'back.item_sale_id')
    .selectAll('line')
    .select(['back.return_id', 'back.qty as returned', 'back.reason', 'back.restock'])
    .where('back.return_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('back.place')
    .execute()
  return rows.map((row) => ({ ...row, share_cents: shareOfPieces(lineAmounts(row).patient_cents, row.qty, row.returned) }))
}

/** The patient's balance on an invoice. Below 0 is credit. */
export async function balanceOf(db: Kysely<Schema>, invoices: readonly Pick<ReturnRow, 'id_invoice' | 'invoice_status'>[]) {
  const asked = sql<string>`any(${invoices.map(({ id_invoice }) => id_invoice)}::uuid[])`
  const lines = await db.selectFrom('invoice_items').selectAll().where('id_invoice', '=', asked).execute()
  const entries = await db.selectFrom('invoice_payments').selectAll().where('id_invoice', '=', asked).execute()
  return new Map(
    invoices.map(({ id_invoice, invoice_status }) => {
      const isOfIt = (row: { id_invoice: string }) => row.id_invoice === id_invoice
      return [id_invoice, invoiceAmounts(invoice_status, lines.filter(isOfIt), entries.filter(isOfIt)).pt_balance_cents]
    }),
  )
}

async function toReturns(db: Kysely<Schema>, scope: Scope, rows: readonly ReturnRow[]): Promise<PatientReturn[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ return_id }) => return_id)
  const [lines, balances, stores] = await Promise.all([
    linesOfReturns(db, ids),
    balanceOf(db, rows),
    scope.permissions.has('patient.read') ? storesInSight(db, scope) : Promise.resolve<number[]>([]),
  ])
  const seesMoney = scope.permissions.has('invoice.read')
  return rows.map((row) => {
    const isInSight = stores === null || stores.includes(row.patient_store_id)
    const own = lines.filter(({ return_id }) => return_id === row.return_id)
    return {
      return_id: row.return_id,
      number: row.number,
      status: row.status,
      store_id: row.store_id,
      store: row.store,
      id_invoice: row.id_invoice,
      invoice_no: row.invoice_no,
      patient: isInSight ? { id_patient: row.id_patient, name: patientName(row) } : null,
      note: row.note,
      warranty: row.warranty,
      requested_by: row.requested_by,
      requested_at: row.requested_at,
      decided_by: row.decided_by,
      decided_at: row.decided_at,
      decision_note: row.decision_note,
      lines: own.map((line): PatientReturnLine => ({
        item_sale_id: line.item_sale_id,
        description: line.description,
        id_inventory: line.id_inventory,
        sku: line.sku,
        qty: line.returned,
        reason: line.reason,
        restock: line.restock,
        share_cents: seesMoney ? line.share_cents : null,
      })),
      money: seesMoney
        ? {
            pt_balance_cents: balances.get(row.id_invoice) ?? 0,
            restocking_fee_cents: row.restocking_fee_cents,
            credit_cents: row.credit_cents,
            refund_cents: row.refund_cents,
            refund_method: row.refund_method,
          }
        : null,
      version: row.version,
    }
  })
}
