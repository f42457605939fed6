import type { Kysely } from 'kysely'
import { invoiceAmounts, paymentStatusOf } from '#contract/money/invoice-money.ts'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type ReadInvoice = Awaited<ReturnType<typeof readInvoices>>[number]

/**
 * Returns every invoice of a patient with its amounts, newest first. It reads all of them, because the balance is over
 * all and the contract's rule calculates each amount. A patient has dozens of invoices in a life, not thousands.
 */
export async function readInvoices(db: Kysely<Schema>, idPatient: string) {
  const [headers, lines, entries] = await Promise.all([
    db
      .selectFrom('invoices')
      .innerJoin('stores', 'stores.store_id', 'invoices.store_id')
      .select(['id_invoice', 'invoice_no', 'invoices.store_id', 'store_name', 'date', 'status', 'promised_date'])
      .where('id_patient', '=', idPatient)
      .orderBy('date', 'desc')
      .orderBy('invoice_no', 'desc')
      .execute(),
    db
      .selectFrom('invoice_items as line')
      .innerJoin('invoices', 'invoices.id_invoice', 'line.id_invoice')
      .select(['line.id_invoice', 'qty', 'unit_price_cents', 'discount_cents', 'discount_pct', 'tax_rate_pct'])
      .select(['insurance_cents', 'writeoff_cents'])
      .where('id_patient', '=', idPatient)
      .execute(),
    db
      .selectFrom('invoice_payments as entry')
      .innerJoin('invoices', 'invoices.id_invoice', 'entry.id_invoice')
      .select(['entry.id_invoice', 'kind', 'amount_cents', 'reverses'])
      .where('id_patient', '=', idPatient)
      .execute(),
  ])
  const linesOf = byInvoice(lines)
  const entriesOf = byInvoice(entries)
  return headers.map((header) => {
    const own = linesOf.get(header.id_invoice) ?? []
    const amounts = invoiceAmounts(header.status, own, entriesOf.get(header.id_invoice) ?? [])
    return { ...header, items_count: own.length, amounts }
  })
}

export function listedInvoice({ amounts, ...header }: ReadInvoice): ListedInvoice {
  return {
    ...header,
    finalized: header.status === 'finalized',
    payment_status: paymentStatusOf(amounts),
    total_cents: amounts.total_cents,
    pt_due_cents: amounts.pt_due_cents,
    pt_balance_cents: amounts.pt_balance_cents,
    ins_balance_cents: amounts.ins_balance_cents,
    balance_cents: amounts.balance_cents,
  }
}

function byInvoice<R extends { id_invoice: string }>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(row.id_invoice)
    if (group) group.push(row)
    else groups.set(row.id_invoice, [row])
  }
  return groups
}
