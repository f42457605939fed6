import type { PatientBalance } from '#contract/money/invoice-money.ts'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import { formatMoney } from '#src/ui/format.ts'
import type { Tone } from '#src/ui/tone.ts'

type Standing = Pick<ListedInvoice, 'status' | 'payment_status' | 'total_cents'>

const paymentWords: Record<ListedInvoice['payment_status'], { word: string; tone: Tone }> = {
  unpaid: { word: 'unpaid', tone: 'warn' },
  partial: { word: 'partly paid', tone: 'info' },
  paid: { word: 'paid', tone: 'good' },
  credit: { word: 'credit', tone: 'aside' },
}

/** Returns the badge of an invoice: whether it is finalized, and its payment. */
export function standingOf({ status, payment_status, total_cents }: Standing): { words: string; tone: Tone } {
  const { word, tone } = paymentWords[payment_status]
  if (status === 'finalized') return { words: `Finalized, ${word}`, tone }
  const title = status === 'draft' ? 'Draft' : 'Voided'
  // A draft is not due yet, but a payment on it is worth showing.
  const wasPaid = payment_status === 'partial' || payment_status === 'credit' || (payment_status === 'paid' && total_cents > 0)
  return wasPaid ? { words: `${title}, ${word}`, tone } : { words: title, tone: 'neutral' }
}

/** `Owes $58.00`, `Credit $2.00`, `No balance`. */
export function owedWords(cents: number): string {
  if (cents === 0) return 'No balance'
  return cents > 0 ? `Owes ${formatMoney(cents)}` : `Credit ${formatMoney(-cents)}`
}

/** Returns the patient's part of the balance, and the insurer's part if there is one. */
export function balanceWords({ pt_balance_cents: patient, ins_balance_cents: insurance }: PatientBalance): string {
  if (insurance === 0) return owedWords(patient)
  return `${owedWords(patient)}, insurance ${insurance > 0 ? 'owes' : 'overpaid'} ${formatMoney(Math.abs(insurance))}`
}
