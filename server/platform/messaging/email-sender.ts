import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import { isLoopback } from '#server/platform/messaging/loopback.ts'
import type { MessagingConfig } from '#server/platform/services.ts'

type Settings = NonNullable<MessagingConfig['email']>
type Mail = { id: string; to: string; subject: string | null; text: string }

/**
 * Email over SMTP. Each message has its own connection: a clinic sends few, and so the progress of each is known. Until
 * the first byte of the message has left, the server cannot have accepted it. From then on only the server's answer
 * tells. `timeoutMs` limits every step.
 */
export function emailSender(settings: Settings, timeoutMs = 30_000): Sender {
  return {
    // SMTP has no key by which a server would recognize a repeated message.
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
    // The same for each try, so that a mailbox which gets it twice can recognize the copy.
    messageId: `<${id}@${addressOf(from).split('@')[1] ?? 'localhost'}>`,
    // Autoresponders must not answer it.
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
    // Messages to patients do not travel in the clear, except to a server on this very machine.
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
      // Errors of a connection that is no longer needed do not matter.
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
    // A refused account is a problem of this server, not of the patient: its keeper can fix it.
    if (responseCode < 500 || code === 'EAUTH') return { as: 'later', reason }
    return { as: 'refused', problem: code === 'EENVELOPE' ? 'undeliverable' : 'refused', reason }
  }
  return begun ? { as: 'unknown', reason: code } : { as: 'later', reason: code }
}

function addressOf(mailbox: string): string {
  return /<([^>]+)>/.exec(mailbox)?.[1] ?? mailbox
}
