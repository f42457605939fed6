import * as v from 'valibot'
import { day } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { messageStatuses } from '#contract/patients/messages.ts'
import { optionalText, orNull, patientFields } from '#contract/patients/patient.ts'
import { instant, requiredText, rowId, uuid } from '#contract/core/primitives.ts'
import { stateCodes } from '#contract/core/us-states.ts'

/**
 * The patient portal. The clinic invites a patient. The patient opens a page of ours with their own link and date of
 * birth, and sends information that the clinic then reads. Their consents are the only thing sent that changes the
 * record without a user.
 */

/** A link that nobody accepts in this time opens nothing anymore; an accepted link opens the portal for longer. */
export const invitationDays = 7
export const acceptedDays = 30
/** After so many wrong dates of birth a link is locked, until the clinic sends another. */
export const wrongDatesAllowed = 5

export const portalPageSize = 50
export const invitationStates = ['sent', 'accepted', 'expired', 'revoked'] as const
export type InvitationState = (typeof invitationStates)[number]
/** By email, or as a link that a user hands over. */
export const invitationWays = ['email', 'link'] as const
export type InvitationWay = (typeof invitationWays)[number]

/** The fields of the record that a patient may fill in. Only people read `insurance` beside them. */
export const intakeFields = {
  street_address: optionalText(200),
  address_line_2: optionalText(200),
  city: optionalText(100),
  state: orNull(v.picklist(stateCodes, 'must be a state')),
  zip_code: orNull(v.pipe(v.string(), v.trim(), v.regex(/^\d{5}(-\d{4})?$/, 'must be 12345 or 12345-6789'))),
  phone: patientFields.phone,
  phone_home: patientFields.phone_home,
  cell_work: patientFields.cell_work,
  email: patientFields.email,
  preferred_contact: patientFields.preferred_contact,
  allergies: patientFields.allergies,
  medications: patientFields.medications,
  ocular_history: patientFields.ocular_history,
} as const
export type IntakeField = keyof typeof intakeFields
export const intakeFieldNames = Object.keys(intakeFields) as IntakeField[]
/** An empty answer says nothing: it never empties a field on file. */
export const intakeAnswers = v.object({ ...intakeFields, insurance: optionalText(2000) })
export type IntakeAnswers = v.InferOutput<typeof intakeAnswers>

// --- the patient's side: the body of every call carries the link and the date of birth

/** 256 bits, as written after the `#` of a link. */
const portalToken = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be a link of the portal'))
const proof = { token: portalToken, dob: day }
const patientCallRefuses = ['portal-closed', 'request-too-frequent'] as const

const portalView = v.object({
  clinic_name: v.string(),
  first_name: v.string(),
  accepted: v.boolean(),
  /** The end of the link. */
  open_until: instant,
  sms_consent: v.boolean(),
  email_consent: v.boolean(),
  hipaa_ack: v.boolean(),
  intakes: v.array(v.object({ id: uuid, at: instant, reviewed: v.boolean() })),
  messages: v.array(v.object({ id: uuid, at: instant, from: v.picklist(['you', 'clinic']), by: v.string(), text: v.string() })),
})
export type PortalView = v.InferOutput<typeof portalView>

export const openPortal = endpoint({
  method: 'POST',
  path: '/api/portal/open',
  summary: 'The portal for a patient with the link and the date of birth; every refusal gets the same answer',
  access: 'public',
  body: v.object(proof),
  response: portalView,
  refuses: patientCallRefuses,
})

export const agreeInPortal = endpoint({
  method: 'POST',
  path: '/api/portal/agree',
  summary: 'A patient accepts the invitation, and says which messages they want',
  access: 'public',
  body: v.object({ ...proof, sms_consent: v.boolean(), email_consent: v.boolean(), hipaa_ack: v.boolean() }),
  response: portalView,
  refuses: patientCallRefuses,
})

export const sendIntake = endpoint({
  method: 'POST',
  path: '/api/portal/intake',
  summary: 'A patient tells what the clinic should know; it is written into the record only by people',
  access: 'public',
  body: v.object({ ...proof, id: uuid, answers: intakeAnswers }),
  response: portalView,
  refuses: [...patientCallRefuses, 'key-reused'],
})

export const sendPortalMessage = endpoint({
  method: 'POST',
  path: '/api/portal/message',
  summary: 'A patient writes to the clinic',
  access: 'public',
  body: v.object({ ...proof, id: uuid, text: requiredText(4000) }),
  response: portalView,
  refuses: [...patientCallRefuses, 'key-reused'],
})

