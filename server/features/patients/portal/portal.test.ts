import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { emailHistory } from '#contract/patients/messages.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { portalEndpoints as calls } from '#contract/patients/portal.ts'
import { usualRateLimits } from '#server/platform/http/rate-limit.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
const mails: string[] = []
const post = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  closeTimeout: 50,
  onData(stream, _session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      // Quoted-printable breaks long lines and writes `=` as `=3D`.
      mails.push(Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='))
      done()
    })
  },
})
const publicUrl = 'https://eyes.clinic.example'

beforeAll(async () => {
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  const email = {
    url: `smtp://127.0.0.1:${(post.server.address() as AddressInfo).port}`,
    from: 'Clinic <desk@clinic.example>',
    replyTo: null,
  }
  server = await startTestServer({ config: { messaging: { sms: null, email }, publicUrl }, rateLimits: usualRateLimits })
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((resolve) => post.close(() => resolve()))
})
beforeEach(async () => {
  mails.length = 0
  await server.db.pool.updateTable('messages').set({ status: 'failed' }).where('channel', '<>', 'call').execute()
  server.clock.advance(2 * 3_600_000)
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  nthAddress += 1
})

/** Each test knocks from an address of its own, so that none waits for another. */
let nthAddress = 0
const days = (count: number) => server.clock.advance(count * 86_400_000)
const dob = '1980-02-28'

