import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { prescription } from '#contract/rx/prescription.ts'
import { listRx } from '#contract/rx/prescriptions.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores and is made a doctor too, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
let patientId = ''
let foreignId = ''
beforeAll(async () => {
  server = await startTestServer()
  const { pool } = server.services.db
  await pool
    .updateTable('users')
    .set({ role_ids: ['manager', 'doctor'] })
    .where('username', '=', 'maya')
    .execute()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  patientId = await newPatient()
  foreignId = await newPatient()
  await pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', foreignId).execute()
})
afterAll(() => server.close())

async function newPatient(): Promise<string> {
  const body = { first_name: 'Zoë', street_address: '1 A St', city: 'B', state: 'NY', zip_code: '12345', gender: 'Female' }
  return v.parse(patientRecord, await (await call('POST', '/api/patient/add', body)).json()).id
}
const call = (method: string, path: string, body?: unknown, token = tokens.ana) => server.request(method, path, { token, body })
const codeOf = async (answer: Response) => v.parse(errorBody, await answer.json())
const rxOf = async (answer: Response) => {
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(prescription, await answer.json())
}
const whole = {
  rx_kind: 'spectacle',
  exam_date: '2026-11-20',
  issue_date: '2026-11-20',
  expiry_date: '2028-11-20',
  od: { sphere: -2250, cylinder: -500, axis: 7 },
  os: { sphere: -2000 },
}
const add = (more: Record<string, unknown> = {}, token = tokens.ana) =>
  call('POST', '/api/patient/rx', { ...whole, id_patient: patientId, ...more }, token)
const change = (body: Record<string, unknown>, token = tokens.maya) => call('PUT', '/api/patient/rx', body, token)
const typed = { kind: 'typed', name: 'Maya Okonjo' }
const list = async () => v.parse(listRx.response, await (await call('GET', `/api/patient/rx-list?id_patient=${patientId}`)).json()).rx_list
const latest = async () => (await (await call('GET', `/api/patient/latest-rx?id_patient=${patientId}`)).json()) as { id_rx: string } | null

test('a draft is added, changed, signed by a doctor, and then never changes; signing another replaces it', async () => {
  expect(await latest()).toBeNull()
  const draft = await rxOf(await add({ os: {} }))
  expect(draft).toMatchObject({
    status: 'draft',
    created_by: 'Ana Teixeira',
    signed_by: null,
    version: 1,
    od: { sphere: -2250, axis: 7, add: null },
  })
  expect(await latest()).toBeNull()

  const early = await codeOf(await change({ id_rx: draft.id_rx, signature: typed }))
  expect(early).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.rx.os.sphere', message: 'This field is required' }] })
  const changed = await rxOf(await change({ id_rx: draft.id_rx, version: 1, rx: whole }, tokens.ana))
  expect(changed).toMatchObject({ version: 2, os: { sphere: -2000 } })
  expect(await codeOf(await change({ id_rx: draft.id_rx, version: 1, rx: whole }))).toMatchObject({ code: 'rx-changed' })

  expect(await codeOf(await change({ id_rx: draft.id_rx, signature: typed }, tokens.ana))).toMatchObject({ code: 'permission-missing' })
  for (const name of ['Bugs Bunny', 'Maya', 'Ben Halvorsen', '-']) {
    expect(await codeOf(await change({ id_rx: draft.id_rx, signature: { kind: 'typed', name } }))).toMatchObject({
      code: 'rx-signature-not-yours',
      fields: [{ path: 'body.signature.name' }],
    })
  }
  const signed = await rxOf(await change({ id_rx: draft.id_rx, signature: { kind: 'drawn', strokes: [[1, 2, 300, 200]] } }))
  expect(signed).toMatchObject({ status: 'active', signed_by: 'Maya Okonjo', signature: { kind: 'drawn', strokes: [[1, 2, 300, 200]] } })
  for (const body of [{ rx: whole }, { signature: typed }]) {
    expect(await codeOf(await change({ id_rx: draft.id_rx, ...body }))).toMatchObject({ code: 'rx-signed' })
  }
  expect(await codeOf(await call('DELETE', `/api/patient/rx/${draft.id_rx}`))).toMatchObject({ code: 'rx-signed' })

  const next = await rxOf(await add())
  const loose = { kind: 'typed', name: '  MÁYA  okonjo' }
  await rxOf(await change({ id_rx: next.id_rx, rx: whole, signature: loose }))
  const lenses = await rxOf(await add({ rx_kind: 'contact_lens', od: {}, os: {}, balance_lens_eye: 'none' }))
  expect((await list()).map(({ id_rx, status }) => [id_rx, status])).toEqual([
    [lenses.id_rx, 'draft'],
    [next.id_rx, 'active'],
    [draft.id_rx, 'superseded'],
  ])
  expect((await latest())?.id_rx).toBe(next.id_rx)
  expect((await call('DELETE', `/api/patient/rx/${lenses.id_rx}`)).status).toBe(200)
  expect(await codeOf(await call('GET', `/api/patient/rx?id_rx=${lenses.id_rx}`))).toMatchObject({ code: 'rx-unknown' })

  const answer = await call('GET', `/api/patient/${patientId}/audit`, undefined, tokens.maya)
  const done = v
    .parse(patientAudit.response, await answer.json())
    .entries.filter(({ action }) => action.startsWith('rx.') && action !== 'rx.view')
  expect(done.map(({ action, rep }) => `${action} ${rep}`).sort()).toEqual(
    ['rx.create Ana Teixeira', 'rx.create Ana Teixeira', 'rx.create Ana Teixeira', 'rx.delete Ana Teixeira', 'rx.edit Ana Teixeira'].concat(
      ['rx.sign Maya Okonjo', 'rx.sign Maya Okonjo'],
    ),
  )
  expect(done.find(({ action }) => action === 'rx.edit')?.detail).toBe('os')
})

