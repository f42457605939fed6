import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { MessageProblem, SentChannel } from '#contract/patients/messages.ts'
import type { Database } from '#server/platform/db/database.ts'
import { emailSender } from '#server/platform/messaging/email-sender.ts'
import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import { invitationTemplate } from '#server/domain/messages/portal-link.ts'
import { smsSender } from '#server/platform/messaging/sms-sender.ts'
import type { Clock, Messaging, MessagingConfig } from '#server/platform/services.ts'

/** Waits before the second try and all later ones. After the last wait the message has failed. */
const waitsS = [30, 120, 600, 1800, 7200]
/** A late message can be wrong: the appointment may be over. After this time the server stops trying. */
const longestMs = 12 * 3_600_000
/** A sender answers or gives up within two minutes. A process that holds a message for longer than this has ended. */
const inHandMs = 5 * 60_000
const atOnce = 8
const everyMs = 15_000

type InHand = {
  id: string
  channel: SentChannel
  address: string
  subject: string | null
  body: string
  at: string
  attempts: number
  wanted: boolean
  template: string | null
  /** The portal invitation of this email, while this sending is the one that counts. */
  id_invitation: string | null
}
type Verdict = { status: 'sent' | 'queued' | 'failed' | 'unknown'; problem: MessageProblem | null; not_before: string | null }

/**
 * Sends queued messages. The table of messages is the outbox. A process commits a message, takes it in hand alone, and
 * writes down the result. A process that ends in between leaves the message in hand. The next process sends it again
 * only where the service recognizes repeats. All other such messages become unknown.
 */
