import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { appointmentEndpoints } from '#contract/calendar/appointments.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { errorBody } from '#contract/core/errors.ts'
import { insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { invoiceEndpoints } from '#contract/money/invoices.ts'
import { messageEndpoints } from '#contract/patients/messages.ts'
import { patientFileEndpoints } from '#contract/patients/patient-files.ts'
import { patientImportEndpoints } from '#contract/patients/patient-import.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import { pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import { portalEndpoints } from '#contract/patients/portal.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { type Permission, permissionTable, type Role } from '#contract/core/roles.ts'
import { syncEndpoints } from '#contract/sync/sync.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

// A user of another store tries every call that touches a record, with each permission for it. A new call fails here
// until a table lists its record, or lists that it touches none.
const calls: Record<string, Endpoint> = {
  ...patientEndpoints,
  ...appointmentEndpoints,
  ...messageEndpoints,
  ...invoiceEndpoints,
  ...patientFileEndpoints,
  ...insuranceEndpoints,
  ...prescriptionEndpoints,
  ...patientImportEndpoints,
  ...pcpEndpoints,
  ...pcpLetterEndpoints,
  ...portalEndpoints,
  patientsKey: syncEndpoints.patientsKey,
}

let server: TestServer
/** Maya sees the patients of all stores. Ana works in Downtown, with every right of a user who does not. */
const tokens = { maya: '', ana: '' }
const anasRoles: Role[] = ['front_desk', 'optician']

/** The records of a patient of Eastside, and of one of Downtown. */
type Things = {
  patient: string
  policy: string
  rx: string
  file: string
  upload: string
  invitation: string
  intake: string
  message: string
}
let theirs: Things
let own: Things

const home = { street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
const dob = '1980-02-28'
const rx = {
  rx_kind: 'spectacle',
  is_outside_rx: true,
  exam_date: '2026-11-20',
  issue_date: '2026-11-20',
  expiry_date: '2028-11-20',
  od: { sphere: -2250 },
  os: { sphere: -2000 },
}
const answers = Object.fromEntries(['address_line_2', 'phone', 'phone_home', 'cell_work', 'email'].map((field) => [field, '']))
const intake = { ...answers, ...home, preferred_contact: null, allergies: 'latex', medications: '', ocular_history: '', insurance: '' }

async function call(method: string, path: string, body?: unknown, token = tokens.ana): Promise<Response> {
  return await server.request(method, path, { token, ...(body !== undefined && { body }) })
}
async function made(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await call(method, path, body)
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

async function upload(patient: string): Promise<string> {
  const { filename } = await made('GET', `/api/patient/${patient}/generate-filename-doc`)
  const form = new FormData()
  form.set('file', new File(['%PDF-1.4\nof a referral\n%%EOF'], String(filename)))
  return await (await call('POST', '/upload/', form)).text()
}

async function everythingOf(last_name: string): Promise<Things> {
  const patient = String((await made('POST', '/api/patient/add', { first_name: 'Zuzana', last_name, dob, ...home }))['id'])
  const coverage = await server.db.pool.selectFrom('insurance_coverage_types').select('coverage_type_id').executeTakeFirstOrThrow()
  const policy = await made('POST', '/api/patient/insurance', {
    id_patient: patient,
    company_name: `Clear Harbour ${last_name}`,
    ...coverage,
    member_id: 'ZX8841',
    priority: 'primary',
    front_photo: Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 60 }, () => 1)]).toString('base64'),
  })
  const { id_rx } = await made('POST', '/api/patient/rx', { ...rx, id_patient: patient })
  const { id_file } = await made('POST', '/api/patient/file', { id_patient: patient, file_path: await upload(patient) })
  const invited = await made('POST', '/api/portal/invitations', { id: uuidv7(), id_patient: patient, way: 'link' })
  const token = String(invited['link']).split('#')[1]
  const ids = { intake: uuidv7(), message: uuidv7() }
  await made('POST', '/api/portal/agree', { token, dob, sms_consent: false, email_consent: false, hipaa_ack: true })
  await made('POST', '/api/portal/intake', { token, dob, id: ids.intake, answers: intake })
  await made('POST', '/api/portal/message', { token, dob, id: ids.message, text: 'Are my glasses ready?' })
  return {
    ...ids,
    patient,
    policy: String(policy['id_insurance']),
    rx: String(id_rx),
    file: String(id_file),
    upload: await upload(patient),
    invitation: v.parse(v.object({ id: v.string() }), invited['invitation']).id,
  }
}

