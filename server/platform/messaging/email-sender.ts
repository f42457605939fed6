import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import { isLoopback } from '#server/platform/messaging/loopback.ts'
import type { MessagingConfig } from '#server/platform/services.ts'

type Settings = NonNullable<MessagingConfig['email']>
type Mail = { id: string; to: string; subject: string | null; text: string }

/**
 * E-mail over SMTP. A connection each time: a clinic sends few, and so it is known of each how far it came. Until the first byte of the
 * message has left, nothing can have been taken; from then on only the server's answer tells. `timeoutMs` for every step of it.
 */
export function emailSender(settings: Settings, timeoutMs = 30_000): Sender {
  return {
    // SMTP has no key by which a server would know a message again.
    repeatsSafely: false,
    async send(mail) {
      const body = { begun: false }
      try {
        const composed = compose(settings, mail)
        const content = await composed.build()
        await handOver(settings, composed.getEnvelope(), watched(content, body), timeoutMs)
        return { as: 'sent' }
      } catch (error) {
        return deliveryOf(error, body.begun)
      }
    },
  }
}

function compose({ from, replyTo }: Settings, { id, to, subject, text }: Mail) {
  return new MailComposer({
    from,
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo }),
    subject: subject ?? '',
    text,
    // The same each time it is tried, so that a mailbox which gets it twice after all can tell.
    messageId: `<${id}@${addressOf(from).split('@')[1] ?? 'localhost'}>`,
    // Nobody's programs answer it, and none of its addresses is looked up.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
}

function watched(content: Buffer, body: { begun: boolean }): Readable {
  return new Readable({
    read() {
      body.begun = true
      this.push(content)
      this.push(null)
    },
  })
}

function handOver(
  settings: Settings,
  envelope: { from: string | false; to: string[] },
  content: Readable,
  timeoutMs: number,
): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(settings.url)
  const connection = new SMTPConnection({
    host: hostname,
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // What patients are told does not travel in the clear, but to a server on this very machine.
    ...(protocol === 'smtp:' && !isLoopback(hostname) && { requireTLS: true }),
    ...(isLoopback(hostname) && { ignoreTLS: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
  return new Promise<void>((resolve, reject) => {
    const end = (error?: Error | null) => {
      connection.removeListener('error', end)
      // What happens to a connection that is not needed any more is nobody's concern.
      connection.on('error', () => {})
      if (error) connection.close()
      else connection.quit()
      if (error) reject(error)
      else resolve()
    }
    const send = () => connection.send(envelope, content, (error) => end(error))
    connection.on('error', end)
    connection.connect((failed) => {
      if (failed) return end(failed)
      if (username === '') return send()
      const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
      connection.login({ credentials }, (refused) => (refused ? end(refused) : send()))
    })
  })
}

function deliveryOf(error: unknown, begun: boolean): Delivery {
  const { code = 'unknown', responseCode } = (error ?? {}) as { code?: string; responseCode?: number }
  if (responseCode !== undefined && responseCode > 0) {
    const reason = String(responseCode)
    // A refused account is this server's matter, not the patient's: its keeper can mend it.
    if (responseCode < 500 || code === 'EAUTH') return { as: 'later', reason }
    return { as: 'refused', problem: code === 'EENVELOPE' ? 'undeliverable' : 'refused', reason }
  }
  return begun ? { as: 'unknown', reason: code } : { as: 'later', reason: code }
}

function addressOf(mailbox: string): string {
  return /<([^>]+)>/.exec(mailbox)?.[1] ?? mailbox
}
