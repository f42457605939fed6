import { type Insertable, sql, type Transaction } from 'kysely'
import type { VendorInvoiceStatus } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoVendors, type Variant } from '#server/demo/demo-catalog.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'
import { netCost } from '#contract/stock/stock-money.ts'

type InvoiceRow = Insertable<Schema['vendor_invoices']>
type LineRow = Insertable<Schema['vendor_invoice_lines']>
type HistoryRow = Insertable<Schema['vendor_invoice_history']>

/**
 * The states of the invoices in the last deliveries of the first store, oldest first. Some deliveries have two
 * invoices.
 */
const fates: readonly (readonly VendorInvoiceStatus[])[] = [
  ['paid', 'paid'],
  ['posted', 'paid'],
  ['posted'],
  ['discrepancy', 'posted'],
  ['received'],
  ['receiving'],
]
const people = [
  ['Nadia Voss', 'Representative'],
  ['Customer care', 'Orders and returns'],
  ['Tom Ashdown', 'Accounts'],
] as const

/** The newest deliveries of the first store with their invoices, and a box that arrived today. */
export function demoReceipts(frames: readonly DemoFrame[], catalog: readonly Variant[], calendar: DemoCalendar, random: SeededRandom) {
  const [store] = demoStores
  const clerk = demoPeople.find(({ roles }) => roles.some((role) => role === 'stock_clerk')) ?? demoPeople[0]
  const by = { id_user: clerk.id_user, rep: fullName(clerk) }
  const holders: Insertable<Schema['store_invoices']>[] = []
  const invoices: InvoiceRow[] = []
  const lines: LineRow[] = []
  const history: HistoryRow[] = []
  const pieces: { id_inventory: number; id_vendor_invoice: string }[] = []
  const contacts = demoVendors.flatMap(({ vendor_id, name }) =>
    people.slice(0, random.int(1, people.length)).map(([who, role]) => ({
      id_vendor_contact: random.uuid(),
      vendor_id,
      name: who,
      role,
      email: `${role.split(' ')[0]?.toLowerCase()}@${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`,
      phone: `518-555-01${random.int(10, 99)}`,
    })),
  )

  const hold = (number: number, at: string) => {
    const invoice_id = random.uuid()
    holders.push({ invoice_id, number, store_id: store.store_id, created_by: by.rep, created_at: at })
    return invoice_id
  }
  const enter = (
    invoice_id: string,
    at: string,
    vendor_id: number,
    status: VendorInvoiceStatus,
    came: readonly DemoFrame[],
    billed: readonly { id_model: number; qty: number; list: number | null; discount: number | null }[],
  ) => {
    const id_vendor_invoice = random.uuid()
    const cost = came.reduce((sum, { item_net }) => sum + (item_net ?? 0), 0)
    const shipping_cents = random.pick([0, 0, 1250, 1895])
    const isChecked = status !== 'draft' && status !== 'receiving' && status !== 'void'
    const day = (days: number) => calendar.plus(at, days * 1440).slice(0, 10)
    const terms = demoVendors.find((vendor) => vendor.vendor_id === vendor_id)?.terms ?? ''
    // The invoice is dated three days before the delivery.
    const dueIn = Number(/net (\d+)/i.exec(terms)?.[1] ?? 30) - 3
    invoices.push({
      id_vendor_invoice,
      invoice_id,
      vendor_id,
      id_vendor_contact: contacts.find((contact) => contact.vendor_id === vendor_id)?.id_vendor_contact ?? null,
      vendor_invoice_no: `${random.pick(['INV', 'SI', 'RG'])}-${random.int(100_000, 999_999)}`,
      invoice_date: day(-3),
      received_date: isChecked ? day(0) : null,
      po_no: random.chance(0.6) ? `PO ${random.int(2000, 2999)}` : '',
      terms,
      due_date: day(dueIn),
      note: status === 'receiving' ? 'The rest is on back order' : status === 'void' ? 'Entered twice' : '',
      shipping_cents,
      tax_cents: 0,
      discount_cents: 0,
      total_cents: isChecked ? cost + shipping_cents + (status === 'discrepancy' ? 2450 : 0) : null,
      status,
      posted_note: '',
      paid_on: status === 'paid' ? day(25) : null,
      paid_reference: status === 'paid' ? `Check ${random.int(4000, 4999)}` : '',
      created_by: by.rep,
      created_at: at,
    })
    history.push({ id_vendor_invoice, at, ...by, action: 'Entered', detail: '' })
    if (isChecked) history.push({ id_vendor_invoice, at: calendar.plus(at, 90), ...by, action: 'All received', detail: '' })
    billed.forEach(({ id_model, qty, list, discount }, place) => {
      const costs = { list_cost: list, discount_pct: discount, net_cost: netCost(list, discount) }
      lines.push({ id_vendor_invoice, id_model, place, qty_invoiced: qty, ...costs })
    })
    pieces.push(...came.map(({ id_inventory }) => ({ id_inventory, id_vendor_invoice })))
  }

  const deliveries = newestDeliveries(frames.filter(({ store_id }) => store_id === store.store_id))
  for (const [at, fate] of fates.entries()) {
    const delivery = deliveries[at]
    if (!delivery) continue
    const invoice_id = hold(delivery.number, delivery.at)
    for (const [nth, status] of fate.entries()) {
      const came = delivery.vendors[nth]
      if (came?.[0]) enter(invoice_id, delivery.at, came[0].vendor_id, status, came, billedFor(came, status === 'receiving' ? 1 : 0))
    }
  }
  const today = calendar.daysAgo(0, 13)
  const box = hold(Math.max(0, ...deliveries.map(({ number }) => number), 1000) + 1000, today)
  const wanted = catalog.filter((variant) => variant.brand.vendor_id === catalog[0]?.brand.vendor_id).slice(0, 4)
  const ordered = wanted.map((variant) => ({
    id_model: variant.id_model,
    qty: random.int(1, 3),
    list: variant.item_list_cost,
    discount: variant.item_discount,
  }))
  if (wanted[0]) {
    enter(box, today, wanted[0].brand.vendor_id, 'draft', [], ordered)
    enter(box, today, wanted[0].brand.vendor_id, 'void', [], [])
  }
  return { holders, invoices, lines, history, pieces, contacts }
}

