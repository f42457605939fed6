import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { patientName } from '#contract/patients/patient.ts'
import { type PortalMessage, portalPageSize } from '#contract/patients/portal.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { linkState } from '#server/features/patients/portal/invitation-rows.ts'
import { nowOf, told } from '#server/features/patients/portal/invitations.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { toBeSent } from '#server/domain/messages/write-message.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { findPatient, storesInSight } from '#server/domain/patients/patient-access.ts'
import type { Services } from '#server/platform/services.ts'

type Asking = { services: Services; scope: Scope; headers: Headers }
type Wanted = { stores?: readonly number[] | null; done?: boolean; id?: string }

/**
 * Messages from patients of the user's stores: the open ones with the oldest first, the done ones with the newest
 * first.
 */
export async function listMessages({ services, scope }: Asking, done: boolean, page: number) {
  const { pool } = services.db
  const stores = await storesInSight(pool, scope)
  const [messages, total] = await Promise.all([
    readMessages(pool, nowOf(services), { stores, done }, page),
    countMessages(pool, { stores, done }),
  ])
  return { messages, total }
}

export async function countMessages(db: Kysely<Schema>, wanted: Wanted, onlyUnread = false): Promise<number> {
  let query = matching(db, wanted).select(sql<number>`count(*)`.as('total'))
  if (onlyUnread) query = query.where('message.read_at', 'is', null)
  return (await query.executeTakeFirst())?.total ?? 0
}

/** Marks a message as read, taken on or done, or takes that back. Unchanged marks write nothing. */
export async function markMessage(call: Asking, id: string, said: { read?: boolean; mine?: boolean; done?: boolean }) {
  const { services, scope } = call
  const { id_patient } = await neededMessage(call, id)
  await services.db.write([], async ({ trx }) => {
    const at = nowOf(services)
    const row = await trx.selectFrom('portal_messages').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    const done: string[] = []
    const update: { read_at?: string | null; done_at?: string | null; assigned_to?: number | null; assigned_rep?: string | null } = {}
    const is = { read: row.read_at !== null, done: row.done_at !== null, mine: row.assigned_to === scope.id_user }
    if (said.read !== undefined && said.read !== is.read) {
      update.read_at = said.read ? at : null
      done.push(said.read ? 'read' : 'unread')
    }
    if (said.done !== undefined && said.done !== is.done) {
      update.done_at = said.done ? at : null
      done.push(said.done ? 'done' : 'open again')
    }
    if (said.mine === true ? !is.mine : said.mine === false && row.assigned_to !== null) {
      update.assigned_to = said.mine ? scope.id_user : null
      update.assigned_rep = said.mine ? scope.name : null
      done.push(said.mine ? 'taken on' : 'put back')
    }
    if (done.length === 0) return
    await trx.updateTable('portal_messages').set(update).where('id', '=', id).execute()
    await audit(trx, { ...told(scope, id_patient, at), action: 'portal.message-mark', detail: done.join(', ') })
  })
  return await messageById(services, id)
}