async function patientWith(more: Record<string, unknown> = {}, token = tokens.ana) {
  const home = { street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
  const agreed = { email: 'zuzana@patients.example', email_consent_at: '2026-01-05T10:00:00.000Z' }
  const body = { first_name: 'Zuzana', last_name: 'Černá', dob, ...home, ...agreed, ...more }
  const answer = await server.request('POST', '/api/patient/add', { token, body })
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
async function recordOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}`, { token: tokens.maya })
  return v.parse(patientRecord, await answer.json())
}
async function auditOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
const refusalOf = async (answer: Response) => ({ status: answer.status, ...v.parse(errorBody, await answer.json()) })
const codeOf = async (answer: Response) => (answer.status === 200 ? 'ok' : (await refusalOf(answer)).code)
const read = async <S extends v.GenericSchema>(schema: S, answer: Response): Promise<v.InferOutput<S>> => {
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(schema, await answer.json())
}
const invite = (id_patient: string, { id = uuidv7(), way = 'link', token = tokens.ana } = {}) =>
  server.request('POST', '/api/portal/invitations', { token, body: { id, id_patient, way } })
async function invited(id_patient: string, more: { id?: string; way?: 'link' | 'email' } = {}) {
  return await read(calls.inviteToPortal.response, await invite(id_patient, more))
}
const tokenOf = (link: string | null) => (link ?? '').replace('/portal#', '')
const resend = (id: string, body: object, token = tokens.ana) =>
  server.request('POST', `/api/portal/invitations/${id}/resend`, { token, body })
const revoke = (id: string, token = tokens.ana) => server.request('POST', `/api/portal/invitations/${id}/revoke`, { token })
const knock = (path: 'open' | 'agree' | 'intake' | 'message', body: object, address = `10.0.${nthAddress}.1`) =>
  server.request('POST', `/api/portal/${path}`, { body, address })
const open = (token: string, given = dob, address?: string) => knock('open', { token, dob: given }, address)
const yes = { sms_consent: false, email_consent: true, hipaa_ack: true }
async function accepted(more: Record<string, unknown> = {}) {
  const patient = await patientWith(more)
  const { invitation, link } = await invited(patient.id)
  const proof = { token: tokenOf(link), dob }
  await read(calls.agreeInPortal.response, await knock('agree', { ...proof, ...yes }))
  return { patient, invitation, proof }
}
const empty = {
  street_address: '',
  address_line_2: '',
  city: '',
  state: '',
  zip_code: '',
  phone: '',
  phone_home: '',
  cell_work: '',
  email: '',
  preferred_contact: null,
  allergies: '',
  medications: '',
  ocular_history: '',
  insurance: '',
}
const listed = async (token = tokens.maya) =>
  (await read(calls.listInvitations.response, await server.request('GET', '/api/portal/invitations', { token }))).invitations

describe('an invitation', () => {
  test('goes out by email once, with a link that stands nowhere but in the email', async () => {
    const { id } = await patientWith()
    const key = uuidv7()
    const both = await Promise.all([1, 2].map(() => invited(id, { id: key, way: 'email' })))
    expect(both.map(({ link }) => link)).toEqual([null, null])
    expect(both[0]?.invitation).toMatchObject({
      way: 'email',
      email: 'zuzana@patients.example',
      email_status: 'queued',
      status: 'sent',
      sends: 1,
    })
    await server.services.messaging.sendDue()
    expect(mails).toHaveLength(1)
    const [, token = ''] = /https:\/\/eyes\.clinic\.example\/portal#([\w-]{43})/.exec(mails[0] ?? '') ?? []
    expect((await open(token)).status).toBe(200)
    const kept = JSON.stringify([
      await server.db.pool.selectFrom('portal_invitations').selectAll().where('id_patient', '=', id).execute(),
      await server.db.pool.selectFrom('messages').selectAll().where('id_patient', '=', id).execute(),
      await server.db.pool.selectFrom('receipts').select('answer').execute(),
      server.logged,
    ])
    expect(kept).not.toContain(token)
    expect(kept).toContain('personal link')
    expect((await listed()).find((row) => row.id_patient === id)).toMatchObject({ email_status: 'sent', link: 'open' })
    const history = await read(
      emailHistory.response,
      await server.request('GET', `/api/patient/${id}/email-history`, { token: tokens.ana }),
    )
    expect(history.messages[0]?.body).not.toContain('#')
  })

  test('is asked for again: the same link is told, nothing is sent twice, and a second one is refused', async () => {
    const { id } = await patientWith()
    const key = uuidv7()
    const first = await invited(id, { id: key })
    expect(first.link).toMatch(/^\/portal#[\w-]{43}$/)
    expect(await invited(id, { id: key })).toEqual(first)
    expect(await codeOf(await invite(id))).toBe('portal-invited')
    const other = await patientWith()
    expect(await codeOf(await invite(other.id, { id: key }))).toBe('key-reused')
    expect((await auditOf(id)).filter(({ action }) => action === 'portal.invite')).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    ['who did not agree to emails', { email_consent_at: null }, 'consent-missing'],
    ['without an address', { email: null }, 'address-missing'],
    ['who wants no contact', { preferred_contact: 'none' }, 'contact-unwanted'],
    ['without a date of birth', { dob: null }, 'portal-birth-date-missing'],
  ])('to a patient %s is not sent, and nothing is half made', async (_who, more, code) => {
    const { id } = await patientWith({ ...more })
    expect(await codeOf(await invite(id, { way: 'email' }))).toBe(code)
    expect((await listed()).filter((row) => row.id_patient === id)).toEqual([])
    const { messages } = await read(
      emailHistory.response,
      await server.request('GET', `/api/patient/${id}/email-history`, { token: tokens.ana }),
    )
    expect(messages).toEqual([])
  })

  test('is previewed without any effect', async () => {
    const { id } = await patientWith({ email_consent_at: null })
    const answer = await server.request('GET', `/api/portal/preview/${id}`, { token: tokens.ana })
    const preview = await read(calls.previewInvitation.response, answer)
    expect(preview).toMatchObject({ email_problem: 'consent-missing', has_dob: true, invitation: null, clinic_name: 'Downtown' })
    expect(preview.text).toContain('Hello Zuzana')
    expect(await auditOf(id)).toHaveLength(1)
    expect((await listed()).filter((row) => row.id_patient === id)).toEqual([])
  })

  test('that is sent again has a new link; the old one opens nothing, and its email does not leave any more', async () => {
    const { id } = await patientWith()
    const { invitation } = await invited(id, { way: 'email' })
    const key = uuidv7()
    const again = await read(calls.resendInvitation.response, await resend(invitation.id, { id: key, way: 'link' }))
    expect(again.invitation).toMatchObject({ sends: 2, way: 'link', email_status: null })
    expect(await read(calls.resendInvitation.response, await resend(invitation.id, { id: key, way: 'link' }))).toEqual(again)
    await server.services.messaging.sendDue()
    expect(mails).toEqual([])
    const third = await read(calls.resendInvitation.response, await resend(invitation.id, { id: uuidv7(), way: 'link' }))
    expect(await codeOf(await open(tokenOf(again.link)))).toBe('portal-closed')
    expect(await codeOf(await open(tokenOf(third.link)))).toBe('ok')
  })

  test('that is revoked opens nothing, is not sent, and can be made anew', async () => {
    const { id } = await patientWith()
    const { invitation, link } = await invited(id)
    for (let time = 0; time < 2; time++) {
      expect(await read(calls.revokeInvitation.response, await revoke(invitation.id))).toMatchObject({ status: 'revoked', link: 'ended' })
    }
    expect((await auditOf(id)).filter(({ action }) => action === 'portal.revoke')).toHaveLength(1)
    expect(await codeOf(await open(tokenOf(link)))).toBe('portal-closed')
    expect(await codeOf(await resend(invitation.id, { id: uuidv7(), way: 'link' }))).toBe('invitation-revoked')
    expect(await codeOf(await invite(id))).toBe('ok')
  })

  test('ends after seven days, and after thirty when it was accepted', async () => {
    const one = await patientWith()
    const { link } = await invited(one.id)
    const { proof } = await accepted()
    days(6.9)
    expect(await codeOf(await open(tokenOf(link)))).toBe('ok')
    days(0.2)
    expect(await codeOf(await open(tokenOf(link)))).toBe('portal-closed')
    expect(await codeOf(await knock('open', proof))).toBe('ok')
    tokens.maya = (await server.signIn('maya')).access_token
    expect((await listed()).find((row) => row.id_patient === one.id)).toMatchObject({ status: 'expired', link: 'ended' })
    days(23)
    expect(await codeOf(await knock('open', proof))).toBe('portal-closed')
  })
})

describe('whoever knocks', () => {
  test('hears the same of a link that is not there, is over or is revoked, and of a wrong date', async () => {
    const { id } = await patientWith()
    const { invitation, link } = await invited(id)
    const answers = [await open(tokenOf(link), '1980-02-29'), await open('x'.repeat(43)), await open(tokenOf(link), '1999-01-01')]
    await revoke(invitation.id)
    answers.push(await open(tokenOf(link)))
    const heard = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))
    expect(new Set(heard.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(heard[0]?.[0]).toBe(403)
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  })

  test('is locked out after five wrong dates, however many come at once, and a new link opens again', async () => {
    const { id } = await patientWith()
    const { invitation, link } = await invited(id)
    await Promise.all([...Array(9).keys()].map((nth) => open(tokenOf(link), `1990-01-0${nth + 1}`)))
    const row = await server.db.pool
      .selectFrom('portal_invitations')
      .select('wrong_tries')
      .where('id', '=', invitation.id)
      .executeTakeFirst()
    expect(row?.wrong_tries).toBe(5)
    expect(await codeOf(await open(tokenOf(link)))).toBe('portal-closed')
    expect((await listed()).find((each) => each.id === invitation.id)).toMatchObject({ status: 'sent', link: 'locked' })
    expect((await auditOf(id)).filter(({ action }) => action === 'portal.lock')).toHaveLength(1)
    const again = await read(calls.resendInvitation.response, await resend(invitation.id, { id: uuidv7(), way: 'link' }))
    expect(await codeOf(await open(tokenOf(again.link)))).toBe('ok')
  })

  test('has the tries back after the right date', async () => {
    const { id } = await patientWith()
    const { link } = await invited(id)
    for (let round = 0; round < 2; round++) {
      for (let nth = 1; nth <= 4; nth++) await open(tokenOf(link), `1990-01-0${nth}`)
      expect(await codeOf(await open(tokenOf(link)))).toBe('ok')
    }
  })

  test('guesses links from one address only so often', async () => {
    const codes = new Set<string>()
    for (let nth = 0; nth < 70; nth++) codes.add(await codeOf(await open(String(nth).padStart(43, 'a'), dob, '10.9.9.9')))
    expect([...codes].sort()).toEqual(['portal-closed', 'request-too-frequent'])
  })

  test('tries one link from many addresses only so often', async () => {
    const codes: string[] = []
    for (let nth = 0; nth < 25; nth++) codes.push(await codeOf(await open('m'.repeat(43), dob, `10.8.${nth}.1`)))
    expect(codes.filter((code) => code === 'request-too-frequent').length).toBeGreaterThan(2)
  })

  test('learns before accepting only the clinic, a first name and the consents; nothing can be sent before', async () => {
    const patient = await patientWith({ allergies: 'Penicillin' })
    const { link } = await invited(patient.id)
    const proof = { token: tokenOf(link), dob }
    const text = await (await knock('open', proof)).text()
    expect(text).toContain('Zuzana')
    expect(text).not.toMatch(/Černá|Quarry|Penicillin|patients\.example/)
    expect(await codeOf(await knock('message', { ...proof, id: uuidv7(), text: 'Hello' }))).toBe('portal-closed')
    expect(await codeOf(await knock('intake', { ...proof, id: uuidv7(), answers: { ...empty, city: 'Here' } }))).toBe('portal-closed')
  })

  test('gives and takes back consents, each in the audit as the patient’s own; a repeat changes nothing', async () => {
    const { patient, proof } = await accepted({ email_consent_at: null })
    const first = await recordOf(patient.id)
    expect(first).toMatchObject({
      sms_consent_at: null,
      hipaa_ack_at: expect.any(String) as string,
      email_consent_at: expect.any(String) as string,
    })
    await knock('agree', { ...proof, ...yes })
    expect((await recordOf(patient.id)).version).toBe(first.version)
    await knock('agree', { ...proof, sms_consent: true, email_consent: false, hipaa_ack: false })
    const now = await recordOf(patient.id)
    expect(now).toMatchObject({ email_consent_at: null, hipaa_ack_at: first.hipaa_ack_at, version: first.version + 1 })
    expect(now.revision).toBeGreaterThan(first.revision)
    const own = (await auditOf(patient.id))
      .filter(({ rep }) => rep === 'Patient, in the portal')
      .map(({ action, detail }) => `${action} ${detail}`)
    expect(own.sort()).toEqual([
      'consent.give email',
      'consent.give sms',
      'consent.withdraw email',
      'patient.edit hipaa_ack_at',
      'portal.accept ',
    ])
  })
})

describe('a form', () => {
  const answers = { ...empty, city: 'Moorfield', phone: '(518) 555-0199', allergies: 'Latex', insurance: 'VSP, card at home' }
  const review = async (id: string) =>
    await read(calls.readIntake.response, await server.request('GET', `/api/portal/intakes/${id}`, { token: tokens.ana }))
  const merge = (id: string, take: object[], token = tokens.ana) =>
    server.request('POST', `/api/portal/intakes/${id}/merge`, { token, body: { take } })

  test('arrives once, stands beside what is on file, and goes into the record field by field', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await Promise.all([1, 2].map(() => knock('intake', { ...proof, id, answers })))
    expect((await recordOf(patient.id)).city).toBe('Larkspur')
    const waiting = await read(calls.listIntakes.response, await server.request('GET', '/api/portal/intakes', { token: tokens.ana }))
    expect(waiting.intakes.filter((one) => one.id_patient === patient.id)).toMatchObject([{ id, filled: 4, reviewed_at: null }])
    const intake = await review(id)
    expect(intake.insurance).toBe('VSP, card at home')
    expect(intake.fields).toEqual([
      { field: 'city', sent: 'Moorfield', on_file: 'Larkspur' },
      { field: 'phone', sent: '5185550199', on_file: null },
      { field: 'allergies', sent: 'Latex', on_file: null },
    ])
    const take = [
      { field: 'phone', from: null },
      { field: 'allergies', from: null },
    ]
    const both = await Promise.all([1, 2].map(() => merge(id, take)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const now = await recordOf(patient.id)
    expect(now).toMatchObject({ city: 'Larkspur', phone: '5185550199', allergies: 'Latex' })
    const entries = (await auditOf(patient.id)).filter(({ action, rep }) => rep === 'Ana Teixeira' && /edit|review/.test(action))
    expect(entries.map(({ action, detail }) => `${action}: ${detail}`).sort()).toEqual([
      'patient.edit: allergies, phone',
      'portal.intake-review: allergies, phone',
    ])
    expect(await codeOf(await merge(id, [{ field: 'city', from: 'Larkspur' }]))).toBe('intake-settled')
    expect((await recordOf(patient.id)).version).toBe(now.version)
  })

  test('never writes over what somebody changed since it was looked at, and stays to be reviewed', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers })
    const { ssn: _ssn, ...record } = await recordOf(patient.id)
    await server.request('PUT', `/api/patient/${patient.id}`, { token: tokens.maya, body: { ...record, city: 'Elsewhere' } })
    expect(
      await codeOf(
        await merge(id, [
          { field: 'city', from: 'Larkspur' },
          { field: 'phone', from: null },
        ]),
      ),
    ).toBe('patient-changed')
    expect(await recordOf(patient.id)).toMatchObject({ city: 'Elsewhere', phone: null })
    expect((await review(id)).reviewed_at).toBeNull()
    expect(await codeOf(await merge(id, [{ field: 'city', from: 'Elsewhere' }]))).toBe('ok')
    expect((await recordOf(patient.id)).city).toBe('Moorfield')
  })

  test('of which nothing is taken is reviewed, and changes nothing', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers })
    const { version } = await recordOf(patient.id)
    expect(await read(calls.mergeIntake.response, await merge(id, []))).toMatchObject({ taken: [], reviewed_by: 'Ana Teixeira' })
    expect((await recordOf(patient.id)).version).toBe(version)
  })

  test.each<[string, object, string]>([
    ['no answer at all', {}, 'body.answers'],
    ['a strange state', { state: 'ZZ' }, 'body.answers.state'],
    ['half a phone number', { phone: '555' }, 'body.answers.phone'],
    ['no email address', { email: 'nobody' }, 'body.answers.email'],
    ['a NUL', { allergies: 'a\u0000b' }, 'body.answers.allergies'],
    ['too much', { medications: 'x'.repeat(2001) }, 'body.answers.medications'],
  ])('with %s is refused at its field', async (_what, more, path) => {
    const { proof } = await accepted()
    const refused = await refusalOf(await knock('intake', { ...proof, id: uuidv7(), answers: { ...empty, ...more } }))
    expect([refused.status, refused.fields?.map((field) => field.path)]).toEqual([422, [path]])
  })

  test('with hostile text is kept as text, and five that nobody looked at are enough', async () => {
    const { proof, patient } = await accepted()
    const nasty = `<script>alert(1)</script>'; drop table patients; -- {first_name} [the patient’s personal link] 🕶️`
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers: { ...empty, ocular_history: nasty } })
    expect(await codeOf(await merge(id, [{ field: 'ocular_history', from: null }]))).toBe('ok')
    expect((await recordOf(patient.id)).ocular_history).toBe(nasty)
    expect(await codeOf(await knock('intake', { ...proof, id, answers: { ...empty, ocular_history: 'other' } }))).toBe('key-reused')
    const codes: string[] = []
    for (let nth = 0; nth < 6; nth++) codes.push(await codeOf(await knock('intake', { ...proof, id: uuidv7(), answers })))
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'request-too-frequent'])
  })
})

