import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type TakenText = { id: string; from: string; to: string; text: string }

/**
 * A mail server and a text service on this machine: the messages they took, and the environment that points a server at
 * them.
 */
export type MessageServices = {
  texts: TakenText[]
  mails: string[]
  /** Sets the status of the next answers to texts. */
  answerTextsWith(status: number): void
  env: Record<string, string>
  close(): Promise<void>
}

export async function openMessageServices(): Promise<MessageServices> {
  const texts: TakenText[] = []
  const mails: string[] = []
  let status = 202
  const phones = http.createServer((request, response) => {
    readAll(request, (body) => {
      texts.push(JSON.parse(body) as TakenText)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const post = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    onData(stream, _session, done) {
      readAll(stream, (mail) => {
        mails.push(mail)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => phones.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port
  return {
    texts,
    mails,
    answerTextsWith: (next) => (status = next),
    env: {
      SMS_URL: `http://127.0.0.1:${portOf(phones)}/messages`,
      SMS_TOKEN: 'token-of-the-service',
      SMS_FROM: '+15185550100',
      SMTP_URL: `smtp://127.0.0.1:${portOf(post.server)}`,
      MAIL_FROM: 'Downtown Eye Care <desk@clinic.example>',
    },
    async close() {
      phones.closeAllConnections()
      await new Promise((resolve) => phones.close(resolve))
      await new Promise<void>((resolve) => post.close(() => resolve()))
    },
  }
}

function readAll(stream: NodeJS.ReadableStream, then: (text: string) => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => then(Buffer.concat(chunks).toString()))
}
