import { createHash } from 'node:crypto'
import { sql, type Insertable, type Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import { Refusal } from '#contract/core/errors.ts'
import { filledText, type Message, mostSegments, openPlaceholders, type SentChannel, smsSize } from '#contract/patients/messages.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { MessageTable } from '#server/platform/db/tables/record-tables.ts'
import { addressFor, consentTo, factsOf } from '#server/domain/messages/contact.ts'
import { messageColumns, messageOf } from '#server/domain/messages/message-row.ts'
import { idOfKey } from '#server/platform/http/run-command.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import type { PatientRow } from '#server/domain/patients/patient-row.ts'
import type { Services } from '#server/platform/services.ts'

type Writing = { services: Services; scope: Scope; headers: Headers }
type Written = Pick<Insertable<MessageTable>, 'channel' | 'direction' | 'address' | 'body'> & Partial<Insertable<MessageTable>>

/**
 * Limits for an hour: to one patient by one channel, and by one user in all. They stop mistakes and runaway programs.
 */
const mostPerHour = { patient: 6, person: 60 }
const hourMs = 3_600_000

/**
 * Writes a message with its audit row, once for each id. A repeated call gets the first call's message. `make` builds
 * the message for the patient, or refuses. It does not run again for a message that exists.
 */
export async function writeMessage(
  call: Writing,
  idPatient: string,
  given: { id?: string | undefined; asked: unknown; action: string },
  make: (db: Kysely<Schema>, patient: PatientRow, at: string) => Promise<Written>,
): Promise<Message> {
  const { services, scope } = call
  const id = idOfKey(call.headers.get('idempotency-key'), scope) ?? given.id?.toLowerCase() ?? uuidv7()
  const request_hash = createHash('sha256')
    .update(canonicalJson(['message', given.action, idPatient.toLowerCase(), scope.id_user, given.asked]))
    .digest('hex')
  const repeated = async () => {
    const row = await services.db.pool
      .selectFrom('messages')
      .select([...messageColumns, 'request_hash'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (row && row.request_hash !== request_hash) throw new Refusal('key-reused')
    return row ? messageOf(row) : null
  }
  const patient = await findPatient(services.db.pool, scope, idPatient)
  const before = await repeated()
  if (before) return before
  try {
    return await services.db.write([], async ({ trx }) => {
      const at = new Date(services.clock.now()).toISOString()
      const made = await make(trx, patient, at)
      const row = {
        id,
        id_patient: patient.id,
        store_id: scope.store_id,
        at,
        id_user: scope.id_user,
        rep: scope.name,
        request_hash,
        ...made,
      } satisfies Insertable<MessageTable>
      const written = await trx.insertInto('messages').values(row).returning(messageColumns).executeTakeFirstOrThrow()
      await audit(trx, {
        id_patient: patient.id,
        at,
        by: scope,
        store_id: scope.store_id,
        device_id: tabletOf(scope),
        action: given.action,
        detail: made.channel,
      })
      return messageOf(written)
    })
  } catch (error) {
    // Two identical calls ran at the same moment, and the other was first.
    if (brokenUniqueness(error) === null) throw error
    const first = await repeated()
    if (!first) throw error
    return first
  }
}

/**
 * Returns the message to send.
 * @throws Refusal messages-not-configured, contact-unwanted, consent-missing, address-missing, request-invalid,
 *   message-too-frequent
 */
export async function toBeSent(
  { services, scope }: Writing,
  db: Kysely<Schema>,
  patient: PatientRow,
  at: string,
  wanted: { channel: SentChannel; subject: string | null; message: string; template: string | null },
): Promise<Written> {
  const { channel, template } = wanted
  if (!services.messaging.isConfigured(channel)) throw new Refusal('messages-not-configured', { details: { channel } })
  if (patient.preferred_contact === 'none') throw new Refusal('contact-unwanted')
  if (consentTo(channel, patient) === null) throw new Refusal('consent-missing', { details: { channel } })
  const address = addressFor(channel, patient)
  if (address === null) throw new Refusal('address-missing', { details: { channel } })
  const facts = await factsOf(db, patient, scope.name)
  const subject = wanted.subject === null ? null : finished(filledText(wanted.subject, facts), 'body.subject')
  const body = finished(filledText(wanted.message, facts), 'body.message')
  if (channel === 'sms' && smsSize(body).segments > mostSegments) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.message', message: `must fit into ${mostSegments} text messages` }] })
  }
  await refuseTooFrequent(db, channel, patient.id, scope.id_user, at)
  return { channel, direction: 'out', address, subject, body, template, status: 'queued', status_at: at, not_before: at }
}

function finished(text: string, path: string): string {
  const open = openPlaceholders(text)
  if (open.length > 0) throw new Refusal('request-invalid', { fields: [{ path, message: `still needs ${open.join(', ')}` }] })
  return text
}

async function refuseTooFrequent(db: Kysely<Schema>, channel: SentChannel, idPatient: string, idUser: number, at: string): Promise<void> {
  const since = new Date(Date.parse(at) - hourMs).toISOString()
  const recent = (column: 'id_patient' | 'id_user', value: string | number) =>
    db
      .selectFrom('messages')
      .select([sql<number>`count(*)`.as('count'), sql<string | null>`min(at)`.as('first_at')])
      .where(column, '=', value)
      .where('channel', '<>', 'call')
      .where('at', '>', since)
  const toPatient = await recent('id_patient', idPatient).where('channel', '=', channel).executeTakeFirstOrThrow()
  const byPerson = await recent('id_user', idUser).executeTakeFirstOrThrow()
  const full = toPatient.count >= mostPerHour.patient ? toPatient : byPerson.count >= mostPerHour.person ? byPerson : null
  if (full === null) return
  const wait = Math.ceil((Date.parse(full.first_at ?? at) + hourMs - Date.parse(at)) / 1000)
  throw new Refusal('message-too-frequent', { retry_after_s: Math.max(1, wait) })
}