test('two doctors who sign at once leave one prescription in force', async () => {
  const [a, b] = [await rxOf(await add()), await rxOf(await add())]
  const answers = await Promise.all([a, b].map(({ id_rx }) => change({ id_rx, signature: typed })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await list()).filter(({ status }) => status === 'active')).toHaveLength(1)
})

test('an illegal value is refused with its field, and nothing is stored', async () => {
  const before = (await list()).length
  const cases: [Record<string, unknown>, string][] = [
    [{ od: { sphere: -2300 } }, 'body.od.sphere'],
    [{ od: { sphere: 30_250 } }, 'body.od.sphere'],
    [{ od: { sphere: 1.5 } }, 'body.od.sphere'],
    [{ od: { sphere: '1' } }, 'body.od.sphere'],
    [{ od: { axis: 90 } }, 'body.od.axis'],
    [{ od: { power: -1000 } }, 'body.od.power'],
    [{ pd_distance_bino: 62_000, pd_near_bino: 63_000 }, 'body.pd_near_bino'],
    [{ rx_kind: 'contact_lens', os: {} }, 'body.od.sphere'],
    [{ rx_kind: 'contact_lens', od: {}, os: {}, balance_lens_eye: 'os' }, 'body.balance_lens_eye'],
    [{ rx_kind: 'contact_lens', od: { no_lens: true }, os: { no_lens: true } }, 'body.os.no_lens'],
    [{ expiry_date: '2026-11-20' }, 'body.expiry_date'],
    [{ exam_date: '2026-02-30' }, 'body.exam_date'],
    [{ notes_internal: 'a\u0000b' }, 'body.notes_internal'],
    [{ rx_kind: 'monocle' }, 'body.rx_kind'],
  ]
  for (const [more, path] of cases) {
    const answer = await add(more)
    expect(answer.status).toBe(422)
    expect((await codeOf(answer)).fields?.map((field) => field.path)).toContain(path)
  }
  expect(await codeOf(await add({ provider_id: 3 }))).toMatchObject({ code: 'rx-provider-unknown' })
  expect(await codeOf(await change({ id_rx: patientId }))).toMatchObject({ code: 'request-invalid' })
  expect(await list()).toHaveLength(before)
})