describe('a message', () => {
  const mark = (id: string, body: object, token = tokens.ana) => server.request('PUT', `/api/portal/messages/${id}`, { token, body })
  const answer = (id: string, body: object, token = tokens.ana) =>
    server.request('POST', `/api/portal/messages/${id}/answer`, { token, body })
  const inbox = async (done = 'no') =>
    (await read(calls.listPortalMessages.response, await server.request('GET', `/api/portal/messages?done=${done}`, { token: tokens.ana })))
      .messages
  async function written(more: Record<string, unknown> = {}) {
    const made = await accepted(more)
    const id = uuidv7()
    await Promise.all([1, 2].map(() => knock('message', { ...made.proof, id, text: 'May I come on Tuesday?' })))
    return { ...made, id }
  }

  test('arrives once, is read, taken on, done and opened again', async () => {
    const { id, patient } = await written()
    expect((await inbox()).filter((one) => one.id_patient === patient.id)).toMatchObject([
      { id, read_at: null, text: 'May I come on Tuesday?' },
    ])
    const told = await read(calls.markPortalMessage.response, await mark(id, { read: true, mine: true, done: true }))
    expect(told).toMatchObject({
      assigned_rep: 'Ana Teixeira',
      done_at: expect.any(String) as string,
      read_at: expect.any(String) as string,
    })
    expect((await inbox()).some((one) => one.id === id)).toBe(false)
    expect((await inbox('yes')).some((one) => one.id === id)).toBe(true)
    expect(await read(calls.markPortalMessage.response, await mark(id, { read: false, mine: false, done: false }))).toMatchObject({
      read_at: null,
      assigned_to: null,
      done_at: null,
    })
  })

  test('is answered in the portal, once, and the patient reads it there', async () => {
    const { id, proof } = await written()
    const body = { id: uuidv7(), way: 'portal', text: 'Tuesday at nine is fine.' }
    await Promise.all([1, 2].map(() => answer(id, body)))
    const view = await read(calls.openPortal.response, await knock('open', proof))
    expect(view.messages.map(({ from, by, text }) => [from, by, text])).toEqual(
      [
        ['you', '', 'May I come on Tuesday?'],
        ['clinic', 'Ana Teixeira', 'Tuesday at nine is fine.'],
      ].toReversed(),
    )
    expect(await codeOf(await answer(id, { ...body, text: 'No.' }))).toBe('key-reused')
  })

  test('is answered by email, once; refused where the patient does not want it, and then nothing is written', async () => {
    const { id, patient, proof } = await written()
    const body = { id: uuidv7(), way: 'email', text: 'See you on Tuesday.' }
    await Promise.all([1, 2].map(() => answer(id, body)))
    await server.services.messaging.sendDue()
    expect(mails.filter((mail) => mail.includes('See you on Tuesday.'))).toHaveLength(1)
    await knock('agree', { ...proof, sms_consent: false, email_consent: false, hipaa_ack: true })
    expect(await codeOf(await answer(id, { ...body, id: uuidv7() }))).toBe('consent-missing')
    expect((await inbox()).find((one) => one.id_patient === patient.id)?.answers).toHaveLength(1)
  })
})

