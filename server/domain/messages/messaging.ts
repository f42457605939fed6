import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { MessageProblem, SentChannel } from '#contract/patients/messages.ts'
import type { Database } from '#server/platform/db/database.ts'
import { emailSender } from '#server/platform/messaging/email-sender.ts'
import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import { invitationTemplate } from '#server/domain/messages/portal-link.ts'
import { smsSender } from '#server/platform/messaging/sms-sender.ts'
import type { Clock, Messaging, MessagingConfig } from '#server/platform/services.ts'

/** Waits before the second try and all further ones. After the last it has failed. */
const waitsS = [30, 120, 600, 1800, 7200]
/** Glasses are ready tomorrow too, but an appointment may be over: what could not be sent for so long is not sent any more. */
const longestMs = 12 * 3_600_000
/** A process that has had a message in hand for longer is gone: a sender answers or gives up within two minutes. */
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
  /** The invitation to the portal that this e-mail brings, as long as it is the one that counts. */
  id_invitation: string | null
}
type Verdict = { status: 'sent' | 'queued' | 'failed' | 'unknown'; problem: MessageProblem | null; not_before: string | null }

/**
 * Sends what is queued. The table of messages is the outbox: a message is committed before anybody is asked to send it, taken in hand by
 * one process, and what became of it is written down. A process that ends in between leaves it in hand; whoever finds it there gives it
 * to its service again only where the service knows what it has, and says of the others that nobody knows.
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
  /** Puts the link into the text of an invitation, at the last moment. */
  fillInvitation?: (text: string, sending: { id: string; id_send: string }) => string | null
}): Messaging {
  const configured = (Object.keys(senders) as SentChannel[]).filter((channel) => senders[channel] !== undefined)
  const iso = (ms = clock.now()) => new Date(ms).toISOString()
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let again = false
  let isClosed = false

  /** What a process that is gone had in hand. */
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
    // One statement, so that of several servers one has it: whoever comes second finds it locked or taken.
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
      // A report may have overtaken the answer; and whoever was thought gone may come back with what it knows.
      .where((row) => row.or([row('status', '=', 'sending'), row.and([row('status', '=', 'unknown'), row('problem', '=', 'interrupted')])]))
      .execute()
    log.info({ id_message: id, channel, attempts, as: verdict.status, problem: verdict.problem }, 'a message was handled')
  }

  /** Null for an invitation that does not count any more, or whose link nobody can make. */
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
        // Each to its end, so that nothing is still under way when this returns.
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