export function createMessaging({
  db,
  clock,
  config,
  log,
  senders = sendersFor(config),
  fillInvitation = () => null,
}: {
  db: Pick<Database, 'pool'>
  clock: Clock
  config: MessagingConfig
  log: Logger
  senders?: Partial<Record<SentChannel, Sender>>
  /** Puts the link into the text of an invitation, just before it is sent. */
  fillInvitation?: (text: string, sending: { id: string; id_send: string }) => string | null
}): Messaging {
  const configured = (Object.keys(senders) as SentChannel[]).filter((channel) => senders[channel] !== undefined)
  const iso = (ms = clock.now()) => new Date(ms).toISOString()
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let again = false
  let isClosed = false

  /** Settles the messages that an ended process had in hand. */
  async function settleInterrupted() {
    const safe = configured.filter((channel) => senders[channel]?.repeatsSafely)
    const found = await sql<{ id: string }>`
      update messages
      set status = case when channel = any(${safe}::text[]) then 'queued' else 'unknown' end,
        problem = case when channel = any(${safe}::text[]) then null else 'interrupted' end,
        status_at = ${iso()}::timestamptz, not_before = ${iso()}::timestamptz
      where status = 'sending' and status_at < ${iso(clock.now() - inHandMs)}::timestamptz
      returning id
    `.execute(db.pool)
    if (found.rows.length > 0) log.warn({ messages: found.rows.length }, 'messages were in hand of a server that ended')
  }

  async function takeInHand(): Promise<InHand[]> {
    // One statement, so that only one of several servers takes a message. The others skip the locked row.
    const taken = await sql<InHand>`
      with due as materialized (
        select id from messages
        where status = 'queued' and not_before <= ${iso()}::timestamptz and channel = any(${configured}::text[])
        order by not_before limit ${atOnce} for update skip locked
      )
      update messages set status = 'sending', status_at = ${iso()}::timestamptz, attempts = messages.attempts + 1
      from patients, due
      where messages.id = due.id and patients.id = messages.id_patient
      returning messages.id, messages.channel, messages.address, messages.subject, messages.body, messages.at, messages.attempts,
        messages.template, (select id from portal_invitations where id_send = messages.id and revoked_at is null) as id_invitation,
        (case messages.channel when 'sms' then patients.sms_consent_at else patients.email_consent_at end is not null
          and patients.preferred_contact is distinct from 'none') as wanted
    `.execute(db.pool)
    return taken.rows
  }

  async function deliver(message: InHand) {
    const { id, channel, attempts } = message
    const verdict = await verdictOn(message)
    await db.pool
      .updateTable('messages')
      .set({ ...verdict, status_at: iso() })
      .where('id', '=', id)
      // A delivery report may have overtaken the answer. A process that seemed to have ended may also return with a
      // result.
      .where((row) => row.or([row('status', '=', 'sending'), row.and([row('status', '=', 'unknown'), row('problem', '=', 'interrupted')])]))
      .execute()
    log.info({ id_message: id, channel, attempts, as: verdict.status, problem: verdict.problem }, 'a message was handled')
  }

  /** Null for an invitation that no longer counts, or when the server cannot make its link. */
  function textOf({ id, body, template, id_invitation }: InHand): string | null {
    if (template !== invitationTemplate) return body
    return id_invitation === null ? null : fillInvitation(body, { id: id_invitation, id_send: id })
  }

  async function verdictOn(message: InHand): Promise<Verdict> {
    const done = (status: 'sent' | 'failed' | 'unknown', problem: MessageProblem | null): Verdict => ({ status, problem, not_before: null })
    const { id, channel, at, attempts, wanted, address: to, subject } = message
    if (!wanted) return done('failed', 'consent-withdrawn')
    const text = textOf(message)
    if (text === null || clock.now() - Date.parse(at) > longestMs) return done('failed', 'too-late')
    const sender = senders[channel]
    const delivery: Delivery = sender ? await sender.send({ id, to, subject, text }) : { as: 'later', reason: 'not-configured' }
    if (delivery.as === 'sent') return done('sent', null)
    log.warn({ id_message: id, channel, as: delivery.as, reason: delivery.reason }, 'a message was not taken')
    if (delivery.as === 'refused') return done('failed', delivery.problem)
    const isUnknown = delivery.as === 'unknown'
    if (isUnknown && !sender?.repeatsSafely) return done('unknown', 'no-answer')
    const wait = waitsS[attempts - 1]
    if (wait === undefined) return isUnknown ? done('unknown', 'no-answer') : done('failed', 'unreachable')
    const seconds = Math.max(wait, delivery.as === 'later' ? Math.min(delivery.afterS ?? 0, waitsS.at(-1) ?? 0) : 0)
    return { status: 'queued', problem: null, not_before: iso(clock.now() + seconds * 1000) }
  }

  async function run() {
    do {
      again = false
      await settleInterrupted()
      for (let batch = await takeInHand(); batch.length > 0; batch = isClosed ? [] : await takeInHand()) {
        // Waits for every delivery, so that none is still under way when this returns.
        const ends = await Promise.allSettled(batch.map(deliver))
        const failed = ends.find((end) => end.status === 'rejected')
        if (failed) throw failed.reason
      }
    } while (again && !isClosed)
  }

  async function sendDue() {
    if (configured.length === 0 || isClosed) return
    again = true
    running ??= run().finally(() => (running = null))
    await running
  }

  const sendQuietly = () => {
    sendDue().catch((error: unknown) => log.error({ err: error }, 'messages could not be sent; the next round tries again'))
  }

  return {
    isConfigured: (channel) => configured.includes(channel),
    wake: () => {
      if (timer !== null) sendQuietly()
    },
    sendDue,
    start() {
      if (configured.length === 0 || timer !== null) return
      timer = setInterval(sendQuietly, everyMs)
      timer.unref()
      sendQuietly()
    },
    async close() {
      isClosed = true
      if (timer !== null) clearInterval(timer)
      timer = null
      await running?.catch(() => {})
    },
  }
}

function sendersFor(config: MessagingConfig): Partial<Record<SentChannel, Sender>> {
  return { ...(config.sms && { sms: smsSender(config.sms) }), ...(config.email && { email: emailSender(config.email) }) }
}
