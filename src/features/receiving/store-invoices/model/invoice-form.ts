import type { VendorInvoiceCard, VendorInvoiceInput } from '#contract/receiving/store-invoices.ts'
import type { Read } from '#src/domain/forms/form-dialog.tsx'
import { centsOf, notAnAmount, typedMoney } from '#src/ui/forms/typed-money.ts'

const texts = ['vendor_invoice_no', 'invoice_date', 'received_date', 'po_no', 'terms', 'due_date', 'note'] as const
const moneys = ['shipping_cents', 'tax_cents', 'discount_cents', 'total_cents'] as const
/** The values of the fields of a vendor's invoice. */
export type InvoiceForm = Record<'vendor_id' | 'id_vendor_contact' | (typeof texts)[number] | (typeof moneys)[number], string>

export function formOfInvoice(invoice: VendorInvoiceCard | null): InvoiceForm {
  return {
    vendor_id: invoice ? String(invoice.vendor_id) : '',
    id_vendor_contact: invoice?.id_vendor_contact ?? '',
    vendor_invoice_no: invoice?.vendor_invoice_no ?? '',
    invoice_date: invoice?.invoice_date ?? '',
    received_date: invoice?.received_date ?? '',
    po_no: invoice?.po_no ?? '',
    terms: invoice?.terms ?? '',
    due_date: invoice?.due_date ?? '',
    note: invoice?.note ?? '',
    shipping_cents: typedMoney(invoice?.totals?.shipping_cents || null),
    tax_cents: typedMoney(invoice?.totals?.tax_cents || null),
    discount_cents: typedMoney(invoice?.totals?.discount_cents || null),
    total_cents: typedMoney(invoice?.totals?.total_cents ?? null),
  }
}

/** Reads the form into a request, or returns its problems. Sends amounts only for users who see costs. */
export function readInvoice(form: InvoiceForm, seesCosts: boolean): Read<InvoiceForm, VendorInvoiceInput> {
  const problems: Partial<Record<keyof InvoiceForm, string>> = {}
  if (form.vendor_id === '') problems.vendor_id = 'This field is required'
  if (form.vendor_invoice_no.trim() === '') problems.vendor_invoice_no = 'This field is required'
  const amounts = { shipping_cents: 0, tax_cents: 0, discount_cents: 0, total_cents: null as number | null }
  for (const field of moneys) {
    const cents = centsOf(form[field])
    if (cents === undefined) problems[field] = notAnAmount
    else if (cents !== null) amounts[field] = cents
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    body: {
      vendor_id: Number(form.vendor_id),
      id_vendor_contact: form.id_vendor_contact || null,
      vendor_invoice_no: form.vendor_invoice_no.trim(),
      invoice_date: form.invoice_date || null,
      received_date: form.received_date || null,
      po_no: form.po_no,
      terms: form.terms,
      due_date: form.due_date || null,
      note: form.note,
      ...(seesCosts && { amounts }),
    },
  }
}

/** Returns the invoice's present values, to send together with a change. */
export function inputOf(invoice: VendorInvoiceCard): VendorInvoiceInput {
  const { vendor_id, id_vendor_contact, vendor_invoice_no, invoice_date, received_date, po_no, terms, due_date, note } = invoice
  return { vendor_id, id_vendor_contact, vendor_invoice_no, invoice_date, received_date, po_no, terms, due_date, note }
}

export type LineForm = { qty_invoiced: string; list_cost: string; discount_pct: string }
export type LineBody = { qty_invoiced: number | null; costs: { list_cost: number | null; discount_pct: number | null } }

export function readLine(form: LineForm): Read<LineForm, LineBody> {
  const problems: Partial<Record<keyof LineForm, string>> = {}
  if (!/^\d{0,4}$/.test(form.qty_invoiced.trim())) problems.qty_invoiced = 'Enter a quantity'
  const list_cost = centsOf(form.list_cost)
  if (list_cost === undefined) problems.list_cost = notAnAmount
  const share = form.discount_pct.trim()
  if (!/^(\d{1,2}(\.\d{1,2})?|100)?$/.test(share)) problems.discount_pct = 'Enter a percent, like 10 or 12.5'
  if (list_cost === undefined || Object.keys(problems).length > 0) return { ok: false, problems }
  const qty_invoiced = form.qty_invoiced.trim() === '' ? null : Number(form.qty_invoiced)
  return { ok: true, body: { qty_invoiced, costs: { list_cost, discount_pct: share === '' ? null : Number(share) } } }
}
