import { type Kysely, type Selectable, sql } from 'kysely'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import { Refusal } from '#contract/core/errors.ts'
import { acceptedDays, type IntakeAnswers, type PortalView, wrongDatesAllowed } from '#contract/patients/portal.ts'
import type { RevisionScope, Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { nowOf } from '#server/features/patients/portal/invitations.ts'
import { rateLimiter, type RateLimits } from '#server/platform/http/rate-limit.ts'
import { tokenHash } from '#server/domain/messages/portal-link.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { putConsent } from '#server/domain/patients/change-consent.ts'
import type { PatientRow } from '#server/domain/patients/patient-row.ts'
import type { Services } from '#server/platform/services.ts'

type Knocking = { services: Services; address: string; body: { token: string; dob: string } }
type Invitation = Selectable<Schema['portal_invitations']>
/** The work of an admitted patient, in the transaction that proved who they are. */
type Work = (inside: { writing: Writing; invitation: Invitation; patient: PatientRow; at: string }) => Promise<void>

/** Enough for a household behind one address to fill in its forms, and too little for a program that guesses dates. */
const perAddress: RateLimits = { burst: 60, perSecond: 0.5 }
const perLink: RateLimits = { burst: 20, perSecond: 0.1 }
const limiters = new WeakMap<object, { address: (key: string) => number; link: (key: string) => number }>()

const mostOpenIntakes = 5
const mostMessagesADay = 20
const dayMs = 86_400_000
/** The author of the patient's own work in every log. */
const theirself = { id_user: null, name: 'Patient, in the portal' }

export async function openPortal(call: Knocking): Promise<PortalView> {
  return await letIn(call)
}

export async function agree(call: Knocking & { body: { sms_consent: boolean; email_consent: boolean; hipaa_ack: boolean } }) {
  const { sms_consent, email_consent, hipaa_ack } = call.body
  return await letIn(call, async ({ writing, invitation, patient, at }) => {
    if (invitation.accepted_at === null) {
      const expires_at = new Date(Date.parse(at) + acceptedDays * dayMs).toISOString()
      await writing.trx.updateTable('portal_invitations').set({ accepted_at: at, expires_at }).where('id', '=', invitation.id).execute()
      await audit(writing.trx, { ...told(patient, at), action: 'portal.accept' })
    }
    await putConsent(writing, patient, { sms_consent, email_consent, hipaa_ack }, { ...told(patient, at), reason: 'in the portal' })
  })
}

/** Receives a form, once for each id. */
export async function takeIntake(call: Knocking & { body: { id: string; answers: IntakeAnswers } }): Promise<PortalView> {
  const { answers } = call.body
  const id = call.body.id.toLowerCase()
  return await letIn(call, async ({ writing: { trx }, invitation, patient, at }) => {
    refuseBeforeAccepted(invitation)
    const known = await trx.selectFrom('portal_intakes').select(['id_patient', 'answers']).where('id', '=', id).executeTakeFirst()
    if (known) return refuseOther(known.id_patient === patient.id && canonicalJson(known.answers) === canonicalJson(answers))
    if (Object.values(answers).every((answer) => answer === null)) {
      throw new Refusal('request-invalid', { fields: [{ path: 'body.answers', message: 'needs at least one answer' }] })
    }
    const open = await trx
      .selectFrom('portal_intakes')
      .select(sql<number>`count(*)`.as('count'))
      .where('id_invitation', '=', invitation.id)
      .where('reviewed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (open.count >= mostOpenIntakes) throw new Refusal('request-too-frequent', { retry_after_s: dayMs / 1000 })
    const row = { id, id_invitation: invitation.id, id_patient: patient.id, at, answers: JSON.stringify(answers) }
    await trx
      .insertInto('portal_intakes')
      .values({ ...row, taken: null, reviewed_at: null, reviewed_by: null, rep: null })
      .execute()
    await audit(trx, { ...told(patient, at), action: 'portal.intake' })
  })
}

/** Receives a message to the clinic, once for each id. */
export async function takeMessage(call: Knocking & { body: { id: string; text: string } }): Promise<PortalView> {
  const id = call.body.id.toLowerCase()
  const body = call.body.text
  return await letIn(call, async ({ writing: { trx }, invitation, patient, at }) => {
    refuseBeforeAccepted(invitation)
    const known = await trx
      .selectFrom('portal_messages')
      .select(['id_patient', 'body', 'id_answered'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (known) return refuseOther(known.id_patient === patient.id && known.body === body && known.id_answered === null)
    const today = await trx
      .selectFrom('portal_messages')
      .select(sql<number>`count(*)`.as('count'))
      .where('id_invitation', '=', invitation.id)
      .where('id_answered', 'is', null)
      .where('at', '>', new Date(Date.parse(at) - dayMs).toISOString())
      .executeTakeFirstOrThrow()
    if (today.count >= mostMessagesADay) throw new Refusal('request-too-frequent', { retry_after_s: dayMs / 1000 })
    const nobody = { id_answered: null, read_at: null, assigned_to: null, assigned_rep: null, done_at: null }
    await trx
      .insertInto('portal_messages')
      .values({ id, id_invitation: invitation.id, id_patient: patient.id, way: 'portal', at, id_user: null, rep: '', body, ...nobody })
      .execute()
    await audit(trx, { ...told(patient, at), action: 'portal.message' })
  })
}

/**
 * Admits a patient who has the link and knows the date of birth, does their work, and returns their page. A wrong date
 * counts against the link, under its lock, so that many tries at once get no more than the limit. Every refusal gets
 * the same answer.
 * @throws Refusal portal-closed, request-too-frequent
 */
async function letIn(call: Knocking, work?: Work): Promise<PortalView> {
  const { services } = call
  const token_hash = tokenHash(call.body.token)
  refuseTooFrequent(services, call.address, token_hash)
  const known = await services.db.pool
    .selectFrom('portal_invitations as invitation')
    .innerJoin('patients', 'patients.id', 'invitation.id_patient')
    .select(['patients.id', 'patients.store_id'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (!known) throw new Refusal('portal-closed')
  const scopes: RevisionScope[] = work ? [`patients:${known.store_id}`] : []
  const view = await services.db.write(scopes, async (writing) => {
    const { trx } = writing
    const at = nowOf(services)
    const invitation = await trx
      .selectFrom('portal_invitations')
      .selectAll()
      .where('token_hash', '=', token_hash)
      .forUpdate()
      .executeTakeFirst()
    if (!invitation || invitation.revoked_at !== null || invitation.expires_at <= at) return null
    if (invitation.wrong_tries >= wrongDatesAllowed) return null
    const patient = await trx.selectFrom('patients').selectAll().where('id', '=', known.id).executeTakeFirstOrThrow()
    if (patient.dob === null || patient.dob !== call.body.dob) {
      await countWrong(trx, invitation, patient, at)
      return null
    }
    if (invitation.wrong_tries > 0) await setTries(trx, invitation, 0)
    await work?.({ writing, invitation, patient, at })
    return await viewOf(trx, invitation.id, patient.id)
  })
  if (view === null) throw new Refusal('portal-closed')
  return view
}

async function countWrong(trx: Writing['trx'], invitation: Invitation, patient: PatientRow, at: string): Promise<void> {
  const tries = invitation.wrong_tries + 1
  await setTries(trx, invitation, tries)
  if (tries === wrongDatesAllowed) await audit(trx, { ...told(patient, at), action: 'portal.lock', detail: 'wrong date of birth' })
}

async function setTries(trx: Writing['trx'], { id }: Invitation, wrong_tries: number): Promise<void> {
  await trx.updateTable('portal_invitations').set({ wrong_tries }).where('id', '=', id).execute()
}

function refuseTooFrequent({ db }: Services, address: string, link: string): void {
  let limits = limiters.get(db)
  if (!limits) {
    limits = { address: rateLimiter(perAddress), link: rateLimiter(perLink) }
    limiters.set(db, limits)
  }
  const wait = Math.max(limits.address(address), limits.link(link))
  if (wait > 0) throw new Refusal('request-too-frequent', { retry_after_s: wait })
}

/** The page asks for consent first. A caller who bypasses the page gets the same answer as everybody else. */
function refuseBeforeAccepted({ accepted_at }: Invitation): void {
  if (accepted_at === null) throw new Refusal('portal-closed')
}

function refuseOther(isSame: boolean): void {
  if (!isSame) throw new Refusal('key-reused')
}

/** The content of the patient’s page: from the record only their first name and their consents. */
async function viewOf(db: Kysely<Schema>, idInvitation: string, idPatient: string): Promise<PortalView> {
  const row = await db
    .selectFrom('portal_invitations as invitation')
    .innerJoin('patients', 'patients.id', 'invitation.id_patient')
    .innerJoin('stores', 'stores.store_id', 'patients.store_id')
    .select(['stores.store_name', 'patients.first_name', 'patients.pref', 'invitation.accepted_at', 'invitation.expires_at'])
    .select(['patients.sms_consent_at', 'patients.email_consent_at', 'patients.hipaa_ack_at'])
    .where('invitation.id', '=', idInvitation)
    .executeTakeFirstOrThrow()
  const accepted = row.accepted_at !== null
  const intakes = await db
    .selectFrom('portal_intakes')
    .select(['id', 'at', sql<boolean>`reviewed_at is not null`.as('reviewed')])
    .where('id_invitation', '=', idInvitation)
    .orderBy('at', 'desc')
    .limit(20)
    .execute()
  const messages = await db
    .selectFrom('portal_messages')
    .select(['id', 'at', 'rep', 'body', 'id_answered'])
    .where('id_invitation', '=', idInvitation)
    .where('id_patient', '=', idPatient)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return {
    clinic_name: row.store_name,
    first_name: row.pref ?? row.first_name,
    accepted,
    open_until: row.expires_at,
    sms_consent: row.sms_consent_at !== null,
    email_consent: row.email_consent_at !== null,
    hipaa_ack: row.hipaa_ack_at !== null,
    intakes: accepted ? intakes : [],
    messages: accepted
      ? messages.map(({ id, at, rep, body, id_answered }) => ({
          id,
          at,
          from: id_answered === null ? 'you' : 'clinic',
          by: rep,
          text: body,
        }))
      : [],
  }
}

function told(patient: PatientRow, at: string) {
  return { id_patient: patient.id, at, by: theirself, store_id: patient.store_id, device_id: null }
}
