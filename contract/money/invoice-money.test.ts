import { describe, expect, test } from 'vitest'
import {
  entryKinds,
  invoiceAmounts,
  lineAmounts,
  type MoneyEntry,
  type MoneyLine,
  patientBalance,
  patientPaymentKinds,
  paymentStatusOf,
} from '#contract/money/invoice-money.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'

const line = (more: Partial<MoneyLine> = {}): MoneyLine => ({
  qty: 1,
  unit_price_cents: 100_00,
  discount_cents: 0,
  discount_pct: null,
  tax_rate_pct: 0,
  insurance_cents: 0,
  writeoff_cents: 0,
  ...more,
})
const entry = (kind: MoneyEntry['kind'], amount_cents: number, reverses: string | null = null): MoneyEntry => ({
  kind,
  amount_cents,
  reverses,
})

describe('a line', () => {
  test.each([
    ['nothing special', {}, { gross: 100_00, discount: 0, net: 100_00, tax: 0, patient: 100_00 }],
    ['six boxes', { qty: 6, unit_price_cents: 32_50 }, { gross: 195_00, discount: 0, net: 195_00, tax: 0, patient: 195_00 }],
    [
      'an amount off, then tax',
      { discount_cents: 20_00, tax_rate_pct: 8 },
      { gross: 100_00, discount: 20_00, net: 80_00, tax: 6_40, patient: 86_40 },
    ],
    ['a share off', { unit_price_cents: 19_99, discount_pct: 15 }, { gross: 19_99, discount: 3_00, net: 16_99, tax: 0, patient: 16_99 }],
    ['half a cent of tax goes up', { unit_price_cents: 50, tax_rate_pct: 9 }, { gross: 50, discount: 0, net: 50, tax: 5, patient: 55 }],
    ['less than half goes down', { unit_price_cents: 49, tax_rate_pct: 9 }, { gross: 49, discount: 0, net: 49, tax: 4, patient: 53 }],
    [
      'a rate that is no binary fraction',
      { unit_price_cents: 5_00, tax_rate_pct: 8.1 },
      { gross: 5_00, discount: 0, net: 5_00, tax: 41, patient: 5_41 },
    ],
    [
      'a rate of three decimals',
      { unit_price_cents: 80_00, tax_rate_pct: 8.875 },
      { gross: 80_00, discount: 0, net: 80_00, tax: 7_10, patient: 87_10 },
    ],
    [
      '1.005 is half a cent',
      { unit_price_cents: 1_00, tax_rate_pct: 100.5 },
      { gross: 1_00, discount: 0, net: 1_00, tax: 1_01, patient: 2_01 },
    ],
    [
      'insurance and write-off',
      { insurance_cents: 60_00, writeoff_cents: 15_00 },
      { gross: 100_00, discount: 0, net: 100_00, tax: 0, patient: 25_00 },
    ],
    ['what is taken back', { unit_price_cents: -50, tax_rate_pct: 9 }, { gross: -50, discount: 0, net: -50, tax: -5, patient: -55 }],
    ['for nothing', { unit_price_cents: 0, tax_rate_pct: 9 }, { gross: 0, discount: 0, net: 0, tax: 0, patient: 0 }],
  ] as const)('%s', (_name, given, { gross, discount, net, tax, patient }) => {
    expect(lineAmounts(line(given))).toEqual({
      gross_cents: gross,
      discount_cents: discount,
      net_cents: net,
      tax_cents: tax,
      patient_cents: patient,
    })
  })

  test('tax is rounded on each line, not on the sum', () => {
    const three = Array.from({ length: 3 }, () => line({ unit_price_cents: 50, tax_rate_pct: 9 }))
    expect(invoiceAmounts('draft', three, []).total_cents).toBe(165)
  })
})