// --- the clinic's side

const whose = { id_patient: uuid, patient_name: v.string(), store_name: v.string() }

const portalInvitation = v.object({
  id: uuid,
  ...whose,
  way: v.picklist(invitationWays),
  /** The address of the last email; null when the link was handed over. */
  email: v.nullable(v.string()),
  /** The status of that email. */
  email_status: v.nullable(v.picklist(messageStatuses)),
  sent_at: instant,
  sent_by: v.string(),
  sends: v.number(),
  expires_at: instant,
  accepted_at: v.nullable(instant),
  status: v.picklist(invitationStates),
  /**
   * Shows whether the link works: locked after too many wrong dates of birth, ended when its time is over or a user
   * revoked it.
   */
  link: v.picklist(['open', 'locked', 'ended']),
  sms_consent_at: v.nullable(instant),
  email_consent_at: v.nullable(instant),
  hipaa_ack_at: v.nullable(v.string()),
})
export type PortalInvitation = v.InferOutput<typeof portalInvitation>

const sentInvitation = v.object({
  invitation: portalInvitation,
  /** `/portal#…` when a user hands it over. Another sending never returns it again. */
  link: v.nullable(v.string()),
})

const ofRow = v.object({ id: uuid })
const ofPatient = ['patient-unknown', 'patient-of-other-store'] as const
const mailRefuses = ['messages-not-configured', 'consent-missing', 'contact-unwanted', 'address-missing', 'message-too-frequent'] as const
const sending = { way: v.picklist(invitationWays) }

export const portalSummary = endpoint({
  method: 'GET',
  path: '/api/portal/summary',
  summary: 'How much of the portal waits for somebody',
  access: 'patient.read',
  response: v.object({ invitations: v.number(), messages: v.number(), unread: v.number(), intakes: v.number() }),
})

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/portal/invitations',
  summary: `Invitations to the portal, newest first, ${portalPageSize} to a page`,
  access: 'patient.read',
  query: v.object({ status: v.optional(v.picklist(invitationStates)), page: pageQuery(5) }),
  response: pageOfSize(portalPageSize, { invitations: v.array(portalInvitation) }),
})

export const previewInvitation = endpoint({
  method: 'GET',
  path: '/api/portal/preview/{id}',
  summary: 'What a patient would be sent and see; it has no effect',
  access: 'patient.read',
  params: ofRow,
  response: v.object({
    patient_name: v.string(),
    first_name: v.string(),
    clinic_name: v.string(),
    subject: v.string(),
    text: v.string(),
    email: v.nullable(v.string()),
    /** Why no email can be sent; null when one can. */
    email_problem: v.nullable(v.picklist(['messages-not-configured', 'consent-missing', 'contact-unwanted', 'address-missing'])),
    has_dob: v.boolean(),
    invitation: v.nullable(portalInvitation),
  }),
  refuses: ofPatient,
})
export type InvitationPreview = v.InferOutput<typeof previewInvitation.response>

export const inviteToPortal = endpoint({
  method: 'POST',
  path: '/api/portal/invitations',
  summary: 'Invite a patient to the portal, by email or with a link to hand over',
  access: 'patient.write',
  body: v.object({ id: uuid, id_patient: uuid, ...sending }),
  response: sentInvitation,
  refuses: [...ofPatient, ...mailRefuses, 'portal-invited', 'portal-birth-date-missing', 'key-reused'],
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/portal/invitations/{id}/resend',
  summary: 'Send an invitation again with a new link; the old one dies',
  access: 'patient.write',
  params: ofRow,
  body: v.object({ id: uuid, ...sending }),
  response: sentInvitation,
  refuses: [...ofPatient, ...mailRefuses, 'invitation-unknown', 'invitation-revoked', 'key-reused'],
})

export const revokeInvitation = endpoint({
  method: 'POST',
  path: '/api/portal/invitations/{id}/revoke',
  summary: 'End an invitation: its link opens nothing any more, and what of it was not sent is not sent',
  access: 'patient.write',
  params: ofRow,
  response: portalInvitation,
  refuses: [...ofPatient, 'invitation-unknown'],
})

