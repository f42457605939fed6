import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { emailHistory } from '#contract/patients/messages.ts'
import { patientRecord } from '#contract/patients/patients.ts'
import { portalEndpoints as calls } from '#contract/patients/portal.ts'
import { startTestServer } from '#tests/support/test-server.ts'
import {
  accepted,
  auditOf,
  closeRoom,
  codeOf,
  days,
  dob,
  empty,
  invite,
  invited,
  knock,
  listed,
  mails,
  nextVisit,
  open,
  openRoom,
  patientWith,
  read,
  recordOf,
  resend,
  revoke,
  server,
  tokenOf,
  tokens,
  yes,
} from '#tests/support/portal-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)
beforeEach(nextVisit)

describe('an invitation', () => {
  test('goes out by email once, and only the email contains its link', async () => {
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

  test('keeps its link when the request is repeated, and a second invitation is refused', async () => {
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
  ])('to a patient %s is not sent, and leaves nothing', async (_who, more, code) => {
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

  test('that is sent again has a new link; the old link opens nothing, and its email is not sent', async () => {
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

  test('that is revoked opens nothing and is not sent again, and the patient can get a new one', async () => {
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

  test('ends after seven days, or after thirty when it was accepted', async () => {
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

describe('a visitor with a link', () => {
  test('gets the same answer for an unknown or revoked link and for a wrong date of birth', async () => {
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

  test('is locked out after five wrong dates, even when more arrive at once, and a new link opens again', async () => {
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

  test('has all tries again after the right date', async () => {
    const { id } = await patientWith()
    const { link } = await invited(id)
    for (let round = 0; round < 2; round++) {
      for (let nth = 1; nth <= 4; nth++) await open(tokenOf(link), `1990-01-0${nth}`)
      expect(await codeOf(await open(tokenOf(link)))).toBe('ok')
    }
  })

  test('can guess links from one address only so often', async () => {
    const codes = new Set<string>()
    for (let nth = 0; nth < 70; nth++) codes.add(await codeOf(await open(String(nth).padStart(43, 'a'), dob, '10.9.9.9')))
    expect([...codes].sort()).toEqual(['portal-closed', 'request-too-frequent'])
  })

  test('can try one link from many addresses only so often', async () => {
    const codes: string[] = []
    for (let nth = 0; nth < 25; nth++) codes.push(await codeOf(await open('m'.repeat(43), dob, `10.8.${nth}.1`)))
    expect(codes.filter((code) => code === 'request-too-frequent').length).toBeGreaterThan(2)
  })

  test('sees only the clinic, a first name and the consents before accepting, and can send nothing', async () => {
    const patient = await patientWith({ allergies: 'Penicillin' })
    const { link } = await invited(patient.id)
    const proof = { token: tokenOf(link), dob }
    const text = await (await knock('open', proof)).text()
    expect(text).toContain('Zuzana')
    expect(text).not.toMatch(/Černá|Quarry|Penicillin|patients\.example/)
    expect(await codeOf(await knock('message', { ...proof, id: uuidv7(), text: 'Hello' }))).toBe('portal-closed')
    expect(await codeOf(await knock('intake', { ...proof, id: uuidv7(), answers: { ...empty, city: 'Here' } }))).toBe('portal-closed')
  })

  test('gives and takes back consents, and the audit names the patient; a repeat changes nothing', async () => {
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

test('a server that cannot send email, or does not know its address, says so and gives the user the link', async () => {
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