describe('an invoice', () => {
  // The published plan of the frame: allowance $140 and 20 % off the rest of $200; the patient pays $48.
  const frame = line({ unit_price_cents: 200_00, discount_cents: 12_00, insurance_cents: 140_00 })
  const exam = line({ unit_price_cents: 120_00, insurance_cents: 85_00, writeoff_cents: 25_00 })

  test.each([
    ['nothing paid', [], { pt: 58_00, ins: 225_00, status: 'unpaid' }],
    ['the patient paid', [entry('visa', 58_00)], { pt: 0, ins: 225_00, status: 'partial' }],
    ['all paid', [entry('cash', 58_00), entry('insurance', 225_00)], { pt: 0, ins: 0, status: 'paid' }],
    [
      'a part forgiven by contract',
      [entry('gift_card', 58_00), entry('insurance', 200_00), entry('adjustment', 25_00)],
      { pt: 0, ins: 0, status: 'paid' },
    ],
    [
      'denied, for the patient to pay',
      [entry('visa', 58_00), entry('insurance', 140_00), entry('transfer_to_patient', 85_00)],
      { pt: 85_00, ins: 0, status: 'partial' },
    ],
    ['paid and taken back', [entry('check', 58_00), entry('check', 58_00, 'the first')], { pt: 58_00, ins: 225_00, status: 'unpaid' }],
    [
      'paid and refunded',
      [entry('check', 58_00), entry('insurance', 225_00), entry('refund', 8_00)],
      { pt: 8_00, ins: 0, status: 'partial' },
    ],
    ['too much', [entry('visa', 60_00), entry('insurance', 225_00)], { pt: -2_00, ins: 0, status: 'credit' }],
    ['the patient too much, the insurer nothing', [entry('visa', 283_00)], { pt: -225_00, ins: 225_00, status: 'partial' }],
  ] as const)('%s', (_name, entries, { pt, ins, status }) => {
    const amounts = invoiceAmounts('finalized', [frame, exam], entries)
    expect(amounts).toMatchObject({
      total_cents: 308_00,
      writeoff_cents: 25_00,
      pt_balance_cents: pt,
      ins_balance_cents: ins,
      balance_cents: pt + ins,
    })
    expect(paymentStatusOf(amounts)).toBe(status)
  })

  test('what an insurer denied moves from its side to the patient’s, and the balance stays', () => {
    const before = invoiceAmounts('finalized', [frame, exam], [])
    const after = invoiceAmounts('finalized', [frame, exam], [entry('transfer_to_patient', 85_00)])
    expect(after.ins_expected_cents).toBe(before.ins_expected_cents - 85_00)
    expect(after.pt_due_cents).toBe(before.pt_due_cents + 85_00)
    expect(after.balance_cents).toBe(before.balance_cents)
  })

  test('that is void claims nothing', () => {
    expect(invoiceAmounts('void', [frame, exam], [])).toMatchObject({ total_cents: 0, pt_due_cents: 0, balance_cents: 0 })
  })

  test('balance = total − write-off − all payments + refunds − adjustments, and the patient’s part is the sum of the lines', () => {
    const random = new SeededRandom('invoice money')
    for (let round = 0; round < 2000; round++) {
      const lines = Array.from({ length: random.int(0, 6) }, () => randomLine(random))
      const entries = randomEntries(random)
      const amounts = invoiceAmounts(random.pick(['draft', 'finalized']), lines, entries)
      const sum = (kinds: readonly string[]) =>
        entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, each) => total + each.amount_cents * (each.reverses ? -1 : 1), 0)
      expect(amounts.balance_cents).toBe(
        amounts.total_cents - amounts.writeoff_cents - sum([...patientPaymentKinds, 'insurance']) + sum(['refund']) - sum(['adjustment']),
      )
      const ofLines = lines.reduce((total, each) => total + lineAmounts(each).patient_cents, 0)
      expect(amounts.pt_due_cents).toBe(ofLines + sum(['transfer_to_patient']))
      expect(amounts.balance_cents).toBe(amounts.pt_balance_cents + amounts.ins_balance_cents)
      for (const amount of Object.values(amounts)) expect(Number.isSafeInteger(amount)).toBe(true)
    }
  })

  test('an entry and its reversal are as if neither had been', () => {
    const random = new SeededRandom('reversals')
    for (const kind of entryKinds) {
      const lines = [randomLine(random), randomLine(random)]
      const entries = randomEntries(random)
      const amount = random.int(1, 500_00)
      const undone = [...entries, entry(kind, amount), entry(kind, amount, 'it')]
      expect(invoiceAmounts('finalized', lines, undone)).toEqual(invoiceAmounts('finalized', lines, entries))
    }
  })
})

test('a share rounds as arithmetic does, half up, for every amount and rate', () => {
  const random = new SeededRandom('shares')
  for (let round = 0; round < 5000; round++) {
    const price = random.int(0, 3000_00)
    const rate = random.int(0, 20_0000)
    const tax = lineAmounts(line({ unit_price_cents: price, tax_rate_pct: rate / 10_000 })).tax_cents
    // |tax − price × rate| ≤ ½ cent, and at exactly ½ the greater.
    const off = 2 * (tax * 1_000_000 - price * rate)
    expect(off > -1_000_000 && off <= 1_000_000).toBe(true)
  }
})

test('a patient’s balance is that of the finalized invoices', () => {
  const of = (status: 'draft' | 'finalized' | 'void', patient: number, insurance: number) => ({
    status,
    amounts: { pt_balance_cents: patient, ins_balance_cents: insurance },
  })
  expect(patientBalance([])).toEqual({ balance_cents: 0, pt_balance_cents: 0, ins_balance_cents: 0 })
  expect(patientBalance([of('finalized', 58_00, 225_00), of('finalized', -10_00, 0), of('draft', 99_00, 1_00), of('void', 0, 0)])).toEqual({
    balance_cents: 273_00,
    pt_balance_cents: 48_00,
    ins_balance_cents: 225_00,
  })
})

function randomLine(random: SeededRandom): MoneyLine {
  const byShare = random.chance(0.3)
  const unit = random.chance(0.1) ? -random.int(1, 50_00) : random.int(0, 900_00)
  return line({
    qty: random.int(1, 8),
    unit_price_cents: unit,
    discount_cents: byShare || unit < 0 ? 0 : random.int(0, unit),
    discount_pct: byShare ? random.int(0, 1000) / 10 : null,
    tax_rate_pct: random.chance(0.5) ? random.int(0, 120_000) / 10_000 : 0,
    insurance_cents: random.chance(0.5) ? random.int(0, 300_00) : 0,
    writeoff_cents: random.chance(0.3) ? random.int(0, 90_00) : 0,
  })
}

function randomEntries(random: SeededRandom): MoneyEntry[] {
  return Array.from({ length: random.int(0, 7) }, () =>
    entry(random.pick(entryKinds), random.int(1, 400_00), random.chance(0.2) ? 'another' : null),
  )
}
