import type {
  PatientReturnReason,
  PatientReturnStatus,
  RefundMethod,
  RestockPlace,
  Warranty,
} from '#contract/returns/patient-return-rules.ts'
import type { PatientReturn } from '#contract/returns/patient-returns.ts'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import type { Tone } from '#src/ui/tone.ts'

export const patientStatusWords: Record<PatientReturnStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'warn' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  denied: { label: 'Denied', tone: 'bad' },
}

export const patientReasonWords: Record<PatientReturnReason, string> = {
  'non-adapt': 'Non-adapt (lenses)',
  'wrong Rx': 'Wrong Rx',
  'defect frame': 'Defective frame',
  'defect lens': 'Defective lens or coating',
  'changed mind': 'Patient changed mind',
  'doctor’s change': 'Doctor’s change',
  remake: 'Remake',
}

export const placeWords: Record<RestockPlace, string> = {
  to_stock: 'Back to stock',
  defective: 'Defective',
  vendor: 'Back to vendor',
  none: 'Stays with the patient',
}

export const methodWords: Record<RefundMethod, string> = {
  'original tender': 'Original tender',
  'store credit': 'Store credit',
  'gift card': 'Gift card',
}

export const warrantyWords: Record<Warranty, string> = {
  none: 'No warranty',
  manufacturer: 'Manufacturer warranty',
  store: 'Store warranty',
}

/** Returns the returned items as one line of a list. */
export function contentWords({ lines }: Pick<PatientReturn, 'lines'>): string {
  const [first, ...others] = lines
  if (!first) return ''
  const more = others.length === 0 ? '' : `, and ${formatNumberOf(others.length, 'more line')}`
  return `${first.qty > 1 ? `${first.qty} × ` : ''}${first.description}${more}`
}

/** Returns the reasons of the return, each once. */
export function reasonsOf({ lines }: Pick<PatientReturn, 'lines'>): string {
  return [...new Set(lines.map(({ reason }) => patientReasonWords[reason]))].join(', ')
}

/** Returns the refund in words, once it is decided. */
export function refundWords({ money }: Pick<PatientReturn, 'money'>): string {
  if (!money || money.refund_cents === null) return ''
  if (money.refund_cents === 0) return 'Nothing'
  return `${formatMoney(money.refund_cents)}${money.refund_method === null ? '' : `, ${methodWords[money.refund_method].toLowerCase()}`}`
}
