import { formatPhone } from '#contract/patients/patient.ts'
import { missingOf } from '#contract/settings/letterhead.ts'
import { eyes, type Prescription } from '#contract/rx/prescription.ts'
import { formatNumber, inNotation } from '#contract/rx/rx-rules.ts'
import type { CylinderNotation } from '#contract/settings/settings.ts'
import { formatDate } from '#src/ui/format.ts'
import { choiceLabel, eyeWords, kindWords, notationWords } from '../words.ts'
import { hasCylinder } from './rx-facts.ts'

export type RxTextParts = {
  patient: string
  storeName: string
  providerName: string | null
  notation: CylinderNotation
  timeZone: string | undefined
}

/** Returns a prescription as plain lines for an email, without the internal notes. */
export function rxText(stored: Prescription, { patient, storeName, providerName, notation, timeZone }: RxTextParts): string {
  const rx = inNotation(stored, notation)
  const lines = [
    `Prescription for ${patient}`,
    `${kindWords[rx.rx_kind]}${rx.rx_kind === 'spectacle' ? `, ${choiceLabel('rx_type', rx.rx_type)?.toLowerCase()}` : ''}`,
    '',
    ...eyes.flatMap((eye) => [`${eye === 'od' ? 'Right eye (OD)' : 'Left eye (OS)'}: ${eyeWords(rx, eye)}`, ...lensLines(rx, eye)]),
    hasCylinder(rx) ? `${notationWords[notation]}.` : null,
    rx.pd_distance_bino === null ? null : `PD: ${formatNumber('pd_distance_bino', rx.pd_distance_bino)} mm`,
    '',
    `Exam: ${dayOf(rx.exam_date)}`,
    `Issued: ${dayOf(rx.issue_date)}`,
    `Expires: ${dayOf(rx.expiry_date)}`,
    rx.signed_by && rx.signed_at ? `Signed by ${rx.signed_by} on ${formatDate(rx.signed_at, timeZone)}` : null,
    rx.notes_to_optician ? `Notes: ${rx.notes_to_optician}` : null,
    '',
    ...prescriberLines(rx, { storeName, providerName }),
  ]
  return lines.filter((line) => line !== null).join('\n')
}

const dayOf = (day: string | null) => (day === null ? '—' : formatDate(day))

/** Returns the prescriber, their address and their numbers. An outside prescription has its own prescriber's. */
export function prescriberLines(
  { is_outside_rx, provider_name, outside_provider_contact, signed_by, letterhead }: Prescription,
  { storeName, providerName }: Pick<RxTextParts, 'storeName' | 'providerName'>,
): string[] {
  const name = (is_outside_rx ? provider_name : (providerName ?? signed_by)) ?? '—'
  const contact = is_outside_rx
    ? (outside_provider_contact?.split('\n') ?? [])
    : [
        storeName,
        letterhead?.street_address,
        letterhead?.address_line_2,
        [letterhead?.city, [letterhead?.state, letterhead?.zip_code].filter(Boolean).join(' ')].filter(Boolean).join(', '),
        letterhead?.phone && `Phone ${formatPhone(letterhead.phone)}`,
        letterhead?.fax && `Fax ${formatPhone(letterhead.fax)}`,
      ]
  return [`Prescriber: ${name}`, ...contact].filter((line): line is string => Boolean(line))
}

/** Returns the detail that US law requires on a contact lens copy and that is missing, or null. */
export function prescriberGap({ rx_kind, is_outside_rx, outside_provider_contact, letterhead }: Prescription): string | null {
  if (rx_kind !== 'contact_lens') return null
  const law = 'US law requires the prescriber’s address, phone and fax on contact lens prescriptions.'
  if (is_outside_rx) return outside_provider_contact ? null : `${law} The outside provider’s contact is missing.`
  const missing = letterhead ? missingOf(letterhead) : ['address', 'phone', 'fax']
  if (missing.length === 0) return null
  return `${law} Missing: ${missing.join(', ')}. A manager can add them in Settings, Optical.`
}

/** Returns the details below the powers of an eye: prisms and PD, or the fitted lens. */
function lensLines(rx: Prescription, eye: 'od' | 'os'): string[] {
  const of = rx[eye]
  const found: string[] = []
  if (rx.rx_kind === 'spectacle') {
    if (of.prism_h) found.push(`prism ${formatNumber('prism_h', of.prism_h)} base ${of.prism_h_base}`)
    if (of.prism_v) found.push(`prism ${formatNumber('prism_v', of.prism_v)} base ${of.prism_v_base}`)
    if (of.pd_distance_mono !== null) found.push(`PD ${formatNumber('pd_distance_mono', of.pd_distance_mono)} mm`)
  } else {
    if (of.brand) found.push([of.manufacturer, of.brand].filter(Boolean).join(' '))
    if (of.material) found.push(`material ${of.material}`)
    if (of.equivalent_brand) found.push(`private label of ${of.equivalent_brand}`)
    if (of.base_curve !== null) found.push(`base curve ${formatNumber('base_curve', of.base_curve)} mm`)
    if (of.base_curve_designation) found.push(`base curve ${of.base_curve_designation}`)
    if (of.diameter !== null) found.push(`diameter ${formatNumber('diameter', of.diameter)} mm`)
    if (of.add_designation) found.push(`add ${choiceLabel('add_designation', of.add_designation)?.toLowerCase()}`)
    if (of.color) found.push(`color ${of.color}`)
  }
  return found.length > 0 ? [`  ${found.join(', ')}`] : []
}
