import type { Insertable } from 'kysely'
import { type EntryKind, invoiceAmounts, type LineKind, type MoneyEntry } from '#contract/money/invoice-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type InvoiceRow = Insertable<Schema['invoices']> & { invoice_no: number }
type LineRow = Insertable<Schema['invoice_items']> & {
  insurance_cents: number
  writeoff_cents: number
  discount_cents: number
  tax_rate_pct: number
}
type EntryRow = Insertable<Schema['invoice_payments']>
export type DemoInvoices = { invoices: InvoiceRow[]; items: LineRow[]; payments: EntryRow[] }

/** The patient of an invoice: someone with something to buy. */
export type DemoBuyer = { id: string; store_id: number; last_exam_date?: string | null | undefined }

export const invoiceColumns = {
  id_invoice: 'uuid',
  invoice_no: 'integer',
  id_patient: 'uuid',
  store_id: 'integer',
  date: 'date',
  sold_by: 'integer',
  provider_id: 'integer',
  status: 'text',
  finalized_at: 'timestamptz',
  finalized_by: 'integer',
  promised_date: 'date',
  note: 'text',
  created_at: 'timestamptz',
  created_by: 'integer',
} as const

export const invoiceItemColumns = {
  item_sale_id: 'uuid',
  id_invoice: 'uuid',
  position: 'integer',
  kind: 'text',
  id_inventory: 'integer',
  sku: 'text',
  code: 'text',
  modifiers: 'text[]',
  description: 'text',
  qty: 'integer',
  unit_price_cents: 'bigint',
  discount_cents: 'bigint',
  discount_pct: 'numeric',
  discount_reason: 'text',
  tax_rate_pct: 'numeric',
  allowed_cents: 'bigint',
  insurance_cents: 'bigint',
  copay_cents: 'bigint',
  writeoff_cents: 'bigint',
} as const

export const invoicePaymentColumns = {
  id_payment: 'uuid',
  id_invoice: 'uuid',
  kind: 'text',
  amount_cents: 'bigint',
  reverses: 'uuid',
  at: 'timestamptz',
  by: 'integer',
  store_id: 'integer',
  reference: 'text',
  card_last4: 'text',
} as const

/** The clinic's prices, with the amount that a vision plan allows. */
const exams = [
  { code: '92014', description: 'Comprehensive exam, established patient', price: 145_00, allowed: 92_00 },
  { code: '92004', description: 'Comprehensive exam, new patient', price: 185_00, allowed: 118_00 },
  { code: '92012', description: 'Intermediate exam', price: 98_00, allowed: 71_00 },
] as const
const lenses = [
  { code: 'V2100', description: 'Single vision lenses, CR-39', price: 55_00 },
  { code: 'V2200', description: 'Bifocal lenses, flat top 28', price: 90_00 },
  { code: 'V2781', description: 'Progressive lenses, free form', price: 185_00 },
] as const
const lensOptions = [
  { code: 'V2750', description: 'Anti-reflective coating', price: 42_50 },
  { code: 'V2744', description: 'Photochromic tint', price: 57_50 },
  { code: 'V2784', description: 'Polycarbonate', price: 30_00 },
] as const
const contacts = ['Daily disposable, 90 lenses', 'Two-week toric, 6 lenses', 'Monthly multifocal, 6 lenses'] as const
const accessories = [
  { description: 'Lens cleaning kit', price: 12_95 },
  { description: 'Hard case', price: 18_00 },
  { description: 'Sport strap', price: 9_50 },
] as const
/** Sales tax by store. Only items that are no medical device are taxed. */
const taxRates: Record<number, number> = { 1: 8, 2: 6.25 }
const copayCents = 10_00
const frameAllowanceCents = 140_00
const tenders = {
  visa: 0.4,
  mc: 0.18,
  debit: 0.14,
  cash: 0.1,
  check: 0.06,
  amex: 0.04,
  discover: 0.02,
  fsa_hsa: 0.04,
  care_credit: 0.02,
} as const
const cards: readonly string[] = ['visa', 'mc', 'debit', 'amex', 'discover', 'fsa_hsa', 'care_credit']
const sellers = demoPeople.filter(({ username }) => username === 'ana' || username === 'leo').map(({ id_user }) => id_user)
const providerId = demoPeople.find(({ username }) => username === 'iris')?.id_user ?? null

/**
 * Invoices for some of the patients. A Sold piece is on at most one finalized invoice of its day, and a piece On Hold
 * on a draft, as far as there are patients for them. Other visits buy an exam, lenses for the patient's own frame,
 * contact lenses or something small.
 */