const portalMessage = v.object({
  id: uuid,
  ...whose,
  at: instant,
  text: v.string(),
  read_at: v.nullable(instant),
  assigned_to: v.nullable(rowId),
  assigned_rep: v.nullable(v.string()),
  done_at: v.nullable(instant),
  /** Whether the patient could read an answer in the portal now. */
  link: portalInvitation.entries.link,
  answers: v.array(v.object({ id: uuid, at: instant, by: v.string(), way: v.picklist(['portal', 'email']), text: v.string() })),
})
export type PortalMessage = v.InferOutput<typeof portalMessage>

export const listPortalMessages = endpoint({
  method: 'GET',
  path: '/api/portal/messages',
  summary: `What patients wrote, ${portalPageSize} to a page: what is open, oldest first, or what is done, newest first`,
  access: 'message.read',
  query: v.object({ done: v.optional(v.picklist(['yes', 'no']), 'no'), page: pageQuery(5) }),
  response: pageOfSize(portalPageSize, { messages: v.array(portalMessage) }),
})

export const markPortalMessage = endpoint({
  method: 'PUT',
  path: '/api/portal/messages/{id}',
  summary: 'Mark a message as read or not, take it on or put it back, or say that it is done or not',
  access: 'message.write',
  params: ofRow,
  body: v.object({ read: v.optional(v.boolean()), mine: v.optional(v.boolean()), done: v.optional(v.boolean()) }),
  response: portalMessage,
  refuses: [...ofPatient, 'portal-message-unknown'],
})

export const answerPortalMessage = endpoint({
  method: 'POST',
  path: '/api/portal/messages/{id}/answer',
  summary: 'Answer a patient in the portal or by email',
  access: 'message.write',
  params: ofRow,
  body: v.object({ id: uuid, way: v.picklist(['portal', 'email']), text: requiredText(4000) }),
  response: portalMessage,
  refuses: [...ofPatient, ...mailRefuses, 'portal-message-unknown', 'key-reused'],
})

const intakeHead = {
  id: uuid,
  ...whose,
  at: instant,
  reviewed_at: v.nullable(instant),
  reviewed_by: v.nullable(v.string()),
  /** How many fields the patient filled in. */
  filled: v.number(),
  taken: v.nullable(v.array(v.string())),
}

export const listIntakes = endpoint({
  method: 'GET',
  path: '/api/portal/intakes',
  summary: `Forms that patients sent, ${portalPageSize} to a page: new ones, oldest first, or reviewed ones, newest first`,
  access: 'patient.read',
  query: v.object({ reviewed: v.optional(v.picklist(['yes', 'no']), 'no'), page: pageQuery(5) }),
  response: pageOfSize(portalPageSize, { intakes: v.array(v.object(intakeHead)) }),
})
export type IntakeHead = v.InferOutput<typeof listIntakes.response>['intakes'][number]

const sentField = v.object({ field: v.picklist(intakeFieldNames), sent: v.string(), on_file: v.nullable(v.string()) })
const intake = v.object({
  ...intakeHead,
  insurance: v.nullable(v.string()),
  /** The sent values beside those on file now. */
  fields: v.array(sentField),
})
export type Intake = v.InferOutput<typeof intake>

export const readIntake = endpoint({
  method: 'GET',
  path: '/api/portal/intakes/{id}',
  summary: 'A form that a patient sent, beside what is on file; that it was read is kept',
  access: 'patient.read',
  params: ofRow,
  response: intake,
  refuses: [...ofPatient, 'intake-unknown'],
})

export const mergeIntake = endpoint({
  method: 'POST',
  path: '/api/portal/intakes/{id}/merge',
  summary: 'Take these fields of a form into the record, and leave the others; refused where the record was changed meanwhile',
  access: 'patient.write',
  params: ofRow,
  body: v.object({
    /** For each field the value on file that the user saw when they decided. */
    take: v.pipe(
      v.array(v.object({ field: v.picklist(intakeFieldNames), from: v.nullable(v.string()) })),
      v.check((taken) => new Set(taken.map(({ field }) => field)).size === taken.length, 'names a field twice'),
    ),
  }),
  response: intake,
  refuses: [...ofPatient, 'intake-unknown', 'intake-settled', 'patient-changed'],
})

export const portalEndpoints = {
  openPortal,
  agreeInPortal,
  sendIntake,
  sendPortalMessage,
  portalSummary,
  listInvitations,
  previewInvitation,
  inviteToPortal,
  resendInvitation,
  revokeInvitation,
  listPortalMessages,
  markPortalMessage,
  answerPortalMessage,
  listIntakes,
  readIntake,
  mergeIntake,
}
