/**
 * The totals of an invoice. Nobody stores them: both sides compute them from lines and entries by these rules. Amounts
 * are whole cents. A share is rounded half up once per line, and an amount taken back rounds like the one given.
 */

export const invoiceStatuses = ['draft', 'finalized', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const paymentStatuses = ['unpaid', 'partial', 'paid', 'credit'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export type LineKind =
  | 'exam'
  | 'service'
  | 'frame'
  | 'lens'
  | 'lens_option'
  | 'contact_lens'
  | 'accessory'
  | 'warranty'
  | 'fee'
  | 'adjustment'

export const patientPaymentKinds = [
  'cash',
  'check',
  'visa',
  'mc',
  'amex',
  'discover',
  'debit',
  'care_credit',
  'fsa_hsa',
  'gift_card',
  'patient_balance',
] as const

/**
 * `refund` is money that goes back to the patient. `adjustment` is an amount that the contract with an insurer
 * forgives. `transfer_to_patient` is an amount that an insurer denied and the patient has to pay.
 */
export const entryKinds = [...patientPaymentKinds, 'insurance', 'refund', 'adjustment', 'transfer_to_patient'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The fields of a line that totals need. `tax_rate_pct` is 0 where the line is exempt. */
export type MoneyLine = {
  qty: number
  unit_price_cents: number
  discount_cents: number
  /** The discount when it was given as a share; `discount_cents` is 0 then. */
  discount_pct: number | null
  tax_rate_pct: number
  insurance_cents: number
  writeoff_cents: number
}

/**
 * The fields of an entry that totals need. An entry that `reverses` another undoes its amount; the ledger keeps both.
 */
export type MoneyEntry = { kind: EntryKind; amount_cents: number; reverses: string | null }

export type LineAmounts = { gross_cents: number; discount_cents: number; net_cents: number; tax_cents: number; patient_cents: number }

export function lineAmounts(line: MoneyLine): LineAmounts {
  const gross = line.qty * line.unit_price_cents
  const discount = line.discount_pct === null ? line.discount_cents : shareOf(gross, line.discount_pct)
  const net = gross - discount
  const tax = shareOf(net, line.tax_rate_pct)
  return {
    gross_cents: gross,
    discount_cents: discount,
    net_cents: net,
    tax_cents: tax,
    patient_cents: net + tax - line.insurance_cents - line.writeoff_cents,
  }
}

export type InvoiceAmounts = {
  total_cents: number
  /** The expected payments of insurers, without denied amounts. */
  ins_expected_cents: number
  writeoff_cents: number
  pt_due_cents: number
  pt_balance_cents: number
  ins_balance_cents: number
  /** Above 0 the amount is owed; below 0 it is credit. */
  balance_cents: number
  /** Payments of patient and insurers, less refunds. */
  received_cents: number
}

/** A void invoice claims nothing; earlier payments on it are credit. */
export function invoiceAmounts(status: InvoiceStatus, lines: readonly MoneyLine[], entries: readonly MoneyEntry[]): InvoiceAmounts {
  const claimed = status === 'void' ? [] : lines
  const sums = sumsOf(entries)
  const total = sumOf(claimed, (line) => {
    const { net_cents, tax_cents } = lineAmounts(line)
    return net_cents + tax_cents
  })
  const writeoff = sumOf(claimed, (line) => line.writeoff_cents)
  const expected = sumOf(claimed, (line) => line.insurance_cents) - sums.transferred
  const due = total - expected - writeoff
  const patient = due - sums.byPatient + sums.refunds
  const insurance = expected - sums.byInsurance - sums.adjustments
  return {
    total_cents: total,
    ins_expected_cents: expected,
    writeoff_cents: writeoff,
    pt_due_cents: due,
    pt_balance_cents: patient,
    ins_balance_cents: insurance,
    balance_cents: patient + insurance,
    received_cents: sums.byPatient + sums.byInsurance - sums.refunds,
  }
}

/** One side's overpayment does not pay for the other: a patient's credit does not settle the insurer's debt. */
export function paymentStatusOf(amounts: Pick<InvoiceAmounts, 'pt_balance_cents' | 'ins_balance_cents' | 'received_cents'>): PaymentStatus {
  const { pt_balance_cents: patient, ins_balance_cents: insurance, received_cents: received } = amounts
  if (patient > 0 || insurance > 0) return received > 0 ? 'partial' : 'unpaid'
  return patient + insurance < 0 ? 'credit' : 'paid'
}

export type PatientBalance = { balance_cents: number; pt_balance_cents: number; ins_balance_cents: number }

/** The balance over all finalized invoices. A draft may still change and claims nothing yet. */
export function patientBalance(
  invoices: readonly { status: InvoiceStatus; amounts: Pick<InvoiceAmounts, 'pt_balance_cents' | 'ins_balance_cents'> }[],
): PatientBalance {
  const finalized = invoices.filter(({ status }) => status === 'finalized')
  const patient = sumOf(finalized, ({ amounts }) => amounts.pt_balance_cents)
  const insurance = sumOf(finalized, ({ amounts }) => amounts.ins_balance_cents)
  return { balance_cents: patient + insurance, pt_balance_cents: patient, ins_balance_cents: insurance }
}

function sumsOf(entries: readonly MoneyEntry[]) {
  const sums = { byPatient: 0, byInsurance: 0, refunds: 0, adjustments: 0, transferred: 0 }
  for (const { kind, amount_cents, reverses } of entries) sums[sides[kind]] += reverses === null ? amount_cents : -amount_cents
  return sums
}

const sides = {
  ...(Object.fromEntries(patientPaymentKinds.map((kind) => [kind, 'byPatient'])) as Record<
    (typeof patientPaymentKinds)[number],
    'byPatient'
  >),
  insurance: 'byInsurance',
  refund: 'refunds',
  adjustment: 'adjustments',
  transfer_to_patient: 'transferred',
} as const satisfies Record<EntryKind, string>

/** Rates have up to four decimals; a binary fraction of 8.1 % would be off by a cent where half a cent decides. */
const rateScale = 10_000

/** A share of an amount in whole cents, rounded half up away from nothing. */
export function shareOf(cents: number, percent: number): number {
  const whole = 100n * BigInt(rateScale)
  const part = BigInt(Math.abs(cents)) * BigInt(Math.round(percent * rateScale))
  const rounded = Number((2n * part + whole) / (2n * whole))
  return cents < 0 && rounded !== 0 ? -rounded : rounded
}

function sumOf<T>(list: readonly T[], amount: (item: T) => number): number {
  return list.reduce((sum, item) => sum + amount(item), 0)
}