export function demoInvoices(
  buyers: readonly DemoBuyer[],
  frames: readonly DemoFrame[],
  calendar: DemoCalendar,
  random: SeededRandom,
): DemoInvoices {
  const made: DemoInvoices = { invoices: [], items: [], payments: [] }
  for (const { store_id } of demoStores) {
    const pieces = frames.filter((frame) => frame.store_id === store_id && (frame.status === 'Sold' || frame.status === 'On Hold'))
    for (const buyer of buyers) {
      if (buyer.store_id !== store_id || !random.chance(0.45)) continue
      const piece = random.chance(0.5) ? pieces.pop() : undefined
      if (piece) addVisit(made, buyer, piece, piece.changed_at, calendar, random)
      const others = random.int(piece ? 0 : 1, 3)
      for (let nth = 0; nth < others; nth++) addVisit(made, buyer, null, dayOfVisit(buyer, nth, calendar, random), calendar, random)
    }
  }
  // Invoice numbers follow the order of the days.
  made.invoices.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
  made.invoices.forEach((invoice, at) => (invoice.invoice_no = at + 1))
  return made
}

/** The first visit is on the day of the last exam. Other visits spread over three years. */
function dayOfVisit(buyer: DemoBuyer, nth: number, calendar: DemoCalendar, random: SeededRandom): string {
  if (nth === 0 && buyer.last_exam_date) return `${buyer.last_exam_date}T${random.int(14, 21)}:${random.int(10, 59)}:00.000Z`
  return calendar.daysAgo(random.int(2, 1100), random.int(14, 21) + random.next())
}

function addVisit(
  made: DemoInvoices,
  buyer: DemoBuyer,
  piece: DemoFrame | null,
  at: string,
  calendar: DemoCalendar,
  random: SeededRandom,
): void {
  const isInsured = random.chance(0.55)
  const isRecent = at > calendar.daysAgo(12)
  const status =
    piece?.status === 'On Hold'
      ? 'draft'
      : piece
        ? 'finalized'
        : isRecent && random.chance(0.3)
          ? 'draft'
          : random.chance(0.02)
            ? 'void'
            : 'finalized'
  const id = random.uuid()
  const seller = random.pick(sellers)
  const lines = linesOf(id, piece, buyer.store_id, isInsured, random)
  const hasExam = lines.some(({ kind }) => kind === 'exam')
  const waitsForLab = lines.some(({ kind }) => kind === 'lens' || kind === 'contact_lens')
  made.invoices.push({
    id_invoice: id,
    invoice_no: 0,
    id_patient: buyer.id,
    store_id: buyer.store_id,
    date: at.slice(0, 10),
    sold_by: seller,
    provider_id: hasExam ? providerId : null,
    status,
    finalized_at: status === 'finalized' ? calendar.plus(at, 4) : null,
    finalized_by: status === 'finalized' ? seller : null,
    promised_date: waitsForLab && status !== 'void' ? calendar.plus(at, random.int(6, 11) * 1440).slice(0, 10) : null,
    note: '',
    created_at: at,
    created_by: seller,
  })
  made.items.push(...lines)
  if (status === 'finalized') made.payments.push(...paymentsOf(id, lines, buyer.store_id, seller, at, calendar, random))
}

function linesOf(id: string, piece: DemoFrame | null, storeId: number, isInsured: boolean, random: SeededRandom): LineRow[] {
  const lines: LineRow[] = []
  const add = (kind: LineKind, description: string, price: number, more: Partial<LineRow> = {}) =>
    lines.push({
      item_sale_id: random.uuid(),
      id_invoice: id,
      position: lines.length + 1,
      kind,
      modifiers: [],
      description,
      qty: 1,
      unit_price_cents: price,
      discount_cents: 0,
      tax_rate_pct: 0,
      insurance_cents: 0,
      copay_cents: 0,
      writeoff_cents: 0,
      ...more,
    })
  const visit = piece ? 'glasses' : random.weighted({ exam: 0.4, lenses: 0.2, contacts: 0.22, counter: 0.18 })
  if (visit === 'exam' || (visit !== 'counter' && random.chance(0.55))) {
    const exam = random.pick(exams)
    const covered = {
      allowed_cents: exam.allowed,
      insurance_cents: exam.allowed - copayCents,
      copay_cents: copayCents,
      writeoff_cents: exam.price - exam.allowed,
    }
    add('exam', exam.description, exam.price, { code: exam.code, ...(isInsured && covered) })
    if (random.chance(0.5)) add('service', 'Refraction', 45_00, { code: '92015' })
  }
  if (piece) addFrame(add, piece, isInsured)
  if (visit === 'glasses' || visit === 'lenses') {
    const lens = random.pick(lenses)
    const more = !piece && random.chance(0.2) ? { discount_pct: 10, discount_reason: 'Own frame' } : {}
    add('lens', piece ? lens.description : `${lens.description}, for the patient’s own frame`, lens.price, {
      code: lens.code,
      modifiers: ['RT', 'LT'],
      qty: 2,
      ...more,
    })
    for (const option of lensOptions)
      if (random.chance(0.35)) add('lens_option', option.description, option.price, { code: option.code, qty: 2 })
  }
  if (visit === 'contacts') {
    const [price, boxes] = [random.int(58, 72) * 100, random.pick([2, 4])]
    const allowance = Math.min(120_00, boxes * price)
    const covered = { allowed_cents: allowance, insurance_cents: allowance }
    add('contact_lens', random.pick(contacts), price, { code: 'V2520', qty: boxes, ...(isInsured && covered) })
  }
  if (visit === 'counter' || random.chance(0.12)) {
    const accessory = random.pick(accessories)
    add('accessory', accessory.description, accessory.price, { qty: random.int(1, 2), tax_rate_pct: taxRates[storeId] ?? 0 })
  }
  return lines
}

