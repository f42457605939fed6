import type { IntakeField, InvitationPreview, PortalInvitation } from '#contract/patients/portal.ts'
import type { Tone } from '#src/ui/tone.ts'

/** The lists of the portal, as its address names them. */
const portalParts = ['invitations', 'messages', 'forms'] as const
export type PortalPart = (typeof portalParts)[number]

export const isPortalPart = (value: unknown): value is PortalPart => portalParts.some((part) => part === value)

export const offlineWords = 'Portal messages and forms are available online.'

export const stateWords: Record<PortalInvitation['status'], { word: string; tone: Tone }> = {
  sent: { word: 'Sent', tone: 'info' },
  accepted: { word: 'Accepted', tone: 'good' },
  expired: { word: 'Expired', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'neutral' },
}

/** Why this patient cannot get an email, and how to solve it. */
export const mailProblemWords: Record<NonNullable<InvitationPreview['email_problem']>, string> = {
  'messages-not-configured': 'Email isn’t set up on this server. It needs a mail server and a sender address.',
  'consent-missing': 'The patient hasn’t consented to emails.',
  'contact-unwanted': 'The patient doesn’t want to be contacted.',
  'address-missing': 'No email address on file for this patient.',
}

/** Returns the state of the email in words, or says that the link was handed over. */
export function deliveryWords({ way, email, email_status: status }: Pick<PortalInvitation, 'way' | 'email' | 'email_status'>): string {
  if (way === 'link') return 'Link given in person'
  const to = email ?? 'the patient'
  if (status === 'queued') return `Sending to ${to}`
  if (status === 'failed') return `Couldn’t send to ${to}`
  if (status === 'unknown') return `Sent to ${to}, delivery not confirmed`
  return `Email to ${to}`
}

export const fieldLabels: Record<IntakeField, string> = {
  street_address: 'Address',
  address_line_2: 'Addr. 2',
  city: 'City',
  state: 'State',
  zip_code: 'Zip',
  phone: 'Cell',
  phone_home: 'Home phone',
  cell_work: 'Work phone',
  email: 'Email',
  preferred_contact: 'Preferred contact',
  allergies: 'Allergies',
  medications: 'Medications',
  ocular_history: 'Eye history',
}
const contactWords: Record<string, string> = { sms: 'SMS', email: 'Email', call: 'Call', none: 'None' }

/** Returns the value of a field in words. */
export function fieldWords(field: IntakeField, value: string | null): string {
  if (value === null || value === '') return 'empty'
  if (field === 'preferred_contact') return contactWords[value] ?? value
  if (field === 'phone' || field === 'phone_home' || field === 'cell_work') return value.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
  return value
}