beforeAll(async () => {
  server = await startTestServer({ config: { publicUrl: 'https://eyes.clinic.example' } })
  const asUser = (username: string) => server.db.pool.updateTable('users').where('username', '=', username)
  await asUser('ana').set({ role_ids: anasRoles }).execute()
  for (const name of ['maya', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
  own = await everythingOf('Nearby')
  theirs = await everythingOf('Farthingale')
  await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', theirs.patient).execute()
})
afterAll(() => server.close())

type Try = (of: Things) => { path: string; body?: unknown }
const patient = { first_name: 'Zuzana', last_name: 'Changed', ...home }
const policy = (of: Things) => ({
  company_name: 'Clear Harbour',
  coverage_type_id: 1,
  member_id: 'A1',
  priority: 'primary',
  id_patient: of.patient,
})
const byPatient = (path: string, body?: unknown): Try => {
  return (of) => ({ path: path.replace('{id}', of.patient), ...(body !== undefined && { body }) })
}
const asked = (path: string): Try => byPatient(`${path}?id_patient={id}`)

/** How to make each call on a record. */
const tries: Record<string, Try | Try[]> = {
  readPatient: byPatient('/api/patient/{id}'),
  changePatient: byPatient('/api/patient/{id}', patient),
  listAppointments: asked('/api/patient/appointments'),
  smsHistory: byPatient('/api/patient/{id}/sms-history'),
  emailHistory: byPatient('/api/patient/{id}/email-history'),
  callHistory: byPatient('/api/patient/{id}/call-history'),
  sendSms: byPatient('/api/patient/{id}/send-sms', { id: uuidv7(), message: 'Ready' }),
  sendEmail: byPatient('/api/patient/{id}/send-email', { id: uuidv7(), subject: 'Glasses', message: 'Ready' }),
  logCall: byPatient('/api/patient/{id}/log-call', { id: uuidv7(), direction: 'out', outcome: 'reached', duration_s: 60, note: '' }),
  readContact: byPatient('/api/patient/{id}/contact'),
  listPcpLetters: byPatient('/api/patient/{id}/pcp-letter'),
  recordPcpLetter: byPatient('/api/patient/{id}/pcp-letter', {
    id_letter: uuidv7(),
    id_pcp: uuidv7(),
    sent_on: '2026-11-20',
    way: 'fax',
    about: 'Referral',
  }),
  changeConsent: byPatient('/api/patient/{id}/contact', { sms_consent: true, how: 'by phone' }),
  listInvoices: asked('/api/patient/invoice'),
  generateFilename: byPatient('/api/patient/{id}/generate-filename-doc'),
  attachFile: [
    (of) => ({ path: '/api/patient/file', body: { id_patient: of.patient, file_path: of.upload } }),
    (of) => ({ path: '/api/patient/file', body: { id_patient: of.patient, file_path: own.upload } }),
  ],
  listFiles: asked('/api/patient/file'),
  readFile: (of) => ({ path: `/api/patient/file/${of.file}` }),
  readFileContent: (of) => ({ path: `/api/patient/file/${of.file}/content` }),
  readFileThumbnail: (of) => ({ path: `/api/patient/file/${of.file}/thumbnail` }),
  changeFile: (of) => ({ path: `/api/patient/file/${of.file}`, body: { filename: 'changed.pdf' } }),
  listInsurance: asked('/api/patient/insurance'),
  addInsurance: [
    (of) => ({ path: '/api/patient/insurance', body: policy(of) }),
    (of) => ({
      path: '/api/patient/insurance',
      body: { id_patient: of.patient, image: Buffer.from([0xff, 0xd8, 0xff]).toString('base64') },
    }),
  ],
  readInsurance: [
    (of) => ({ path: `/api/patient/insurance/${of.policy}/patient/${of.patient}` }),
    // The policy of the other store, through the user's own patient.
    (of) => ({ path: `/api/patient/insurance/${of.policy}/patient/${own.patient}` }),
  ],
  changeInsurance: (of) => ({ path: `/api/patient/insurance/${of.policy}`, body: policy(of) }),
  detachInsurance: (of) => ({ path: `/api/patient/insurance/${of.policy}/${of.patient}` }),
  attachHolder: [
    (of) => ({ path: `/api/patient/insurance/${of.policy}/holders`, body: { id_patient: own.patient, relationship: 'spouse' } }),
    (of) => ({ path: `/api/patient/insurance/${own.policy}/holders`, body: { id_patient: of.patient, relationship: 'spouse' } }),
  ],
  changeHolder: (of) => ({ path: `/api/patient/insurance/${of.policy}/holders/${of.patient}`, body: { relationship: 'child' } }),
  detachHolder: (of) => ({ path: `/api/patient/insurance/${of.policy}/holders/${of.patient}` }),
  insurancePhoto: [
    (of) => ({ path: `/api/patient/insurance/${of.policy}/patient/${of.patient}/photo/front` }),
    (of) => ({ path: `/api/patient/insurance/${of.policy}/patient/${own.patient}/photo/front` }),
  ],
  latestRx: asked('/api/patient/latest-rx'),
  listRx: asked('/api/patient/rx-list'),
  readRx: (of) => ({ path: `/api/patient/rx?id_rx=${of.rx}` }),
  addRx: (of) => ({ path: '/api/patient/rx', body: { ...rx, id_patient: of.patient } }),
  changeRx: (of) => ({ path: '/api/patient/rx', body: { id_rx: of.rx, version: 1, rx } }),
  deleteRx: (of) => ({ path: `/api/patient/rx/${of.rx}` }),
  linkRxScan: [
    (of) => ({ path: `/api/patient/rx/${of.rx}/scan`, body: { id_file: own.file } }),
    (of) => ({ path: `/api/patient/rx/${own.rx}/scan`, body: { id_file: of.file } }),
  ],
  recordRxCopy: (of) => ({ path: `/api/patient/rx/${of.rx}/copies`, body: { way: 'print', reason: 'for the patient' } }),
  previewInvitation: (of) => ({ path: `/api/portal/preview/${of.patient}` }),
  inviteToPortal: (of) => ({ path: '/api/portal/invitations', body: { id: uuidv7(), id_patient: of.patient, way: 'link' } }),
  resendInvitation: (of) => ({ path: `/api/portal/invitations/${of.invitation}/resend`, body: { id: uuidv7(), way: 'link' } }),
  revokeInvitation: (of) => ({ path: `/api/portal/invitations/${of.invitation}/revoke` }),
  markPortalMessage: (of) => ({ path: `/api/portal/messages/${of.message}`, body: { read: true } }),
  answerPortalMessage: (of) => ({ path: `/api/portal/messages/${of.message}/answer`, body: { id: uuidv7(), way: 'portal', text: 'Yes' } }),
  readIntake: (of) => ({ path: `/api/portal/intakes/${of.intake}` }),
  mergeIntake: (of) => ({ path: `/api/portal/intakes/${of.intake}/merge`, body: { take: [] } }),
}

/** Calls for many records. They must list nobody of another store. */
const lists: Record<string, string> = {
  lookUpPatients: '/api/patient/lookup?last_name=Farthingale',
  searchPatients: '/api/home/patient/search?query=Farthingale',
  listInvitations: '/api/portal/invitations',
  listPortalMessages: '/api/portal/messages',
  listIntakes: '/api/portal/intakes',
}

/**
 * Calls that touch no record of another store. They read shared lists, make new records, need a patient's link, or
 * touch only the sender's upload. pcps.test.ts covers a provider’s patients, and pcp-letters.test.ts the letters.
 */
const touchNone = new Set([
  'addPatient',
  'patientChoices',
  'paymentMethods',
  'listInvoiceStatuses',
  'insurancePlans',
  'insuranceCompanies',
  'coverageTypes',
  'findLensBrands',
  'listPcps',
  'pcpChoices',
  'pcpCard',
  'pcpCards',
  'readPcp',
  'addPcp',
  'changePcp',
  'mergePcps',
  'importPcps',
  'importPatients',
  'patientsKey',
  'uploadFile',
  'uploadProgress',
  'portalSummary',
  'smsReport',
])

const codeOf = async (answer: Response) => (answer.status < 400 ? 'done' : v.parse(errorBody, await answer.json()).code)
/** Returns true when every role with this permission sees the patients of all stores. */
const isForAllStores = ({ access }: Endpoint) => {
  if (access === 'public' || access === 'signed-in') return false
  const everywhere: readonly string[] = permissionTable['patient.other-stores']
  return permissionTable[access as Permission].every((role) => everywhere.includes(role))
}
const closed = Object.entries(tries).flatMap(([name, ways]) =>
  [ways].flat().map((way, at) => ({ name: at === 0 ? name : `${name}, ${at + 1}`, way })),
)

test('the tables of this file list every call on a patient’s record', () => {
  const unsaid = Object.entries(calls).filter(
    ([name, endpoint]) =>
      !(name in tries) && !(name in lists) && !touchNone.has(name) && endpoint.access !== 'public' && !isForAllStores(endpoint),
  )
  expect(unsaid.map(([name]) => name)).toEqual([])
  for (const name of [...Object.keys(tries), ...Object.keys(lists), ...touchNone]) expect(calls, name).toHaveProperty(name)
})

describe('a user of another store', () => {
  test.each(closed)('is refused: $name', async ({ name, way }) => {
    const { method } = calls[name.replace(/,.*/, '')] ?? { method: 'GET' }
    const { path, body } = way(theirs)
    const answer = await call(method, path, body)
    expect([403, 404], await answer.clone().text()).toContain(answer.status)
    expect(await codeOf(answer)).toMatch(/^patient-of-other-store$|-unknown$/)
  })

  test('has changed nothing', async () => {
    const record = (await (await call('GET', `/api/patient/${theirs.patient}`, undefined, tokens.maya)).json()) as Record<string, unknown>
    expect(record).toMatchObject({ last_name: 'Farthingale', version: 2 })
    const log = await (await call('GET', `/api/patient/${theirs.patient}/audit`, undefined, tokens.maya)).json()
    const { entries } = v.parse(patientEndpoints.patientAudit.response, log)
    // All entries but Maya's look are older than the patient's move to Eastside.
    expect(entries.filter(({ rep }) => rep.startsWith('Maya'))).toHaveLength(1)
  })

  test.each(Object.entries(lists))('does not find them: %s', async (_name, path) => {
    const [text, all] = await Promise.all(
      [tokens.ana, tokens.maya].map(async (token) => await (await call('GET', path, undefined, token)).text()),
    )
    expect(text).not.toMatch(new RegExp(`Farthingale|${theirs.patient}`))
    expect(all).toContain('Farthingale')
  })

  test('is refused with a command too', async () => {
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const receipts = await tablet.push([
      tablet.command('patient.edit', { id_patient: theirs.patient, changes: { city: { from: 'Larkspur', to: 'Elsewhere' } } }),
      tablet.command('patient.view', { id_patient: theirs.patient, part: 'record', reason: 'search', offline: true }),
    ])
    expect(receipts.map(({ error }) => error?.code)).toEqual(['patient-of-other-store', 'patient-of-other-store'])
  })

  test.each(['readPatient', 'listFiles', 'readFile', 'listInsurance', 'readRx', 'readIntake', 'callHistory', 'recordRxCopy'])(
    'may do it with their own: %s',
    async (name) => {
      const [way] = [tries[name] ?? []].flat()
      const { path, body } = way?.(own) ?? { path: '/' }
      expect((await call(calls[name]?.method ?? 'GET', path, body)).status).toBe(200)
    },
  )
})
