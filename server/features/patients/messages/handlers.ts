import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type Channel, type messageEndpoints, type MessageHistory, messagesPageSize } from '#contract/patients/messages.ts'
import { writeConsent } from '#server/domain/patients/change-consent.ts'
import { contactOf } from '#server/domain/messages/contact.ts'
import { messageColumns, messageOf } from '#server/domain/messages/message-row.ts'
import { toBeSent, writeMessage } from '#server/domain/messages/write-message.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { auditView } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import type { Services } from '#server/platform/services.ts'

/** Messages with a patient: the history, sending, and the patient's consent. */
export const messageHandlers: HandlersOf<keyof typeof messageEndpoints> = {
  smsHistory: (call) => historyOf(call, 'sms'),
  emailHistory: (call) => historyOf(call, 'email'),
  callHistory: (call) => historyOf(call, 'call'),

  async sendSms(call) {
    const { id, ...asked } = call.body
    const sent = await writeMessage(call, call.params.id_patient, { id, asked, action: 'message.send' }, (db, patient, at) =>
      toBeSent(call, db, patient, at, { channel: 'sms', subject: null, ...asked }),
    )
    call.services.messaging.wake()
    return sent
  },

  async sendEmail(call) {
    const { id, ...asked } = call.body
    const sent = await writeMessage(call, call.params.id_patient, { id, asked, action: 'message.send' }, (db, patient, at) =>
      toBeSent(call, db, patient, at, { channel: 'email', ...asked }),
    )
    call.services.messaging.wake()
    return sent
  },

  async logCall(call) {
    const { id, ...asked } = call.body
    return await writeMessage(call, call.params.id_patient, { id, asked, action: 'call.log' }, async (_db, _patient, now) => {
      const { direction, outcome, duration_s, note, to, at = now } = asked
      // A tablet's clock may be a little ahead.
      if (Date.parse(at) > Date.parse(now) + 5 * 60_000) {
        throw new Refusal('request-invalid', { fields: [{ path: 'body.at', message: 'can’t be in the future' }] })
      }
      return { channel: 'call', direction, outcome, duration_s, address: to.trim(), body: note.trim(), at }
    })
  },

  async readContact({ services, scope, params }) {
    const patient = await findPatient(services.db.pool, scope, params.id)
    return await contactOf(services.db.pool, services.messaging, patient, scope.name)
  },

  async changeConsent({ services, scope, params, body }) {
    await writeConsent(services, scope, params.id, body)
    const patient = await findPatient(services.db.pool, scope, params.id)
    return await contactOf(services.db.pool, services.messaging, patient, scope.name)
  },

  async smsReport({ services, body: { signature, ...told } }) {
    const secret = services.config.messaging.sms?.reportSecret ?? null
    if (secret === null || !isSignedWith(secret, told, signature)) throw new Refusal('report-unproven')
    await services.db.pool
      .updateTable('messages')
      .set({ status: told.status, status_at: told.at, problem: told.status === 'failed' ? 'undeliverable' : null, not_before: null })
      .where('id', '=', told.id)
      .where('channel', '=', 'sms')
      // A late or repeated report changes neither queued nor delivered messages.
      .where('status', 'in', ['sending', 'sent', 'unknown'])
      .execute()
    return { ok: true as const }
  },
}

type HistoryCall = { services: Services; scope: Scope; params: { id: string }; query: { page: number } }

async function historyOf({ services, scope, params, query }: HistoryCall, channel: Channel): Promise<MessageHistory> {
  const { pool } = services.db
  const patient = await findPatient(pool, scope, params.id)
  const at = new Date(services.clock.now()).toISOString()
  const who = { id_patient: patient.id, at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
  await auditView(pool, { ...who, action: 'message.view', detail: channel })
  const ofPatient = pool.selectFrom('messages').where('id_patient', '=', patient.id).where('channel', '=', channel)
  const [rows, counted] = await Promise.all([
    ofPatient
      .select(messageColumns)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(messagesPageSize)
      .offset((query.page - 1) * messagesPageSize)
      .execute(),
    ofPatient.select(sql<number>`count(*)`.as('total')).executeTakeFirst(),
  ])
  return { messages: rows.map(messageOf), total: counted?.total ?? 0, page: query.page }
}

/** The signature is over `id.status.at`, HMAC with SHA-256, in hexadecimal. */
function isSignedWith(secret: string, { id, status, at }: { id: string; status: string; at: string }, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(`${id}.${status}.${at}`).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