/** Answers a patient, once for each id: in the portal, where they read it with their link, or by email. */
export async function answerMessage(call: Asking, id: string, asked: { id: string; way: 'portal' | 'email'; text: string }) {
  const { services, scope } = call
  const { id_patient, id_invitation } = await neededMessage(call, id)
  const patient = await findPatient(services.db.pool, scope, id_patient)
  const idAnswer = asked.id.toLowerCase()
  const repeated = async () => {
    const row = await services.db.pool.selectFrom('portal_messages').selectAll().where('id', '=', idAnswer).executeTakeFirst()
    if (!row) return false
    if (row.id_answered !== id || row.way !== asked.way || row.body !== asked.text) throw new Refusal('key-reused')
    return true
  }
  if (await repeated()) return await messageById(services, id)
  try {
    await services.db.write([], async ({ trx }) => {
      const at = nowOf(services)
      const { id_user, name: rep, store_id } = scope
      if (asked.way === 'email') {
        const wanted = { channel: 'email' as const, subject: 'Your message to {clinic_name}', message: asked.text, template: null }
        const mail = await toBeSent(call, trx, patient, at, wanted)
        const request_hash = createHash('sha256').update(`portal answer ${id} ${asked.text}`).digest('hex')
        const row = { id: idAnswer, id_patient, store_id, at, id_user, rep, request_hash, ...mail }
        await trx.insertInto('messages').values(row).execute()
      }
      const said = { id_answered: id, way: asked.way, at, id_user, rep, body: asked.text }
      await trx
        .insertInto('portal_messages')
        .values({ id: idAnswer, id_invitation, id_patient, ...said, read_at: at, assigned_to: null, assigned_rep: null, done_at: null })
        .execute()
      // An answer marks the message as read.
      await trx.updateTable('portal_messages').set({ read_at: at }).where('id', '=', id).where('read_at', 'is', null).execute()
      await audit(trx, { ...told(scope, id_patient, at), action: 'portal.answer', detail: asked.way })
    })
  } catch (error) {
    if (brokenUniqueness(error) === null) throw error
    // Either the same answer arrived twice at one moment, or the id is another message's.
    if (!(await repeated())) throw new Refusal('key-reused')
  }
  services.messaging.wake()
  return await messageById(services, id)
}

async function neededMessage({ services, scope }: Asking, id: string) {
  const { pool } = services.db
  const row = await pool
    .selectFrom('portal_messages')
    .select(['id_patient', 'id_invitation'])
    .where('id', '=', id)
    .where('id_answered', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Refusal('portal-message-unknown')
  await findPatient(pool, scope, row.id_patient)
  return row
}

async function messageById(services: Services, id: string): Promise<PortalMessage> {
  const [message] = await readMessages(services.db.pool, nowOf(services), { id })
  if (!message) throw new Refusal('portal-message-unknown')
  return message
}

async function readMessages(db: Kysely<Schema>, now: string, wanted: Wanted, page = 1): Promise<PortalMessage[]> {
  const rows = await matching(db, wanted)
    .innerJoin('stores', 'stores.store_id', 'patients.store_id')
    .innerJoin('portal_invitations as invitation', 'invitation.id', 'message.id_invitation')
    .select(['message.id', 'message.id_patient', 'message.at', 'message.body', 'message.read_at', 'message.assigned_to'])
    .select(['message.assigned_rep', 'message.done_at', 'stores.store_name'])
    .select(['patients.first_name', 'patients.middle_name', 'patients.last_name', 'patients.pref'])
    .select(linkState(now).as('link'))
    .orderBy('message.at', wanted.done ? 'desc' : 'asc')
    .orderBy('message.id')
    .limit(portalPageSize)
    .offset((page - 1) * portalPageSize)
    .execute()
  const ids = rows.map(({ id }) => id)
  const answers = await db
    .selectFrom('portal_messages')
    .select(['id', 'id_answered', 'at', 'rep', 'way', 'body'])
    .where('id_answered', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('at')
    .execute()
  return rows.map(({ first_name, middle_name, last_name, pref, body, ...row }) => ({
    ...row,
    text: body,
    patient_name: patientName({ first_name, middle_name, last_name, pref }),
    answers: answers
      .filter(({ id_answered }) => id_answered === row.id)
      .map(({ id, at, rep, way, body: said }) => ({ id, at, by: rep, way, text: said })),
  }))
}

function matching(db: Kysely<Schema>, { stores = null, done, id }: Wanted) {
  let query = db
    .selectFrom('portal_messages as message')
    .innerJoin('patients', 'patients.id', 'message.id_patient')
    .where('message.id_answered', 'is', null)
  if (stores !== null) query = query.where('patients.store_id', '=', sql<number>`any(${stores}::int[])`)
  if (done !== undefined) query = query.where('message.done_at', done ? 'is not' : 'is', null)
  if (id !== undefined) query = query.where('message.id', '=', id)
  return query
}
