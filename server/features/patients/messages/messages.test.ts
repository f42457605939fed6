import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { type Message, message, readContact, smsHistory } from '#contract/patients/messages.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import { createMessaging } from '#server/domain/messages/messaging.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
const reportSecret = 'a secret of sixteen or more'

/** The outside services, simulated on this machine: their received messages, and their answers. */
const outside = { texts: [] as { id: string; to: string; text: string }[], status: 202, mails: [] as string[] }
const phones = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    outside.texts.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof outside.texts)[number])
    response.writeHead(outside.status, { 'content-type': 'application/json' }).end('{}')
  })
})
const post = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  closeTimeout: 50,
  onData(stream, _session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      outside.mails.push(Buffer.concat(chunks).toString())
      done()
    })
  },
})
const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port

beforeAll(async () => {
  await new Promise<void>((resolve) => phones.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  const sms = { url: `http://127.0.0.1:${portOf(phones)}/`, token: 'token', from: '+15185550100', repeatsSafely: false, reportSecret }
  const email = { url: `smtp://127.0.0.1:${portOf(post.server)}`, from: 'Clinic <desk@clinic.example>', replyTo: null }
  server = await startTestServer({ config: { messaging: { sms, email } } })
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(async () => {
  await server.close()
  phones.closeAllConnections()
  phones.close()
  await new Promise<void>((resolve) => post.close(() => resolve()))
})
beforeEach(async () => {
  outside.texts = []
  outside.mails = []
  outside.status = 202
  // Each test begins with nothing to send, and two hours after the last.
  await server.db.pool.updateTable('messages').set({ status: 'failed' }).where('channel', '<>', 'call').execute()
  server.clock.advance(2 * 3_600_000)
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})

const now = () => new Date(server.clock.now()).toISOString()
async function patientWith(more: Record<string, unknown> = {}) {
  const agreed = { sms_consent_at: '2026-01-05T10:00:00.000Z', email_consent_at: '2026-01-05T10:00:00.000Z' }
  const home = { street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
  const body = {
    first_name: 'Zuzana',
    last_name: 'Černá',
    ...home,
    phone: '5185550123',
    email: 'zuzana@patients.example',
    ...agreed,
    ...more,
  }
  const answer = await server.request('POST', '/api/patient/add', { token: tokens.ana, body })
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
const refusalOf = async (answer: Response) => ({ status: answer.status, ...v.parse(errorBody, await answer.json()) })
const messageOf = async (answer: Response) => {
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(message, await answer.json())
}
type How = { token?: string; headers?: Record<string, string> }
const sendSms = (id: string, body: object, { token = tokens.ana, headers }: How = {}) =>
  server.request('POST', `/api/patient/${id}/send-sms`, { token, body, ...(headers && { headers }) })
const sendEmail = (id: string, body: object, { token = tokens.ana }: How = {}) =>
  server.request('POST', `/api/patient/${id}/send-email`, { token, body })
const logCall = (id: string, body: object, { token = tokens.ana }: How = {}) =>
  server.request('POST', `/api/patient/${id}/log-call`, { token, body })
async function history(id: string, kind: 'sms' | 'email' | 'call' = 'sms') {
  const answer = await server.request('GET', `/api/patient/${id}/${kind}-history`, { token: tokens.ana })
  return v.parse(smsHistory.response, await answer.json())
}
async function auditOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
const text = { message: 'Hello {first_name}, your glasses are ready at {clinic_name}.', template: 'glasses-ready' }
const newest = async (id: string) => (await history(id)).messages[0] as Message

describe('a text message', () => {
  test('is queued, then sent to the patient’s cell phone with all placeholders filled in, and kept with its sender', async () => {
    const { id } = await patientWith({ pref: 'Zuzi' })
    const queued = await messageOf(await sendSms(id, text))
    expect(queued).toMatchObject({ status: 'queued', channel: 'sms', direction: 'out', to: '5185550123', by: 'Ana Teixeira', attempts: 0 })
    expect(outside.texts).toEqual([])
    await server.services.messaging.sendDue()
    expect(outside.texts).toMatchObject([{ id: queued.id, to: '+15185550123', text: 'Hello Zuzi, your glasses are ready at Downtown.' }])
    const { messages, total } = await history(id)
    expect([total, messages[0]]).toMatchObject([1, { id: queued.id, status: 'sent', attempts: 1, template: 'glasses-ready' }])
    expect((await auditOf(id))[1]).toMatchObject({ action: 'message.send', detail: 'sms', rep: 'Ana Teixeira' })
  })

  test('that comes twice, under its id or its Idempotency-Key, even at one moment, is sent once', async () => {
    const { id } = await patientWith()
    const own = uuidv7()
    const many = await Promise.all([1, 2, 3, 4].map(async () => messageOf(await sendSms(id, { ...text, id: own }))))
    expect(new Set(many.map((one) => one.id))).toEqual(new Set([own]))
    const headers = { 'idempotency-key': 'the desk, the second text' }
    const second = await messageOf(await sendSms(id, text, { headers }))
    await server.services.messaging.sendDue()
    expect(await messageOf(await sendSms(id, text, { headers }))).toMatchObject({ id: second.id, status: 'sent' })
    await server.services.messaging.sendDue()
    expect(outside.texts.map((sent) => sent.id).sort()).toEqual([own, second.id].sort())
    expect(await refusalOf(await sendSms(id, { message: 'Something else', id: own }))).toMatchObject({ status: 409, code: 'key-reused' })
    expect(await refusalOf(await sendSms(id, { ...text, id: own }, { token: tokens.maya }))).toMatchObject({ code: 'key-reused' })
  })

  test('is sent once although several servers look for due messages at one moment', async () => {
    const { id } = await patientWith()
    for (let nth = 0; nth < 5; nth++) await messageOf(await sendSms(id, { message: `Text ${nth}` }))
    const given: string[] = []
    const sms: Sender = { repeatsSafely: false, send: async (one) => (given.push(one.id), { as: 'sent' }) }
    const { db, clock, log, config } = server.services
    const several = [1, 2, 3].map(() => createMessaging({ db, clock, log, config: config.messaging, senders: { sms } }))
    await Promise.all(several.map((one) => one.sendDue()))
    expect([given.length, new Set(given).size]).toEqual([5, 5])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['hasn’t consented', { sms_consent_at: null }, 'consent-missing'],
    ['doesn’t want to be contacted', { preferred_contact: 'none' }, 'contact-unwanted'],
    ['has no cell phone', { phone: null, phone_home: '5185550199' }, 'address-missing'],
  ])('to a patient who %s is refused, and nothing is stored', async (_who, more, code) => {
    const { id } = await patientWith(more)
    expect(await refusalOf(await sendSms(id, text))).toMatchObject({ status: 409, code })
    expect((await history(id)).total).toBe(0)
  })

  test.each<[string, object, string]>([
    ['nothing', { message: '' }, 'body.message'],
    ['white space', { message: '  \n' }, 'body.message'],
    ['no message', {}, 'body.message'],
    ['a number', { message: 7 }, 'body.message'],
    ['what cannot be stored', { message: 'nul\u0000' }, 'body.message'],
    ['too many characters', { message: 'x'.repeat(1001) }, 'body.message'],
    ['too many segments', { message: '😀'.repeat(300) }, 'body.message'],
    ['an open placeholder', { message: 'On {date}' }, 'body.message'],
    ['an unknown template', { message: 'Hello', template: 'no-such' }, 'body.template'],
    ['an id that is none', { message: 'Hello', id: 'no-uuid' }, 'body.id'],
  ])('with %s is refused at its field', async (_what, body, path) => {
    const { id } = await patientWith()
    const refused = await refusalOf(await sendSms(id, body))
    expect([refused.status, refused.fields?.map((field) => field.path)]).toEqual([422, [path]])
    expect((await history(id)).total).toBe(0)
  })

  test('is refused to a stock clerk, and to a user without access to the patient’s store', async () => {
    const { id } = await patientWith()
    expect(await refusalOf(await sendSms(id, text, { token: tokens.ben }))).toMatchObject({ status: 403, code: 'permission-missing' })
    await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', id).execute()
    expect(await refusalOf(await sendSms(id, text))).toMatchObject({ status: 403, code: 'patient-of-other-store' })
    expect(await refusalOf(await sendSms(uuidv7(), text))).toMatchObject({ status: 404, code: 'patient-unknown' })
    expect((await server.request('GET', `/api/patient/${id}/sms-history`, { token: tokens.ana })).status).toBe(403)
  })

  test('too many within an hour are refused, with the time to wait', async () => {
    const { id } = await patientWith()
    for (let nth = 0; nth < 6; nth++) expect((await sendSms(id, { message: `Text ${nth}` })).status).toBe(200)
    server.clock.advance(600_000)
    const refused = await refusalOf(await sendSms(id, text))
    expect(refused).toMatchObject({ status: 429, code: 'message-too-frequent', retry_after_s: 3000 })
    expect((await sendEmail(id, { subject: 'Hello', message: 'Hello' })).status).toBe(200)
    server.clock.advance(3_000_000)
    tokens.ana = (await server.signIn('ana')).access_token
    expect((await sendSms(id, text)).status).toBe(200)
  })
})

describe('an email', () => {
  test('is sent with its subject, under its own Message-ID', async () => {
    const { id } = await patientWith()
    const queued = await messageOf(await sendEmail(id, { subject: 'For {first_name}', message: 'Hello {first_name},\n{staff_name}' }))
    expect(queued).toMatchObject({ subject: 'For Zuzana', body: 'Hello Zuzana,\nAna Teixeira', to: 'zuzana@patients.example' })
    await server.services.messaging.sendDue()
    expect(outside.mails).toHaveLength(1)
    expect(outside.mails[0]).toContain(`Message-ID: <${queued.id}@clinic.example>`)
    expect((await history(id, 'email')).messages).toMatchObject([{ id: queued.id, status: 'sent' }])
    expect((await history(id, 'sms')).total).toBe(0)
  })

  test('with line breaks in its subject is refused', async () => {
    const { id } = await patientWith()
    const refused = await refusalOf(await sendEmail(id, { subject: 'Hello\r\nBcc: all@clinic.example', message: 'x' }))
    expect(refused.fields?.[0]).toEqual({ path: 'body.subject', message: 'must be one line' })
  })
})

describe('a message that is not sent at once', () => {
  /** Another server on the same data, whose service gives these answers. */
  function another(answers: Delivery[], repeatsSafely = false) {
    const given: string[] = []
    const sms: Sender = {
      repeatsSafely,
      async send({ id }) {
        given.push(id)
        return answers[given.length - 1] ?? answers.at(-1) ?? { as: 'sent' }
      },
    }
    const { db, clock, log, config } = server.services
    return { given, messaging: createMessaging({ db, clock, log, config: config.messaging, senders: { sms } }) }
  }
  async function queued() {
    const { id } = await patientWith()
    await messageOf(await sendSms(id, text))
    return id
  }

  test('is tried again later, each time after a longer wait, and then fails', async () => {
    const id = await queued()
    const { given, messaging } = another([{ as: 'later', reason: '503' }])
    for (const wait of [0, 30, 120, 600, 1800, 7200]) {
      if (wait > 0) {
        server.clock.advance(wait * 1000 - 1)
        await messaging.sendDue()
        server.clock.advance(1)
      }
      const before = given.length
      await messaging.sendDue()
      expect(given.length).toBe(before + 1)
    }
    tokens.ana = (await server.signIn('ana')).access_token
    expect(await newest(id)).toMatchObject({ status: 'failed', problem: 'unreachable', attempts: 6 })
    server.clock.advance(86_400_000)
    await messaging.sendDue()
    expect(given).toHaveLength(6)
  })

  test('waits as long as the service says', async () => {
    const id = await queued()
    const { given, messaging } = another([{ as: 'later', reason: '429', afterS: 300 }, { as: 'sent' }])
    await messaging.sendDue()
    server.clock.advance(299_000)
    await messaging.sendDue()
    expect([given.length, (await newest(id)).status]).toEqual([1, 'queued'])
    server.clock.advance(1000)
    await messaging.sendDue()
    expect(await newest(id)).toMatchObject({ status: 'sent', attempts: 2 })
  })

  test('is not tried again after the service refused it', async () => {
    outside.status = 422
    const id = await queued()
    await server.services.messaging.sendDue()
    server.clock.advance(600_000)
    await server.services.messaging.sendDue()
    expect([outside.texts.length, await newest(id)]).toMatchObject([1, { status: 'failed', problem: 'undeliverable' }])
  })

  test('is not sent a second time when the service gave no answer', async () => {
    const id = await queued()
    const { given, messaging } = another([{ as: 'unknown', reason: 'TimeoutError' }])
    await messaging.sendDue()
    server.clock.advance(600_000)
    await messaging.sendDue()
    expect([given.length, await newest(id)]).toMatchObject([1, { status: 'unknown', problem: 'no-answer' }])
  })

  test('is sent again with the same key to a service that recognizes repeats', async () => {
    const id = await queued()
    const { given, messaging } = another([{ as: 'unknown', reason: 'TimeoutError' }, { as: 'sent' }], true)
    await messaging.sendDue()
    server.clock.advance(30_000)
    await messaging.sendDue()
    expect(await newest(id)).toMatchObject({ status: 'sent', attempts: 2 })
    expect(given).toEqual([(await newest(id)).id, (await newest(id)).id])
  })

  test.each([
    [false, { status: 'unknown', problem: 'interrupted', attempts: 1 }, 0],
    [true, { status: 'sent', problem: null, attempts: 2 }, 1],
  ])('of a server that ended with it in hand (service recognizes repeats: %s)', async (safe, becomes, sends) => {
    const id = await queued()
    // A server took the message in hand, and was killed before the service answered.
    const dying = createMessaging({
      ...server.services,
      config: server.services.config.messaging,
      senders: { sms: { repeatsSafely: safe, send: () => new Promise(() => {}) } },
    })
    void dying.sendDue()
    const inHand = () => server.db.pool.selectFrom('messages').select('id').where('status', '=', 'sending').execute()
    await expect.poll(inHand).toHaveLength(1)
    const { given, messaging } = another([{ as: 'sent' }], safe)
    await messaging.sendDue()
    expect([given.length, (await newest(id)).status]).toEqual([0, 'queued'])
    server.clock.advance(5 * 60_000 + 1)
    await messaging.sendDue()
    expect([given.length, await newest(id)]).toMatchObject([sends, becomes])
  })

  test('of a server that ended before sending is sent when another one starts, and later messages follow', async () => {
    const id = await queued()
    const { given, messaging } = another([{ as: 'sent' }])
    messaging.start()
    await expect.poll(() => given.length).toBe(1)
    await messageOf(await sendSms(id, { message: 'Another' }))
    messaging.wake()
    await expect.poll(() => given.length).toBe(2)
    await messaging.close()
    expect(new Set(given).size).toBe(2)
  })

  test('is not sent after the patient withdrew consent', async () => {
    const id = await queued()
    await server.request('PUT', `/api/patient/${id}/contact`, { token: tokens.ana, body: { sms_consent: false, how: 'by phone' } })
    await server.services.messaging.sendDue()
    expect([outside.texts.length, await newest(id)]).toMatchObject([0, { status: 'failed', problem: 'consent-withdrawn' }])
  })

  test('is not sent after half a day', async () => {
    const id = await queued()
    server.clock.advance(12 * 3_600_000 + 1)
    await server.services.messaging.sendDue()
    tokens.ana = (await server.signIn('ana')).access_token
    expect([outside.texts.length, await newest(id)]).toMatchObject([0, { status: 'failed', problem: 'too-late' }])
  })
})

describe('a report of the service', () => {
  const report = (told: { id: string; status: string; at: string }, secret = reportSecret) => {
    const signature = createHmac('sha256', secret).update(`${told.id}.${told.status}.${told.at}`).digest('hex')
    return server.request('POST', '/api/messaging/sms-report', { body: { ...told, signature } })
  }

  test('marks a message as delivered, once, and only with the secret', async () => {
    const { id } = await patientWith()
    const sent = await messageOf(await sendSms(id, text))
    const told = { id: sent.id, status: 'delivered', at: now() }
    await report(told)
    expect((await newest(id)).status).toBe('queued')
    await server.services.messaging.sendDue()
    expect(await refusalOf(await report(told, 'another secret, long enough'))).toMatchObject({ status: 403, code: 'report-unproven' })
    expect((await newest(id)).status).toBe('sent')
    expect((await report(told)).status).toBe(200)
    expect(await newest(id)).toMatchObject({ status: 'delivered', problem: null })
    await report({ ...told, status: 'failed' })
    expect((await newest(id)).status).toBe('delivered')
  })

  test('of an unknown message is accepted and does nothing', async () => {
    expect((await report({ id: uuidv7(), status: 'failed', at: now() })).status).toBe(200)
  })
})

describe('a call', () => {
  test('is written down with its outcome, once', async () => {
    const { id } = await patientWith()
    const body = { id: uuidv7(), direction: 'in', outcome: 'reached', duration_s: 240, note: 'Asked for Tuesday', to: '5185550123' }
    const [made] = await Promise.all([1, 2].map(async () => messageOf(await logCall(id, body))))
    expect(made).toMatchObject({ channel: 'call', status: null, outcome: 'reached', duration_s: 240, body: 'Asked for Tuesday', at: now() })
    expect((await history(id, 'call')).total).toBe(1)
    expect((await auditOf(id)).map(({ action }) => action)).toContain('call.log')
  })

  test.each<[string, object, string]>([
    ['no direction', { outcome: 'reached' }, 'body.direction'],
    ['an unknown outcome', { direction: 'out', outcome: 'shouted' }, 'body.outcome'],
    ['less than no time', { direction: 'out', outcome: 'reached', duration_s: -1 }, 'body.duration_s'],
    ['half a day of talk', { direction: 'out', outcome: 'reached', duration_s: 36_001 }, 'body.duration_s'],
    ['a time to come', { direction: 'out', outcome: 'reached', at: '2036-01-01T00:00:00.000Z' }, 'body.at'],
    ['a long note', { direction: 'out', outcome: 'reached', note: 'x'.repeat(2001) }, 'body.note'],
  ])('with %s is refused at its field', async (_what, body, path) => {
    const { id } = await patientWith()
    const refused = await refusalOf(await logCall(id, body))
    expect([refused.status, refused.fields?.map((field) => field.path)]).toEqual([422, [path]])
  })
})

describe('consent', () => {
  const put = (id: string, body: object, token = tokens.ana) => server.request('PUT', `/api/patient/${id}/contact`, { token, body })

  test('is given and withdrawn, each with an audit row that says how, and devices get both', async () => {
    const { id, revision } = await patientWith({ sms_consent_at: null, email_consent_at: null })
    const contact = v.parse(readContact.response, await (await put(id, { sms_consent: true, how: 'on paper' })).json())
    expect(contact).toMatchObject({ sms: { configured: true, consent_at: now(), address: '5185550123' }, email: { consent_at: null } })
    await put(id, { sms_consent: false, email_consent: true, preferred_contact: 'email', how: 'by phone' })
    const entries = (await auditOf(id))
      .filter(({ reason }) => reason !== '')
      .map(({ action, detail, reason }) => `${action} ${detail} ${reason}`)
    expect(entries.sort()).toEqual([
      'consent.give email by phone',
      'consent.give sms on paper',
      'consent.withdraw sms by phone',
      'patient.edit preferred_contact by phone',
    ])
    const row = await server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ version: 3, sms_consent_at: null, email_consent_at: now(), preferred_contact: 'email' })
    expect(row.revision).toBeGreaterThan(revision)
  })

  test('without a change writes nothing, and none is written without saying how', async () => {
    const made = await patientWith()
    await put(made.id, { sms_consent: true, how: 'on paper' })
    const row = await server.db.pool
      .selectFrom('patients')
      .select(['version', 'sms_consent_at'])
      .where('id', '=', made.id)
      .executeTakeFirst()
    expect(row).toEqual({ version: 1, sms_consent_at: made.sms_consent_at })
    expect(await refusalOf(await put(made.id, { sms_consent: false }))).toMatchObject({ status: 422, code: 'request-invalid' })
    expect(await refusalOf(await put(made.id, { sms_consent: false, how: 'x' }, tokens.ben))).toMatchObject({ code: 'permission-missing' })
  })
})

test('a server without services says so, and still records calls', async () => {
  const bare = await startTestServer()
  try {
    const { access_token: token } = await bare.signIn('ana')
    const home = { street_address: '1 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Other' }
    const person = { first_name: 'Ngozi', ...home, phone: '5185550123', sms_consent_at: '2026-01-05T10:00:00.000Z' }
    const { id } = v.parse(patientRecord, await (await bare.request('POST', '/api/patient/add', { token, body: person })).json())
    const contact = v.parse(readContact.response, await (await bare.request('GET', `/api/patient/${id}/contact`, { token })).json())
    expect([contact.sms.configured, contact.email.configured]).toEqual([false, false])
    const refused = await refusalOf(await bare.request('POST', `/api/patient/${id}/send-sms`, { token, body: text }))
    expect(refused).toMatchObject({ status: 409, code: 'messages-not-configured', details: { channel: 'sms' } })
    const call = { direction: 'out', outcome: 'voicemail' }
    expect((await bare.request('POST', `/api/patient/${id}/log-call`, { token, body: call })).status).toBe(200)
  } finally {
    await bare.close()
  }
})

test('the log has no text and no address of a message', async () => {
  const { id } = await patientWith()
  outside.status = 422
  await sendSms(id, { message: 'Private words for {first_name}' })
  await sendEmail(id, { subject: 'Private matter', message: 'Private letter' })
  await server.services.messaging.sendDue()
  const log = JSON.stringify(server.logged)
  expect(log).toContain('a message was not taken')
  expect(log).not.toMatch(/Private|5550123|patients\.example|Zuzana/)
})