/** The store's deliveries, oldest first. Each has its pieces by vendor, the vendor with the most pieces first. */
function newestDeliveries(frames: readonly DemoFrame[]) {
  const byNumber = new Map<string, DemoFrame[]>()
  for (const frame of frames) {
    const number = frame.receipt_number ?? ''
    byNumber.set(number, [...(byNumber.get(number) ?? []), frame])
  }
  const deliveries = [...byNumber].map(([number, came]) => {
    const byVendor = new Map<number, DemoFrame[]>()
    for (const frame of came) byVendor.set(frame.vendor_id, [...(byVendor.get(frame.vendor_id) ?? []), frame])
    const vendors = [...byVendor.values()].toSorted((a, b) => b.length - a.length)
    return { number: Number(/\d+$/.exec(number)?.[0] ?? 0), at: came[0]?.receipt_at ?? '', vendors }
  })
  return deliveries
    .filter(({ at }) => at !== '')
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .slice(-fates.length)
}

/** The lines of the paper invoice for these pieces, by model. The first line has `more` extra pieces. */
function billedFor(came: readonly DemoFrame[], more: number) {
  const lines = new Map<number, { id_model: number; qty: number; list: number | null; discount: number | null }>()
  for (const { id_model, item_list_cost, item_discount } of came) {
    if (typeof id_model !== 'number') continue
    const known = lines.get(id_model)
    const qty = (known?.qty ?? (lines.size === 0 ? more : 0)) + 1
    lines.set(id_model, { id_model, qty, list: item_list_cost ?? null, discount: item_discount ?? null })
  }
  return [...lines.values()]
}

export async function insertDemoReceipts(trx: Transaction<Schema>, demo: ReturnType<typeof demoReceipts>): Promise<void> {
  await trx.insertInto('vendor_contacts').values(demo.contacts).execute()
  if (demo.holders.length === 0) return
  await trx.insertInto('store_invoices').values(demo.holders).execute()
  if (demo.invoices.length === 0) return
  await trx.insertInto('vendor_invoices').values(demo.invoices).execute()
  await trx.insertInto('vendor_invoice_history').values(demo.history).execute()
  const lineColumns = {
    id_vendor_invoice: 'uuid',
    id_model: 'integer',
    place: 'integer',
    qty_invoiced: 'integer',
    list_cost: 'bigint',
    discount_pct: 'double precision',
    net_cost: 'bigint',
  } as const
  await insertRows(trx, 'vendor_invoice_lines', lineColumns, demo.lines)
  await sql`
    update frames set id_vendor_invoice = came.invoice
    from unnest(${demo.pieces.map((piece) => piece.id_inventory)}::int[], ${demo.pieces.map((piece) => piece.id_vendor_invoice)}::uuid[])
      as came (id, invoice)
    where frames.id_inventory = came.id
  `.execute(trx)
}
