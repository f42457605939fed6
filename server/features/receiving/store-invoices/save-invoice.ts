import type { Transaction } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { storeInvoiceEndpoints, VendorInvoiceInput } from '#contract/receiving/store-invoices.ts'
import { afterStep, mayStep, type VendorInvoiceStep } from '#contract/receiving/vendor-invoice-rules.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { agrees, assertOpen, notAllowed, onInvoice, record, settle } from '#server/features/receiving/store-invoices/on-invoice.ts'
import { writeLines } from '#server/features/receiving/store-invoices/invoice-lines.ts'
import { seesCosts } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { takenNumber } from '#server/features/receiving/store-invoices/vendors.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import type { Services } from '#server/platform/services.ts'

type Created = ParsedRequestOf<typeof storeInvoiceEndpoints.createInvoice>['body']

/**
 * Creates a store invoice in the store where the user works now, with a vendor invoice when given. The same ids make it
 * once. @throws Refusal key-reused, and as `written`
 */
export async function createInvoice(services: Services, scope: Scope, { invoice_id, vendor_invoice }: Created): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  const id = invoice_id.toLowerCase()
  await services.db.write(['chain'], async ({ trx }) => {
    await trx
      .insertInto('store_invoices')
      .values({ invoice_id: id, store_id: scope.store_id, created_by: scope.name, created_at: at })
      .onConflict((conflict) => conflict.column('invoice_id').doNothing())
      .execute()
    const holder = await trx.selectFrom('store_invoices').selectAll().where('invoice_id', '=', id).executeTakeFirstOrThrow()
    if (holder.deleted_at !== null || holder.store_id !== scope.store_id) throw new Refusal('key-reused')
    if (!vendor_invoice) return
    const { id_vendor_invoice, ...input } = vendor_invoice
    const idVendor = id_vendor_invoice.toLowerCase()
    const known = await trx.selectFrom('vendor_invoices').selectAll().where('id_vendor_invoice', '=', idVendor).executeTakeFirst()
    if (known) {
      const isSame = known.invoice_id === id && known.vendor_id === input.vendor_id && known.deleted_at === null
      if (!isSame) throw new Refusal('key-reused')
      return
    }
    await trx
      .insertInto('vendor_invoices')
      .values({
        ...(await written(trx, scope, input, null, 'body.vendor_invoice')),
        id_vendor_invoice: idVendor,
        invoice_id: id,
        status: 'draft',
        created_by: scope.name,
        created_at: at,
      })
      .execute()
    await record(trx, { actor: scope, at }, idVendor, 'Entered')
  })
}

type Change = ParsedRequestOf<typeof storeInvoiceEndpoints.changeVendorInvoice>['body']

/** @throws Refusal vendor-invoice-not-allowed, and as `onInvoice`, `written` and `writeLines` */
export async function changeVendorInvoice(
  services: Services,
  scope: Scope,
  id: string,
  { version, lines, ...input }: Change,
): Promise<void> {
  await onInvoice(services, scope, id, version, async (current) => {
    const { invoice, writing } = current
    assertOpen(invoice)
    const columns = await written(writing.trx, scope, input, invoice.id_vendor_invoice, 'body')
    const fields = (Object.keys(columns) as (keyof typeof columns)[]).filter((field) => columns[field] !== invoice[field])
    await writing.trx.updateTable('vendor_invoices').set(columns).where('id_vendor_invoice', '=', invoice.id_vendor_invoice).execute()
    if (lines && (await writeLines(current, lines))) await record(writing.trx, current, invoice.id_vendor_invoice, 'Changed', 'lines')
    if (fields.length > 0) await record(writing.trx, current, invoice.id_vendor_invoice, 'Changed', fields.join(', '))
    await settle(current)
  })
}

/**
 * The columns of the entered fields. @throws Refusal permission-missing, vendor-unknown, request-invalid,
 * vendor-invoice-taken
 */
async function written(
  trx: Transaction<Schema>,
  scope: Scope,
  { amounts, ...input }: VendorInvoiceInput,
  except: string | null,
  path: string,
) {
  const inField = (field: string, message: string) => ({ fields: [{ path: `${path}.${field}`, message }] })
  if (amounts && !seesCosts(scope)) throw new Refusal('permission-missing')
  const vendor = await trx.selectFrom('vendors').select('vendor_id').where('vendor_id', '=', input.vendor_id).executeTakeFirst()
  if (!vendor) throw new Refusal('vendor-unknown', inField('vendor_id', 'Vendor not found'))
  if (input.id_vendor_contact !== null) {
    const contact = await trx
      .selectFrom('vendor_contacts')
      .select('vendor_id')
      .where('id_vendor_contact', '=', input.id_vendor_contact)
      .executeTakeFirst()
    if (contact?.vendor_id !== input.vendor_id)
      throw new Refusal('request-invalid', inField('id_vendor_contact', 'This vendor has no such contact'))
  }
  const taken = await takenNumber(trx, input, except)
  if (taken !== null) throw new Refusal('vendor-invoice-taken', inField('vendor_invoice_no', taken))
  return { ...input, ...amounts }
}

const actions: Record<VendorInvoiceStep, string> = {
  finish: 'All received',
  reopen: 'Receiving again',
  post: 'Posted',
  pay: 'Paid',
  void: 'Void',
}

type Step = ParsedRequestOf<typeof storeInvoiceEndpoints.stepVendorInvoice>['body']

/** @throws Refusal permission-missing, vendor-invoice-not-allowed, request-invalid, and as `onInvoice` */
export async function stepVendorInvoice(
  services: Services,
  scope: Scope,
  id: string,
  { version, step, note, paid_on, paid_reference }: Step,
): Promise<void> {
  if ((step === 'post' || step === 'pay') && !scope.permissions.has('vendor-invoice.settle')) throw new Refusal('permission-missing')
  await onInvoice(services, scope, id, version, async (current) => {
    const { invoice, writing, at } = current
    if (!mayStep(invoice.status, step)) throw notAllowed(invoice.status)
    if (step === 'post' && !agrees(invoice) && note === '') {
      throw new Refusal('request-invalid', { fields: [{ path: 'body.note', message: 'Enter a reason for posting with differences' }] })
    }
    const today = async () => dayOf(at, await timeZoneOf(writing.trx, invoice.store_id))
    await writing.trx
      .updateTable('vendor_invoices')
      .set({
        status: afterStep(step, agrees(invoice)),
        version: version + 1,
        ...(step === 'finish' && invoice.received_date === null && { received_date: await today() }),
        ...(step === 'post' && { posted_note: note }),
        ...(step === 'pay' && { paid_on: paid_on ?? (await today()), paid_reference }),
      })
      .where('id_vendor_invoice', '=', invoice.id_vendor_invoice)
      .execute()
    await record(writing.trx, current, invoice.id_vendor_invoice, actions[step], step === 'pay' ? paid_reference : note)
  })
}
