import { type SecurityEntry, type SecurityKind, securityKinds, type SecurityView } from '#contract/people/security-log.ts'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'

const kindWords: Record<SecurityKind, string> = {
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'sign-in-failed': 'Failed sign-in',
  'locked-out': 'Locked out after failed sign-ins',
  'pins-blocked-tablet': 'PINs turned off on a tablet after wrong tries',
  'pins-blocked': 'PINs turned off everywhere after wrong tries',
  'pin-changed': 'New PIN',
  'token-reused': 'Copied session ended',
  'tablet-revoked': 'Tablet revoked',
  refused: 'Refused',
  'refusals-repeated': 'Many refusals in a row',
  'ssn-revealed': 'Viewed a Social Security number',
  exported: 'Exported',
  printed: 'Printed',
  'patients-searched': 'Searched patients',
  'patients-mirrored': 'Downloaded patients to a tablet',
}

/** The choices of the filter by event. */
export const viewOptions: { value: SecurityView; label: string }[] = [
  { value: 'events', label: 'Events' },
  { value: 'alerts', label: 'Alerts' },
  { value: 'reads', label: 'Bulk patient views' },
  { value: 'everything', label: 'Everything' },
  ...securityKinds.map((kind) => ({ value: kind, label: kindWords[kind] })),
]

const ways: Record<string, string> = {
  password: 'with the password',
  pin: 'with the PIN',
  'rx print': 'a prescription',
  'rx export': 'a prescription',
  'rx email': 'a prescription by email',
}

/** Describes an event in a line: its kind, and its count or detail. Calls and codes stay as the server wrote them. */
export function eventWords({ kind, detail, times }: Pick<SecurityEntry, 'kind' | 'detail' | 'times'>): string {
  const what = kindWords[kind]
  if (kind === 'patients-searched') return `${what}, ${formatNumberOf(times, 'patient')} shown`
  if (kind === 'patients-mirrored') return `${what}, ${formatNumberOf(times, 'patient')} on the first page`
  if (kind === 'tablet-revoked') return what
  const said = ways[detail] ?? detail
  const line = said === '' ? what : kind === 'signed-in' || kind === 'sign-in-failed' ? `${what} ${said}` : `${what}: ${said}`
  return times > 1 ? `${line} (${formatCount(times)} times)` : line
}