test('an id works once, and a user who may not read the patient cannot reach their prescriptions', async () => {
  const id_rx = '0190a000-0000-7000-8000-0000000000aa'
  const made = await rxOf(await add({ id_rx }))
  const looks = await list()
  // The same prescription may come again, because its answer was lost.
  expect(await rxOf(await add({ id_rx }))).toEqual(made)
  expect(await list()).toEqual(looks)
  expect(await codeOf(await add({ id_rx, notes_internal: 'another' }))).toMatchObject({ code: 'key-reused' })
  expect(await codeOf(await add({ id_rx }, tokens.maya))).toMatchObject({ code: 'key-reused' })
  expect((await add({}, tokens.ben)).status).toBe(403)
  expect((await call('GET', `/api/patient/rx?id_rx=${id_rx}`, undefined, tokens.ben)).status).toBe(403)

  const foreign = await rxOf(await add({ id_patient: foreignId }, tokens.maya))
  const tries = [
    add({ id_patient: foreignId }),
    change({ id_rx: foreign.id_rx, rx: whole }, tokens.ana),
    call('GET', `/api/patient/rx?id_rx=${foreign.id_rx}`),
    call('GET', `/api/patient/rx-list?id_patient=${foreignId}`),
    call('GET', `/api/patient/latest-rx?id_patient=${foreignId}`),
    call('DELETE', `/api/patient/rx/${foreign.id_rx}`),
  ]
  for (const answer of await Promise.all(tries)) expect(await codeOf(answer)).toMatchObject({ code: 'patient-of-other-store' })
})

const withdraw = (id: string, body: Record<string, unknown>, token = tokens.maya) =>
  call('POST', `/api/patient/rx/${id}/withdraw`, body, token)

test('a doctor cancels a signed one or marks it entered in error, with a reason; it stays readable, and none replaces it', async () => {
  const patient = await newPatient()
  const [former, second] = [await rxOf(await add({ id_patient: patient })), await rxOf(await add({ id_patient: patient }))]
  expect(await codeOf(await withdraw(second.id_rx, { status: 'cancelled', reason: 'x' }))).toMatchObject({ code: 'rx-not-withdrawable' })
  for (const { id_rx } of [former, second]) await rxOf(await change({ id_rx, signature: typed }))
  for (const [body, path] of [
    [{ status: 'cancelled' }, 'body.reason'],
    [{ status: 'cancelled', reason: '  ' }, 'body.reason'],
    [{ status: 'superseded', reason: 'x' }, 'body.status'],
  ] as const) {
    const answer = await withdraw(second.id_rx, body)
    expect(answer.status).toBe(422)
    expect((await codeOf(answer)).fields?.map((field) => field.path)).toEqual([path])
  }
  expect((await withdraw(second.id_rx, { status: 'cancelled', reason: 'x' }, tokens.ana)).status).toBe(403)
  expect(await codeOf(await withdraw(second.id_rx, { status: 'cancelled', reason: 'x', version: 1 }))).toMatchObject({ code: 'rx-changed' })
  const canceled = await rxOf(await withdraw(second.id_rx, { status: 'cancelled', reason: 'Refracted again', version: 2 }))
  expect(canceled).toMatchObject({ status: 'cancelled', version: 3, withdrawn: { by: 'Maya Okonjo', reason: 'Refracted again' } })
  expect(await rxOf(await call('GET', `/api/patient/rx?id_rx=${second.id_rx}`))).toEqual(canceled)
  expect(await (await call('GET', `/api/patient/latest-rx?id_patient=${patient}`)).json()).toBeNull()
  // A canceled one cannot be canceled again, but a doctor can still mark both as entered in error.
  expect(await codeOf(await withdraw(former.id_rx, { status: 'cancelled', reason: 'x' }))).toMatchObject({ code: 'rx-not-withdrawable' })
  expect(await codeOf(await withdraw(second.id_rx, { status: 'cancelled', reason: 'x' }))).toMatchObject({ code: 'rx-not-withdrawable' })
  for (const { id_rx } of [former, second]) {
    expect((await rxOf(await withdraw(id_rx, { status: 'entered_in_error', reason: 'Someone else’s' }))).status).toBe('entered_in_error')
    expect(await codeOf(await withdraw(id_rx, { status: 'entered_in_error', reason: 'x' }))).toMatchObject({ code: 'rx-not-withdrawable' })
    expect(await codeOf(await call('DELETE', `/api/patient/rx/${id_rx}`))).toMatchObject({ code: 'rx-signed' })
  }
  const told = await entriesOf(patient)
  expect(told.filter(({ action }) => action === 'rx.withdraw').map(({ detail, reason, rep }) => [detail, reason, rep])).toEqual([
    ['entered_in_error', 'Someone else’s', 'Maya Okonjo'],
    ['entered_in_error', 'Someone else’s', 'Maya Okonjo'],
    ['cancelled', 'Refracted again', 'Maya Okonjo'],
  ])
})

