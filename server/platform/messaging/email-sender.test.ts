import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { emailSender } from '#server/platform/messaging/email-sender.ts'

const id = '0198c2f4-0000-7000-8000-000000000002'
const mail = { id, to: 'zuzana@patients.example', subject: 'Your glasses are ready', text: 'Hello Zuzana,\n\n.dots and „quotes“ too\n' }
const servers: SMTPServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()))
})

/** A mail server of its own; `received` is what it has taken. */
async function mailServer(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        received.push({ from: mailFrom === false ? '' : mailFrom.address, to, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  servers.push(server)
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, received, port: (server.server.address() as AddressInfo).port }
}
const from = 'Downtown Eye Care <desk@clinic.example>'
const sender = (port: number, { timeoutMs = 20_000, account = '' } = {}) =>
  emailSender({ url: `smtp://${account}127.0.0.1:${port}`, from, replyTo: 'hello@clinic.example' }, timeoutMs)
const refusal = (responseCode: number) => Object.assign(new Error(`no such mailbox ${mail.to}`), { responseCode })
const readAll = (stream: NodeJS.ReadableStream, then: () => void) => void stream.on('end', then).resume()

test('a mail arrives under the message’s own id, with what was written in it', async () => {
  const { port, received } = await mailServer()
  expect(await sender(port).send(mail)).toEqual({ as: 'sent' })
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'desk@clinic.example', to: ['zuzana@patients.example'] })
  const text = received[0]?.text ?? ''
  expect(text).toContain(`Message-ID: <${id}@clinic.example>`)
  expect(text).toContain('Subject: Your glasses are ready')
  expect(text).toContain('Reply-To: hello@clinic.example')
  expect(text).toContain('From: Downtown Eye Care <desk@clinic.example>')
  expect(text).toContain('=E2=80=9Equotes=E2=80=9C')
})

test('the account is used when there is one, and a wrong one is tried again later', async () => {
  const people: unknown[] = []
  const { port } = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      people.push([username, password])
      done(password === 'p@ss word' ? null : new Error('Invalid login'), { user: username ?? '' })
    },
  })
  expect(await sender(port, { account: 'desk:p%40ss%20word@' }).send(mail)).toEqual({ as: 'sent' })
  expect(await sender(port, { account: 'desk:wrong@' }).send(mail)).toMatchObject({ as: 'later', reason: '535' })
  expect(people[0]).toEqual(['desk', 'p@ss word'])
})

test.each<[string, SMTPServerOptions, object]>([
  [
    'the mailbox is not there',
    { onRcptTo: (_to, _session, done) => done(refusal(550)) },
    { as: 'refused', problem: 'undeliverable', reason: '550' },
  ],
  ['the mailbox is busy', { onRcptTo: (_to, _session, done) => done(refusal(450)) }, { as: 'later', reason: '450' }],
  [
    'the sender is not welcome',
    { onMailFrom: (_from, _session, done) => done(refusal(553)) },
    { as: 'refused', problem: 'undeliverable', reason: '553' },
  ],
  [
    'what is in it is refused',
    { onData: (stream, _session, done) => readAll(stream, () => done(refusal(554))) },
    { as: 'refused', problem: 'refused', reason: '554' },
  ],
  ['there is no room', { onData: (stream, _session, done) => readAll(stream, () => done(refusal(452))) }, { as: 'later', reason: '452' }],
])('when %s', async (_why, options, means) => {
  const { port } = await mailServer(options)
  expect(await sender(port).send(mail)).toEqual(means)
})

test('silence before the mail was begun means that it was not taken', async () => {
  const { port } = await mailServer({ onRcptTo: () => {} })
  expect(await sender(port, { timeoutMs: 200 }).send(mail)).toMatchObject({ as: 'later' })
})

test('silence after the whole mail means that nobody knows', async () => {
  const { port, received } = await mailServer({ onData: (stream) => readAll(stream, () => {}) })
  expect(await sender(port, { timeoutMs: 200 }).send(mail)).toMatchObject({ as: 'unknown' })
  expect(received).toHaveLength(0)
})

test('a connection that is cut after the whole mail means that nobody knows', async () => {
  const { server, port } = await mailServer({
    onData(stream) {
      readAll(stream, () => {
        for (const connection of server.connections) (connection as unknown as { _socket: { destroy(): void } })._socket.destroy()
      })
    },
  })
  expect(await sender(port).send(mail)).toMatchObject({ as: 'unknown' })
})

test('a server that is not there has taken nothing', async () => {
  const { server, port } = await mailServer()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  expect(await sender(port).send(mail)).toMatchObject({ as: 'later' })
})