test('all of it is told only to those of the patient’s store, and by role', async () => {
  const { invitation, proof, patient } = await accepted()
  const [idMessage, idIntake] = [uuidv7(), uuidv7()]
  await knock('message', { ...proof, id: idMessage, text: 'Hello' })
  await knock('intake', { ...proof, id: idIntake, answers: { ...empty, city: 'Here' } })
  await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', patient.id).execute()
  const foreign = await Promise.all([
    invite(patient.id),
    resend(invitation.id, { id: uuidv7(), way: 'link' }),
    revoke(invitation.id),
    server.request('GET', `/api/portal/preview/${patient.id}`, { token: tokens.ana }),
    server.request('PUT', `/api/portal/messages/${idMessage}`, { token: tokens.ana, body: { read: true } }),
    server.request('POST', `/api/portal/messages/${idMessage}/answer`, {
      token: tokens.ana,
      body: { id: uuidv7(), way: 'portal', text: 'x' },
    }),
    server.request('GET', `/api/portal/intakes/${idIntake}`, { token: tokens.ana }),
    server.request('POST', `/api/portal/intakes/${idIntake}/merge`, { token: tokens.ana, body: { take: [] } }),
  ])
  expect(await Promise.all(foreign.map(codeOf))).toEqual(foreign.map(() => 'patient-of-other-store'))
  const lists = ['invitations', 'messages', 'intakes']
  for (const list of lists) {
    const seen = await (await server.request('GET', `/api/portal/${list}`, { token: tokens.ana })).text()
    expect(seen).not.toContain(patient.id)
    expect(await (await server.request('GET', `/api/portal/${list}`, { token: tokens.maya })).text()).toContain(patient.id)
    expect(await codeOf(await server.request('GET', `/api/portal/${list}`, { token: tokens.ben }))).toBe('permission-missing')
  }
  await server.db.pool.updateTable('patients').set({ store_id: 1 }).where('id', '=', patient.id).execute()
})

test('a server that cannot send, or does not know its address, says so and hands the link over', async () => {
  const bare = await startTestServer()
  try {
    const { access_token: token } = await bare.signIn('ana')
    const home = { street_address: '1 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Other', dob }
    const person = { first_name: 'Ngozi', ...home, email: 'ngozi@patients.example', email_consent_at: '2026-01-05T10:00:00.000Z' }
    const { id } = v.parse(patientRecord, await (await bare.request('POST', '/api/patient/add', { token, body: person })).json())
    const ask = (way: string) => bare.request('POST', '/api/portal/invitations', { token, body: { id: uuidv7(), id_patient: id, way } })
    expect(await codeOf(await ask('email'))).toBe('messages-not-configured')
    const { link } = await read(calls.inviteToPortal.response, await ask('link'))
    expect(link).toMatch(/^\/portal#/)
    const preview = await read(calls.previewInvitation.response, await bare.request('GET', `/api/portal/preview/${id}`, { token }))
    expect(preview.email_problem).toBe('messages-not-configured')
  } finally {
    await bare.close()
  }
})
