import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { portalEndpoints as calls } from '#contract/patients/portal.ts'
import { usualRateLimits } from '#server/platform/http/rate-limit.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

export let server: TestServer
/** Maya manages all stores. Ana is an optician of Downtown, Ben a stock clerk. */
export const tokens = { maya: '', ana: '', ben: '' }
export const mails: string[] = []
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

/** Starts the clinic's server and a mail server, which the tests of one file share. */
export async function openRoom(): Promise<void> {
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  const email = {
    url: `smtp://127.0.0.1:${(post.server.address() as AddressInfo).port}`,
    from: 'Clinic <desk@clinic.example>',
    replyTo: null,
  }
  server = await startTestServer({ config: { messaging: { sms: null, email }, publicUrl }, rateLimits: usualRateLimits })
}

export async function closeRoom(): Promise<void> {
  await server.close()
  await new Promise<void>((resolve) => post.close(() => resolve()))
}

/** Two hours later: no mail waits, everybody signs in again, and the patient has a new address. */
export async function nextVisit(): Promise<void> {
  mails.length = 0
  await server.db.pool.updateTable('messages').set({ status: 'failed' }).where('channel', '<>', 'call').execute()
  server.clock.advance(2 * 3_600_000)
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  nthAddress += 1
}

/** Each test has its own network address, so that rate limits do not add up. */
let nthAddress = 0

export const days = (count: number) => server.clock.advance(count * 86_400_000)

export const dob = '1980-02-28'

/** Registers a patient who agreed to emails. */
export async function patientWith(more: Record<string, unknown> = {}, token = tokens.ana) {
  const home = { street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
  const agreed = { email: 'zuzana@patients.example', email_consent_at: '2026-01-05T10:00:00.000Z' }
  const body = { first_name: 'Zuzana', last_name: 'Černá', dob, ...home, ...agreed, ...more }
  const answer = await server.request('POST', '/api/patient/add', { token, body })
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
export async function recordOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}`, { token: tokens.maya })
  return v.parse(patientRecord, await answer.json())
}
export async function auditOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
export const refusalOf = async (answer: Response) => ({ status: answer.status, ...v.parse(errorBody, await answer.json()) })
export const codeOf = async (answer: Response) => (answer.status === 200 ? 'ok' : (await refusalOf(answer)).code)
export const read = async <S extends v.GenericSchema>(schema: S, answer: Response): Promise<v.InferOutput<S>> => {
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(schema, await answer.json())
}
export const invite = (id_patient: string, { id = uuidv7(), way = 'link', token = tokens.ana } = {}) =>
  server.request('POST', '/api/portal/invitations', { token, body: { id, id_patient, way } })
export async function invited(id_patient: string, more: { id?: string; way?: 'link' | 'email' } = {}) {
  return await read(calls.inviteToPortal.response, await invite(id_patient, more))
}
export const tokenOf = (link: string | null) => (link ?? '').replace('/portal#', '')
export const resend = (id: string, body: object, token = tokens.ana) =>
  server.request('POST', `/api/portal/invitations/${id}/resend`, { token, body })
export const revoke = (id: string, token = tokens.ana) => server.request('POST', `/api/portal/invitations/${id}/revoke`, { token })
export const knock = (path: 'open' | 'agree' | 'intake' | 'message', body: object, address = `10.0.${nthAddress}.1`) =>
  server.request('POST', `/api/portal/${path}`, { body, address })
export const open = (token: string, given = dob, address?: string) => knock('open', { token, dob: given }, address)
export const yes = { sms_consent: false, email_consent: true, hipaa_ack: true }
/** A patient who accepted an invitation, with the proof that opens the portal. */
export async function accepted(more: Record<string, unknown> = {}) {
  const patient = await patientWith(more)
  const { invitation, link } = await invited(patient.id)
  const proof = { token: tokenOf(link), dob }
  await read(calls.agreeInPortal.response, await knock('agree', { ...proof, ...yes }))
  return { patient, invitation, proof }
}
/** An intake without an answer. */
export const empty = {
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
export const listed = async (token = tokens.maya) =>
  (await read(calls.listInvitations.response, await server.request('GET', '/api/portal/invitations', { token }))).invitations
