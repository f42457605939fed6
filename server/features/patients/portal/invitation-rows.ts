import { type Kysely, sql } from 'kysely'
import { type InvitationState, type PortalInvitation, wrongDatesAllowed } from '#contract/patients/portal.ts'
import { patientName } from '#contract/patients/patient.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The state of a link, in a query of `portal_invitations as invitation`. */
export function linkState(now: string) {
  return sql<PortalInvitation['link']>`case
    when invitation.revoked_at is not null or invitation.expires_at <= ${now}::timestamptz then 'ended'
    when invitation.wrong_tries >= ${wrongDatesAllowed} then 'locked'
    else 'open' end`
}

function stateOf(now: string) {
  return sql<InvitationState>`case
    when invitation.revoked_at is not null then 'revoked'
    when invitation.accepted_at is not null then 'accepted'
    when invitation.expires_at <= ${now}::timestamptz then 'expired'
    else 'sent' end`
}

type Wanted = { stores?: readonly number[] | null; status?: InvitationState | undefined; id?: string; page?: number; pageSize?: number }

/** Invitations of these stores, newest first. Null means all stores. */
export async function readInvitations(db: Kysely<Schema>, now: string, wanted: Wanted): Promise<PortalInvitation[]> {
  let query = matching(db, now, wanted)
    .leftJoin('messages', 'messages.id', 'invitation.id_send')
    .select([
      'invitation.id',
      'invitation.id_patient',
      'stores.store_name',
      'invitation.way',
      'invitation.email',
      'invitation.sent_at',
      'invitation.rep',
      'invitation.sends',
      'invitation.expires_at',
      'invitation.accepted_at',
      'messages.status as email_status',
      'patients.first_name',
      'patients.middle_name',
      'patients.last_name',
      'patients.pref',
      'patients.sms_consent_at',
      'patients.email_consent_at',
      'patients.hipaa_ack_at',
    ])
    .select([stateOf(now).as('status'), linkState(now).as('link')])
    .orderBy('invitation.sent_at', 'desc')
    .orderBy('invitation.id', 'desc')
  if (wanted.pageSize) query = query.limit(wanted.pageSize).offset(((wanted.page ?? 1) - 1) * wanted.pageSize)
  const rows = await query.execute()
  return rows.map(({ first_name, middle_name, last_name, pref, rep, email_status, ...row }) => ({
    ...row,
    sent_by: rep,
    patient_name: patientName({ first_name, middle_name, last_name, pref }),
    email_status: email_status === 'sending' ? 'queued' : email_status,
  }))
}

export async function countInvitations(db: Kysely<Schema>, now: string, wanted: Wanted): Promise<number> {
  const counted = await matching(db, now, wanted)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirst()
  return counted?.total ?? 0
}

function matching(db: Kysely<Schema>, now: string, { stores = null, status, id }: Wanted) {
  let query = db
    .selectFrom('portal_invitations as invitation')
    .innerJoin('patients', 'patients.id', 'invitation.id_patient')
    .innerJoin('stores', 'stores.store_id', 'patients.store_id')
  if (stores !== null) query = query.where('patients.store_id', '=', sql<number>`any(${stores}::int[])`)
  if (id !== undefined) query = query.where('invitation.id', '=', id)
  if (status !== undefined) query = query.where(stateOf(now), '=', status)
  return query
}