/** The usual plan: an allowance, and a fifth off the price above it. */
function addFrame(
  add: (kind: LineKind, description: string, price: number, more: Partial<LineRow>) => void,
  piece: DemoFrame,
  isInsured: boolean,
): void {
  const price = Number(piece.pb_selling_price)
  const above = Math.max(0, price - frameAllowanceCents)
  const covered = { allowed_cents: Math.min(price, frameAllowanceCents), insurance_cents: Math.min(price, frameAllowanceCents) }
  const discount = above > 0 ? { discount_cents: Math.round(above / 5), discount_reason: 'Plan: 20% off above the allowance' } : {}
  add('frame', `${piece.variant.brand.name} ${piece.title_product}, ${piece.title_variant}`, price, {
    id_inventory: piece.id_inventory,
    sku: piece.sku,
    code: 'V2020',
    ...(isInsured && { ...covered, ...discount }),
  })
}

/** Most patients pay at once. Insurers take weeks, sometimes pay less, and seldom nothing. */
function paymentsOf(
  id: string,
  lines: readonly LineRow[],
  storeId: number,
  seller: number,
  at: string,
  calendar: DemoCalendar,
  random: SeededRandom,
): EntryRow[] {
  const entries: (EntryRow & MoneyEntry)[] = []
  const add = (kind: EntryKind, amount: number, when: string, more: Partial<EntryRow> = {}) => {
    if (amount <= 0 || when >= calendar.daysAgo(0, 0)) return
    entries.push({
      id_payment: random.uuid(),
      id_invoice: id,
      kind,
      amount_cents: amount,
      at: when,
      by: seller,
      store_id: storeId,
      reference: '',
      ...more,
      reverses: more.reverses ?? null,
    })
  }
  const pay = (amount: number, when: string) => {
    const kind = random.weighted(tenders)
    const card = cards.includes(kind)
      ? { card_last4: String(random.int(1000, 9999)) }
      : kind === 'check'
        ? { reference: `No. ${random.int(100, 2999)}` }
        : {}
    add(kind, amount, when, card)
  }
  const money = lines.map((line) => ({ ...line, discount_pct: line.discount_pct ?? null }))
  const standing = () => invoiceAmounts('finalized', money, entries)
  const due = standing().pt_balance_cents
  const deposit = random.chance(0.2) && due > 100_00 ? Math.round(due / 2) : random.chance(0.05) ? 0 : due
  pay(deposit, calendar.plus(at, 5))
  // A typing mistake, reversed minutes later.
  const first = entries[0]
  if (first && random.chance(0.02)) {
    add(first.kind, first.amount_cents, calendar.plus(at, 6), { reverses: first.id_payment, card_last4: first.card_last4 ?? null })
    pay(deposit, calendar.plus(at, 7))
  }
  const expected = standing().ins_balance_cents
  const answered = calendar.plus(at, random.int(12, 40) * 1440)
  if (random.chance(0.05)) add('transfer_to_patient', expected, answered, { reference: 'Denied: not eligible on the day' })
  else if (random.chance(0.93)) {
    const forgiven = random.chance(0.1) ? Math.min(expected, random.int(2, 12) * 100) : 0
    add('insurance', expected - forgiven, answered, { reference: `Remittance ${random.int(100_000, 999_999)}` })
    add('adjustment', forgiven, answered, { reference: 'By contract' })
  }
  const rest = standing().pt_balance_cents
  if (rest > 0 && random.chance(0.85)) pay(rest, calendar.plus(at, random.int(8, 60) * 1440))
  return entries
}
