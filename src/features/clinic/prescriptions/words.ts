import type { Failure } from '#src/api/outcome.ts'
import type { Prescription, RxEye, RxInput } from '#contract/rx/prescription.ts'
import { formatNumber, type RxNumber } from '#contract/rx/rx-rules.ts'
import { formatDate } from '#src/ui/format.ts'
import { isNumberPath } from './model/typed-rx.ts'

type Choice = { value: string; label: string }
const choices = (labels: Record<string, string>): Choice[] => Object.entries(labels).map(([value, label]) => ({ value, label }))

const statusWords: Record<Prescription['status'], string> = {
  draft: 'Draft, not signed',
  active: 'Active',
  superseded: 'Replaced',
  cancelled: 'Canceled',
  entered_in_error: 'Entered in error',
}
/** Returns the status on a day (`YYYY-MM-DD`). A signed prescription is active only until it expires. */
export function statusOn(today: string, { status, expiry_date }: Pick<Prescription, 'status' | 'expiry_date'>): string {
  return status === 'active' && expiry_date !== null && expiry_date < today ? `Expired on ${formatDate(expiry_date)}` : statusWords[status]
}

export const notationWords = { minus: 'Minus-cylinder form', plus: 'Plus-cylinder form' } as const

export const eyeNames = { od: 'OD, right', os: 'OS, left' } as const

export const kindWords = { spectacle: 'Glasses', contact_lens: 'Contact lenses' } as const

/** The choices of each field that has choices. */
export const choicesOf: Record<string, Choice[]> = {
  rx_type: choices({ single_vision: 'Single vision', bifocal: 'Bifocal', trifocal: 'Trifocal', progressive: 'Progressive' }),
  rx_use: choices({
    distance: 'Distance',
    near: 'Near',
    intermediate: 'Intermediate (computer)',
    full_time: 'Full time',
    safety: 'Safety',
    sun: 'Sun',
  }),
  refraction_source: choices({
    W: 'Current glasses',
    AR: 'Autorefractor',
    MR: 'Manifest (dry)',
    CR: 'Cycloplegic (wet)',
    CTL: 'Contact lenses',
    outside: 'Outside prescription',
  }),
  balance_lens_eye: choices({ none: 'None', od: 'OD (right)', os: 'OS (left)' }),
  prism_h_base: choices({ in: 'In', out: 'Out' }),
  prism_v_base: choices({ up: 'Up', down: 'Down' }),
  cl_modality: choices({
    daily: 'Daily',
    two_week: 'Biweekly',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    annual: 'Annual',
    extended: 'Extended wear',
  }),
  cl_type: choices({
    soft_sphere: 'Soft sphere',
    soft_toric: 'Soft toric',
    soft_multifocal: 'Soft multifocal',
    rgp: 'Rigid (RGP)',
    scleral: 'Scleral',
    hybrid: 'Hybrid',
    cosmetic: 'Cosmetic',
  }),
  add_designation: choices({ low: 'Low', med: 'Medium', high: 'High' }),
  base_curve_designation: choices({ flat: 'Flat', steep: 'Steep' }),
  dominance: choices({ D: 'Dominant', N: 'Non-dominant' }),
}

/** Returns the name of a stored choice. */
export function choiceLabel(field: string, value: string | null): string | null {
  return choicesOf[field]?.find((choice) => choice.value === value)?.label ?? value
}

/** `-2.25 -0.50 x 007 add +2.00`, with plano and sphere in words. */
export function eyeWords(rx: RxInput, eye: 'od' | 'os'): string {
  if (rx.balance_lens_eye === eye) return 'Balance lens'
  if (rx[eye].no_lens) return 'No lens'
  const of: RxEye = rx[eye]
  const power = rx.rx_kind === 'spectacle' ? of.sphere : of.power
  if (power === null) return 'Nothing entered'
  const cylinder = of.cylinder === null ? 'SPH' : `${formatNumber('cylinder', of.cylinder)} x ${formatNumber('axis', of.axis) || '?'}`
  const add = of.add === null ? '' : ` add ${formatNumber('add', of.add)}`
  return `${formatNumber('sphere', power)} ${cylinder}${add}`
}

/** Returns a message for a failure: `NOT SAVED. …` */
export function notDone(what: string, failure: Failure): string {
  return `${what}. ${failure.kind === 'unreachable' ? 'You’re offline. Prescriptions need a connection.' : failure.message}`
}

/** Returns a field's value for a reader, or null when it has none. */
export function shownValue(field: string, value: string | number | boolean | null): string | null {
  if (value === null || value === '' || value === false) return null
  if (value === true) return 'Yes'
  if (typeof value === 'number') return isNumberPath(field) ? formatNumber(field as RxNumber, value) : null
  return field.endsWith('_date') ? formatDate(value) : choiceLabel(field, value)
}
