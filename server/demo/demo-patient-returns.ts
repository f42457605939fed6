import type { Insertable, Transaction } from 'kysely'
import { lineAmounts } from '#contract/money/invoice-money.ts'
import { type PatientReturnReason, returnAmounts, shareOfPieces } from '#contract/returns/patient-return-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoInvoices } from '#server/demo/demo-invoices.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Rows = { returns: Insertable<Schema['patient_returns']>[]; lines: Insertable<Schema['patient_return_lines']>[] } & Pick<
  DemoInvoices,
  'items' | 'payments'
>

/** The returned items, oldest first. The confirmed one is not a frame, so no frame of the demo has to move. */
const wanted = [
  { kind: 'accessory', status: 'confirmed', reason: 'changed mind', daysAgo: 12, note: '' },
  { kind: 'frame', status: 'denied', reason: 'changed mind', daysAgo: 9, note: '' },
  { kind: 'lens', status: 'pending', reason: 'non-adapt', daysAgo: 4, note: 'Swims when reading' },
  { kind: 'frame', status: 'pending', reason: 'changed mind', daysAgo: 2, note: '' },
  { kind: 'frame', status: 'pending', reason: 'defect frame', daysAgo: 1, note: 'Left temple came off at the hinge' },
] as const satisfies { kind: string; status: string; reason: PatientReturnReason; daysAgo: number; note: string }[]

/** Returns of the first store in each state. Each is of a patient's newest invoice that they have paid for. */
export function demoPatientReturns(sales: DemoInvoices, calendar: DemoCalendar, random: SeededRandom): Rows {
  const [{ store_id }] = demoStores
  const desk = fullName(demoPeople.find(({ roles }) => roles.some((role) => role === 'front_desk')) ?? demoPeople[0])
  const manager = demoPeople.find(({ roles }) => roles.some((role) => role === 'manager')) ?? demoPeople[0]
  const rows: Rows = { returns: [], lines: [], items: [], payments: [] }
  const newest = sales.invoices
    .filter((invoice) => invoice.store_id === store_id && invoice.status === 'finalized')
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const taken = new Set<string>()
  for (const { kind, status, reason, daysAgo, note } of wanted) {
    const at = calendar.daysAgo(daysAgo)
    const invoice = newest.find(
      ({ id_invoice, created_at }) =>
        !taken.has(id_invoice) &&
        created_at < at &&
        sales.items.some((item) => item.id_invoice === id_invoice && item.kind === kind) &&
        sales.payments.some((payment) => payment.id_invoice === id_invoice && payment.at < at),
    )
    const item = sales.items.find((one) => one.id_invoice === invoice?.id_invoice && one.kind === kind)
    if (!invoice || !item) continue
    taken.add(invoice.id_invoice)
    const return_id = random.uuid()
    const number = rows.returns.length + 1
    const decided_at = status === 'pending' ? null : calendar.plus(at, 180)
    const share = shareOfPieces(lineAmounts({ ...item, discount_pct: item.discount_pct ?? null }).patient_cents, item.qty, item.qty)
    const { credit_cents } = returnAmounts([share], 0, 0)
    const isConfirmed = status === 'confirmed'
    rows.returns.push({
      return_id,
      number,
      id_invoice: invoice.id_invoice,
      store_id,
      status,
      note,
      warranty: reason === 'defect frame' ? 'manufacturer' : 'none',
      requested_by: desk,
      requested_at: at,
      decided_by: decided_at && fullName(manager),
      decided_at,
      decision_note: status === 'denied' ? 'Worn for more than sixty days' : '',
      credit_cents: isConfirmed ? credit_cents : null,
      refund_cents: isConfirmed ? credit_cents : null,
      refund_method: isConfirmed ? 'original tender' : null,
      version: status === 'pending' ? 1 : 2,
    })
    rows.lines.push({
      return_id,
      item_sale_id: item.item_sale_id,
      place: 0,
      qty: item.qty,
      reason,
      restock: isConfirmed ? 'none' : null,
    })
    if (!isConfirmed || decided_at === null) continue
    const position = 1 + Math.max(...sales.items.filter((one) => one.id_invoice === invoice.id_invoice).map((one) => one.position))
    rows.items.push({
      item_sale_id: random.uuid(),
      id_invoice: invoice.id_invoice,
      position,
      kind: 'adjustment',
      modifiers: [],
      description: `Return ${number}`,
      qty: 1,
      unit_price_cents: -credit_cents,
      discount_cents: 0,
      tax_rate_pct: 0,
      insurance_cents: 0,
      copay_cents: 0,
      writeoff_cents: 0,
    })
    rows.payments.push({
      id_payment: random.uuid(),
      id_invoice: invoice.id_invoice,
      kind: 'refund',
      amount_cents: credit_cents,
      at: decided_at,
      by: manager.id_user,
      store_id,
      reference: `Return ${number}, original tender`,
      reverses: null,
    })
  }
  return rows
}

/** Inserts the returns. Their invoices must be in the database already. */
export async function insertDemoPatientReturns(trx: Transaction<Schema>, { returns, lines, items, payments }: Rows): Promise<void> {
  if (returns.length === 0) return
  await trx.insertInto('patient_returns').values(returns).execute()
  await trx.insertInto('patient_return_lines').values(lines).execute()
  if (items.length > 0) await trx.insertInto('invoice_items').values(items).execute()
  if (payments.length > 0) await trx.insertInto('invoice_payments').values(payments).execute()
}