test('two doctors who withdraw the same one at once get one success and one refusal', async () => {
  const { id_rx } = await rxOf(await add({ id_patient: await newPatient() }))
  await rxOf(await change({ id_rx, signature: typed }))
  const answers = await Promise.all([1, 2].map((nth) => withdraw(id_rx, { status: 'cancelled', reason: `Reason ${nth}` })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
})

test('signing moves the last exam and the recall in one transaction, the mirror gets both, and an error moves them back', async () => {
  const patient = await newPatient()
  const record = async () => v.parse(patientRecord, await (await call('GET', `/api/patient/${patient}`)).json())
  const before = await record()
  const sign = async (more: Record<string, unknown>) => {
    const { id_rx } = await rxOf(await add({ id_patient: patient, ...more }))
    return await rxOf(await change({ id_rx, signature: typed }))
  }
  await sign({ is_outside_rx: true, provider_name: 'Dr. Elsewhere' })
  expect(await record()).toEqual({ ...before, is_new: false })
  const signed = await sign({})
  const moved = await record()
  expect(moved).toMatchObject({ last_exam_date: '2026-11-20', recall_due_date: '2027-11-20', recall_reason: 'Comprehensive exam' })
  expect(moved.version).toBe(before.version + 1)
  expect(moved.revision).toBeGreaterThan(before.revision)
  expect((await entriesOf(patient)).find(({ action }) => action === 'patient.edit')).toMatchObject({
    detail: 'last_exam_date, recall_due_date, recall_reason',
    reason: 'prescription signed',
    rep: 'Maya Okonjo',
  })
  const older = await sign({ exam_date: '2026-01-05' })
  expect((await record()).version).toBe(moved.version)
  await rxOf(await withdraw(older.id_rx, { status: 'entered_in_error', reason: 'x' }))
  expect(await record()).toEqual(moved)
  await rxOf(await withdraw(signed.id_rx, { status: 'entered_in_error', reason: 'x' }))
  expect(await record()).toMatchObject({ last_exam_date: null, recall_due_date: null, recall_reason: null, version: moved.version + 1 })
})

test('a withdrawal never undoes later changes by hand, and canceling undoes nothing', async () => {
  const patient = await newPatient()
  const { id_rx } = await rxOf(await add({ id_patient: patient }))
  await rxOf(await change({ id_rx, signature: typed }))
  await rxOf(await withdraw(id_rx, { status: 'cancelled', reason: 'x' }))
  const { pool } = server.services.db
  const dates = () => pool.selectFrom('patients').select(['last_exam_date', 'recall_due_date']).where('id', '=', patient).executeTakeFirst()
  expect(await dates()).toEqual({ last_exam_date: '2026-11-20', recall_due_date: '2027-11-20' })
  await pool.updateTable('patients').set({ recall_due_date: '2027-02-01' }).where('id', '=', patient).execute()
  await rxOf(await withdraw(id_rx, { status: 'entered_in_error', reason: 'x' }))
  expect(await dates()).toEqual({ last_exam_date: '2026-11-20', recall_due_date: '2027-02-01' })
})

test('an exam in the future cannot be signed', async () => {
  const { id_rx } = await rxOf(await add({ exam_date: '2099-01-01', issue_date: '2099-01-01', expiry_date: '2099-12-01' }))
  expect(await codeOf(await change({ id_rx, signature: typed }))).toMatchObject({
    code: 'request-invalid',
    fields: [{ path: 'body.rx.exam_date', message: 'can’t be in the future' }],
  })
})

async function entriesOf(patient: string) {
  const answer = await call('GET', `/api/patient/${patient}/audit`, undefined, tokens.maya)
  return v.parse(patientAudit.response, await answer.json()).entries
}

test('plus cylinder is stored as minus, and eighths only when the store uses them', async () => {
  const eighth = { od: { sphere: 625, cylinder: 1500, axis: 120 } }
  expect((await codeOf(await add(eighth))).fields?.map(({ path }) => path)).toEqual(['body.od.sphere'])
  const settings = {
    cylinder_notation: 'plus',
    power_step: 125,
    spectacle_expiry_months: 24,
    contact_lens_expiry_months: 12,
    vertex_distance: 13_000,
  }
  expect((await call('PUT', '/api/settings/optical', settings, tokens.maya)).status).toBe(200)
  const made = await rxOf(await add(eighth))
  expect(made.od).toMatchObject({ sphere: 2125, cylinder: -1500, axis: 30 })
  // The other notation of the same lens is no change. A half-entered cylinder is kept until its axis comes.
  const version = made.version
  await rxOf(await change({ id_rx: made.id_rx, version, rx: { ...whole, ...eighth } }))
  const half = await rxOf(await change({ id_rx: made.id_rx, rx: { ...whole, od: { sphere: 500, cylinder: 1500 } } }))
  expect(half.od).toMatchObject({ sphere: 500, cylinder: 1500, axis: null })
  await call('PUT', '/api/settings/optical', { ...settings, power_step: 250 }, tokens.maya)
})

test('every printed, exported or emailed copy is recorded with user and reason, and never goes out without', async () => {
  const patient = await newPatient()
  const { id_rx } = await rxOf(await add({ id_patient: patient }))
  const copy = (body: unknown, token = tokens.ana, id = id_rx) => call('POST', `/api/patient/rx/${id}/copies`, body, token)
  for (const way of ['print', 'export', 'email', 'print']) expect((await copy({ way, reason: 'For a laboratory' })).status).toBe(200)
  for (const [body, path] of [
    [{ way: 'print' }, 'body.reason'],
    [{ way: 'print', reason: ' ' }, 'body.reason'],
    [{ way: 'fax', reason: 'x' }, 'body.way'],
  ] as const) {
    expect((await codeOf(await copy(body))).fields?.map((field) => field.path)).toEqual([path])
  }
  expect((await copy({ way: 'print', reason: 'x' }, tokens.ben)).status).toBe(403)
  expect(await codeOf(await copy({ way: 'print', reason: 'x' }, tokens.ana, patient))).toMatchObject({ code: 'rx-unknown' })
  const foreign = await rxOf(await add({ id_patient: foreignId }, tokens.maya))
  expect(await codeOf(await copy({ way: 'print', reason: 'x' }, tokens.ana, foreign.id_rx))).toMatchObject({
    code: 'patient-of-other-store',
  })
  const told = (await entriesOf(patient)).filter(({ action }) => /^rx\.(print|export|email)$/.test(action))
  // Printing the same prescription twice makes two entries.
  expect(told.map(({ action, reason, rep }) => `${action} ${reason} ${rep}`)).toEqual([
    'rx.print For a laboratory Ana Teixeira',
    'rx.email For a laboratory Ana Teixeira',
    'rx.export For a laboratory Ana Teixeira',
    'rx.print For a laboratory Ana Teixeira',
  ])
})

const lens = {
  power: -3000,
  cl_modality: 'monthly',
  cl_type: 'soft_sphere',
  brand: 'Aqua',
  manufacturer: 'Lens Works',
  base_curve: 8600,
  diameter: 14_200,
}
const lenses = { rx_kind: 'contact_lens', exam_date: '2026-11-20', issue_date: '2026-11-20', expiry_date: '2027-11-20', od: lens, os: lens }

test('a trial lens stays a draft, never an annual supply, and cannot be signed', async () => {
  const refusal = await add({ ...lenses, od: { ...lens, is_trial: true, annual_supply: 12 } })
  expect([refusal.status, (await codeOf(refusal)).fields]).toEqual([
    422,
    [{ path: 'body.od.annual_supply', message: 'A trial lens can’t be sold as an annual supply' }],
  ])
  const { id_rx, od } = await rxOf(await add({ ...lenses, od: { ...lens, is_trial: true } }))
  expect(od.is_trial).toBe(true)
  const changed = await change({ id_rx, rx: { ...lenses, os: { ...lens, is_trial: true, annual_supply: 1 } } })
  expect((await codeOf(changed)).fields?.map(({ path }) => path)).toEqual(['body.rx.os.annual_supply'])
  expect((await codeOf(await change({ id_rx, signature: typed }))).fields?.map(({ path }) => path)).toEqual(['body.rx.od.is_trial'])
  expect((await rxOf(await change({ id_rx, rx: lenses, signature: typed }))).status).toBe('active')
})

test('a prescription shows the current letterhead of its patient’s store', async () => {
  const letterhead = {
    street_address: '12 Canal Street',
    address_line_2: null,
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12345',
    phone: '5185550120',
    fax: '5185550121',
  }
  const { id_rx } = await rxOf(await add(lenses))
  expect((await call('PUT', '/api/settings/letterhead', letterhead, tokens.maya)).status).toBe(200)
  expect((await rxOf(await call('GET', `/api/patient/rx?id_rx=${id_rx}`))).letterhead).toEqual(letterhead)
  const foreign = await rxOf(await add({ ...lenses, id_patient: foreignId }, tokens.maya))
  expect(foreign.letterhead?.street_address).not.toBe('12 Canal Street')
})

test('the scan of an outside prescription is a file of its patient, can change after signing, and is in the access log', async () => {
  const patient = await newPatient()
  const file = async (id_patient: string, filename: string) => {
    const id_file = uuidv7()
    const row = { id_file, id_patient, filename, file_path: `patient-files/${id_file}`, mime: 'application/pdf' as const, size: 9 }
    const more = {
      sha256: 'a'.repeat(64),
      category: 'outside Rx' as const,
      note: '',
      uploaded_by: 1,
      uploaded_at: '2026-11-20T10:00:00.000Z',
    }
    await server.services.db.pool
      .insertInto('patient_files')
      .values({ ...row, ...more })
      .execute()
    return id_file
  }
  const [theirs, newer, foreign] = [await file(patient, 'Paper.pdf'), await file(patient, 'Better.pdf'), await file(patientId, 'Other.pdf')]
  const { id_rx, version, scan } = await rxOf(await add({ id_patient: patient, is_outside_rx: true, provider_name: 'Dr. Elsewhere' }))
  expect(scan).toBeNull()
  const link = (id_file: unknown, token = tokens.ana, id = id_rx) => call('PUT', `/api/patient/rx/${id}/scan`, { id_file }, token)
  expect(await rxOf(await link(theirs))).toMatchObject({ version, scan: { id_file: theirs, filename: 'Paper.pdf' } })
  await rxOf(await link(theirs))
  for (const wrong of [foreign, uuidv7()]) expect(await codeOf(await link(wrong))).toMatchObject({ code: 'file-unknown' })
  expect((await link('paper')).status).toBe(422)
  expect((await link(theirs, tokens.ben)).status).toBe(403)
  // A form that was open in the meantime can still be saved and signed, and the scan stays.
  expect((await rxOf(await change({ id_rx, version, signature: typed }))).scan).toEqual({ id_file: theirs, filename: 'Paper.pdf' })
  expect((await rxOf(await link(newer))).scan?.filename).toBe('Better.pdf')
  const listed = await (await call('GET', `/api/patient/rx-list?id_patient=${patient}`)).json()
  expect(v.parse(listRx.response, listed).rx_list[0]?.scan?.id_file).toBe(newer)
  expect((await rxOf(await link(null))).scan).toBeNull()
  const told = (await entriesOf(patient)).filter(({ action }) => action === 'rx.attach' || action === 'rx.detach')
  expect(told.map(({ action, detail }) => [action, detail])).toEqual([
    ['rx.detach', `scan ${newer}`],
    ['rx.attach', `scan ${newer}`],
    ['rx.attach', `scan ${theirs}`],
  ])
  const own = await rxOf(await add({ id_patient: patient }))
  expect((await codeOf(await link(theirs, tokens.ana, own.id_rx))).fields?.map(({ path }) => path)).toEqual(['body.id_file'])
  const elsewhere = await rxOf(await add({ id_patient: foreignId, is_outside_rx: true }, tokens.maya))
  expect(await codeOf(await link(theirs, tokens.ana, elsewhere.id_rx))).toMatchObject({ code: 'patient-of-other-store' })
})

test('axis 0 is stored as 180', async () => {
  const made = await rxOf(await add({ od: { sphere: 0, cylinder: -500, axis: 0 } }))
  expect(made.od.axis).toBe(180)
  const changed = await rxOf(await change({ id_rx: made.id_rx, rx: { ...whole, os: { sphere: 0, cylinder: -250, axis: 0 } } }))
  expect(changed.os.axis).toBe(180)
  const { pool } = server.services.db
  const row = await pool.selectFrom('prescriptions').select('content').where('id_rx', '=', made.id_rx).executeTakeFirstOrThrow()
  expect(row.content.os.axis).toBe(180)
})

test('a draft of a former version reads missing fields as empty, and cannot be signed without them', async () => {
  const made = await rxOf(await add({ ...lenses, od: { ...lens, base_curve: null } }))
  const { pool } = server.services.db
  const { content } = await pool.selectFrom('prescriptions').select('content').where('id_rx', '=', made.id_rx).executeTakeFirstOrThrow()
  for (const eye of [content.od, content.os]) for (const key of ['base_curve_designation', 'no_lens']) Reflect.deleteProperty(eye, key)
  await pool
    .updateTable('prescriptions')
    .set({ content: JSON.stringify(content) })
    .where('id_rx', '=', made.id_rx)
    .execute()
  const signing = await codeOf(await change({ id_rx: made.id_rx, signature: typed }))
  expect(signing).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.rx.od.base_curve' }] })
  const read = await rxOf(await call('GET', `/api/patient/rx?id_rx=${made.id_rx}`))
  expect(read.od).toMatchObject({ base_curve_designation: null, no_lens: false })
})

test('contact lenses for one eye can be signed once the other eye is marked as no lens', async () => {
  const made = await rxOf(await add({ ...lenses, os: {} }))
  expect(await codeOf(await change({ id_rx: made.id_rx, signature: typed }))).toMatchObject({ code: 'request-invalid' })
  const rx = { ...lenses, os: { no_lens: true } }
  expect(await rxOf(await change({ id_rx: made.id_rx, rx, signature: typed }))).toMatchObject({ status: 'active', os: { no_lens: true } })
})

test('a signed prescription has license number and NPI from its provider’s record; an outside one keeps its own', async () => {
  const { pool } = server.services.db
  const numbers = { license_no: 'OPT-7', npi: '1234567893' }
  const own = await rxOf(await add({ license_no: 'typed', npi: '1111111111' }))
  expect(await rxOf(await change({ id_rx: own.id_rx, signature: typed }))).toMatchObject({ license_no: null, npi: null })
  await pool.updateTable('users').set(numbers).where('username', '=', 'maya').execute()
  const { id_user } = await pool.selectFrom('users').select('id_user').where('username', '=', 'maya').executeTakeFirstOrThrow()
  for (const provider_id of [null, id_user]) {
    const { id_rx } = await rxOf(await add({ provider_id, license_no: 'typed' }))
    expect(await rxOf(await change({ id_rx, signature: typed }))).toMatchObject(numbers)
  }
  const outside = await rxOf(await add({ is_outside_rx: true, provider_name: 'Dr. Elsewhere', license_no: 'theirs' }))
  expect(await rxOf(await change({ id_rx: outside.id_rx, signature: typed }))).toMatchObject({ license_no: 'theirs', npi: null })
})
