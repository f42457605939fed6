import type { Kysely, Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import {
  acceptedDays,
  invitationDays,
  type InvitationPreview,
  type InvitationWay,
  type PortalInvitation,
} from '#contract/patients/portal.ts'
import { patientName } from '#contract/patients/patient.ts'
import { filledText } from '#contract/patients/messages.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { readInvitations } from '#server/features/patients/portal/invitation-rows.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { factsOf } from '#server/domain/messages/contact.ts'
import { invitationTemplate, linkPlace, portalPath, portalToken, tokenHash } from '#server/domain/messages/portal-link.ts'
import { toBeSent } from '#server/domain/messages/write-message.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import type { PatientRow } from '#server/domain/patients/patient-row.ts'
import type { Services } from '#server/platform/services.ts'

type Asking = { services: Services; scope: Scope; headers: Headers }
type Sent = { invitation: PortalInvitation; link: string | null }
type Row = Selectable<Schema['portal_invitations']>

const dayMs = 86_400_000
export const nowOf = ({ clock }: Pick<Services, 'clock'>) => new Date(clock.now()).toISOString()

const invitationMail = {
  subject: 'Your patient portal at {clinic_name}',
  message: `Hello {first_name},

{clinic_name} invites you to its patient portal. You can choose how we contact you, fill out your form before your visit, and send us a message. This is your personal link:

${linkPlace}

It asks for your date of birth and works for ${invitationDays} days. Please don’t share it. If you didn’t expect this email, you can ignore it.

{staff_name}
{clinic_name}`,
}

/** @throws Refusal with the reason why it cannot go by email */
async function mailTo(call: Asking, db: Kysely<Schema>, patient: PatientRow, at: string) {
  // Without its own address the server could not build the link.
  if (call.services.config.publicUrl === null) throw new Refusal('messages-not-configured', { details: { channel: 'email' } })
  return await toBeSent(call, db, patient, at, { channel: 'email', template: invitationTemplate, ...invitationMail })
}

/** Invites a patient, once for each id. A repeated call gets the same invitation and the same link. */
export async function invite(call: Asking, asked: { id: string; id_patient: string; way: InvitationWay }): Promise<Sent> {
  const { services, scope } = call
  const { pool } = services.db
  const patient = await findPatient(pool, scope, asked.id_patient)
  const id = asked.id.toLowerCase()
  const repeated = async (): Promise<Sent | null> => {
    const row = await rowOf(pool, id)
    if (!row) return null
    if (row.id_patient !== patient.id) throw new Refusal('key-reused')
    // After a later sending, only that call gets the new link.
    return await answered(services, row, row.id_send === id && row.way === asked.way && row.revoked_at === null)
  }
  const before = await repeated()
  if (before) return before
  if (patient.dob === null) throw new Refusal('portal-birth-date-missing')
  try {
    await services.db.write([], async ({ trx }) => {
      const at = nowOf(services)
      const sending = { id, id_send: id }
      const email = await sendInvitation(call, trx, patient, { ...asked, ...sending, at })
      const row = {
        ...sending,
        id_patient: patient.id,
        ...sentBy(call, at, asked.way, email),
        token_hash: tokenHash(portalToken(services.secrets, sending)),
      }
      await trx.insertInto('portal_invitations').values(row).execute()
      await audit(trx, { ...told(scope, patient.id, at), action: 'portal.invite', detail: asked.way })
    })
  } catch (error) {
    const broken = brokenUniqueness(error)
    if (broken === null) throw error
    // Either the same request came twice at one moment, or another invitation was first.
    const first = await repeated()
    if (first) return first
    throw new Refusal(broken === 'portal_invitations_in_force' ? 'portal-invited' : 'key-reused')
  }
  services.messaging.wake()
  return await answered(services, await neededRow(pool, id), true)
}

/**
 * Sends an invitation with a new link, once for each id. The former link no longer opens the portal, and a queued email
 * with it is not sent.
 */
export async function resend(call: Asking, idInvitation: string, asked: { id: string; way: InvitationWay }): Promise<Sent> {
  const { services, scope } = call
  const { pool } = services.db
  const known = await neededRow(pool, idInvitation)
  const patient = await findPatient(pool, scope, known.id_patient)
  const idSend = asked.id.toLowerCase()
  const isRepeat = (row: Row) => row.id_send === idSend && row.way === asked.way && row.revoked_at === null
  if (isRepeat(known)) return await answered(services, known, true)
  try {
    await services.db.write([], async ({ trx }) => {
      const row = await trx.selectFrom('portal_invitations').selectAll().where('id', '=', known.id).forUpdate().executeTakeFirstOrThrow()
      if (row.revoked_at !== null) throw new Refusal('invitation-revoked')
      if (isRepeat(row)) return
      const at = nowOf(services)
      const sending = { id: row.id, id_send: idSend }
      const email = await sendInvitation(call, trx, patient, { ...sending, way: asked.way, at })
      await trx
        .updateTable('portal_invitations')
        .set({
          ...sentBy(call, at, asked.way, email, row.accepted_at === null ? invitationDays : acceptedDays),
          id_send: idSend,
          token_hash: tokenHash(portalToken(services.secrets, sending)),
          sends: row.sends + 1,
          wrong_tries: 0,
        })
        .where('id', '=', row.id)
        .execute()
      await audit(trx, { ...told(scope, patient.id, at), action: 'portal.resend', detail: asked.way })
    })
  } catch (error) {
    if (brokenUniqueness(error) === null) throw error
    throw new Refusal('key-reused')
  }
  services.messaging.wake()
  return await answered(services, await neededRow(pool, known.id), true)
}

/** Ends an invitation. A revoked one does not change. */
export async function revoke({ services, scope }: Asking, id: string): Promise<PortalInvitation> {
  const known = await neededRow(services.db.pool, id)
  const patient = await findPatient(services.db.pool, scope, known.id_patient)
  await services.db.write([], async ({ trx }) => {
    const at = nowOf(services)
    const ended = await trx
      .updateTable('portal_invitations')
      .set({ revoked_at: at })
      .where('id', '=', known.id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (ended) await audit(trx, { ...told(scope, patient.id, at), action: 'portal.revoke' })
  })
  return (await answered(services, await neededRow(services.db.pool, id), false)).invitation
}

/** Returns the email and the page that a patient would get. It writes nothing. */
export async function preview(call: Asking, idPatient: string): Promise<InvitationPreview> {
  const { services, scope } = call
  const { pool } = services.db
  const patient = await findPatient(pool, scope, idPatient)
  const facts = await factsOf(pool, patient, scope.name)
  const inForce = await pool
    .selectFrom('portal_invitations')
    .select('id')
    .where('id_patient', '=', patient.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const [invitation = null] = inForce ? await readInvitations(pool, nowOf(services), { id: inForce.id }) : []
  return {
    patient_name: patientName(patient),
    first_name: facts.first_name,
    clinic_name: facts.clinic_name,
    subject: filledText(invitationMail.subject, facts),
    text: filledText(invitationMail.message, facts),
    email: patient.email,
    email_problem: await mailProblem(call, patient),
    has_dob: patient.dob !== null,
    invitation,
  }
}

async function mailProblem(call: Asking, patient: PatientRow): Promise<InvitationPreview['email_problem']> {
  try {
    await mailTo(call, call.services.db.pool, patient, nowOf(call.services))
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code } = error
    const isLasting =
      code === 'messages-not-configured' || code === 'consent-missing' || code === 'contact-unwanted' || code === 'address-missing'
    return isLasting ? code : null
  }
}

type Sending = { id: string; id_send: string; way: InvitationWay; at: string }

/** Queues the email with the id of the sending. Returns its address, or null when a user hands the link over. */
async function sendInvitation(call: Asking, trx: Transaction<Schema>, patient: PatientRow, sending: Sending): Promise<string | null> {
  if (sending.way === 'link') return null
  const mail = await mailTo(call, trx, patient, sending.at)
  const { id_user, name: rep, store_id } = call.scope
  const row = { id: sending.id_send, id_patient: patient.id, store_id, at: sending.at, id_user, rep, request_hash: sending.id, ...mail }
  await trx.insertInto('messages').values(row).execute()
  return mail.address
}

function sentBy({ scope }: Asking, at: string, way: InvitationWay, email: string | null, days = invitationDays) {
  const expires_at = new Date(Date.parse(at) + days * dayMs).toISOString()
  return { id_user: scope.id_user, rep: scope.name, way, email, sent_at: at, expires_at }
}

async function answered(services: Services, row: Row, tellsLink: boolean): Promise<Sent> {
  const [invitation] = await readInvitations(services.db.pool, nowOf(services), { id: row.id })
  if (!invitation) throw new Refusal('invitation-unknown')
  return { invitation, link: tellsLink && row.way === 'link' ? portalPath(services.secrets, row) : null }
}

async function rowOf(db: Kysely<Schema>, id: string): Promise<Row | undefined> {
  return await db.selectFrom('portal_invitations').selectAll().where('id', '=', id).executeTakeFirst()
}

async function neededRow(db: Kysely<Schema>, id: string): Promise<Row> {
  const row = await rowOf(db, id)
  if (!row) throw new Refusal('invitation-unknown')
  return row
}

export function told(scope: Scope, idPatient: string, at: string) {
  return { id_patient: idPatient, at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
}
