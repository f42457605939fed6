import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { isMatch, type PatientCriteria, patientPageSize, readCriteria, readLine } from '#contract/patients/patient-search.ts'
import { patient, patientAudit, patientInput, type PatientInput, patientRecord } from '#contract/patients/patients.ts'
import { hashedText } from '#contract/sync/command-hash.ts'
import { bodyHash } from '#server/platform/db/receipts.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { sealedForServer } from '#tests/support/seal-command.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const zuzana = {
  first_name: 'Zuzana',
  last_name: 'Černá-O’Brien',
  dob: '1980-02-28',
  street_address: '12 Quarry Ln',
  city: 'Millbrook Falls',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
  phone: '(518) 555-0123',
  ssn: '123-45-6789',
}
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
const add = (body: unknown, token = tokens.ana) => server.request('POST', '/api/patient/add', { token, body })
async function added(more: Record<string, unknown> = {}, token = tokens.ana) {
  const answer = await add({ ...zuzana, ...more }, token)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
const read = (id: string, token = tokens.ana) => server.request('GET', `/api/patient/${id}`, { token })
async function auditOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
/** Moved to a store by hand: registering there needs somebody who works there. */
async function inStore(storeId: number, id: string) {
  await server.db.pool.updateTable('patients').set({ store_id: storeId }).where('id', '=', id).execute()
}

describe('a patient of whom nothing else is on file', () => {
  const start_at = '2026-11-24T15:00:00.000Z'
  const dates = { exam_date: '2026-11-20', issue_date: '2026-11-20', expiry_date: '2028-11-20' }
  const rx = { ...dates, rx_kind: 'spectacle', od: { sphere: -2250 }, os: { sphere: -2000 } }
  const first: Record<string, (id_patient: string) => Promise<unknown>> = {
    insurance: async (id_patient) => {
      const { pool } = server.db
      const name = `Clear Harbour ${id_patient}`
      const company = { name, name_words: name.toLowerCase(), payer_id: null }
      const { company_id } = await pool.insertInto('insurance_companies').values(company).returning('company_id').executeTakeFirstOrThrow()
      const { coverage_type_id } = await pool.selectFrom('insurance_coverage_types').select('coverage_type_id').executeTakeFirstOrThrow()
      const body = { id_patient, company_id, coverage_type_id, member_id: 'ZX8841', priority: 'primary' }
      return await server.request('POST', '/api/patient/insurance', { token: tokens.ana, body })
    },
    prescription: (id_patient) => server.request('POST', '/api/patient/rx', { token: tokens.ana, body: { id_patient, ...rx } }),
    appointment: (id_patient) =>
      server.db.pool
        .insertInto('appointments')
        .values({
          id_appointment: uuidv7(),
          id_patient,
          store_id: 1,
          provider_id: null,
          start_at,
          duration_min: 20,
          type: 'Exam',
          status: 'booked',
          reason: '',
          created_at: start_at,
          created_by: null,
        })
        .execute(),
    invoice: (id_patient) =>
      server.db.pool
        .insertInto('invoices')
        .values({ id_invoice: uuidv7(), id_patient, store_id: 1, date: '2026-11-19', status: 'draft', created_at: start_at })
        .execute(),
    exam: (id_patient) =>
      server.db.pool.updateTable('patients').set({ last_exam_date: '2026-11-19' }).where('id', '=', id_patient).execute(),
  }

  test.each(Object.keys(first))('is new until the first %s', async (what) => {
    const { id, is_new } = await added()
    expect(is_new).toBe(true)
    const answer = await first[what]?.(id)
    if (answer instanceof Response) expect(answer.status, await answer.text()).toBe(200)
    expect(v.parse(patientRecord, await (await read(id)).json()).is_new).toBe(false)
  })
})

describe('registering a patient', () => {
  test('keeps what was filled in, normalised, under the id that was given', async () => {
    const id = uuidv7()
    const made = await added({ id, middle_name: '', email: null })
    expect(made).toMatchObject({ id, store_id: 1, version: 1, phone: '5185550123', middle_name: null, ssn: '•••-••-6789', inactive: false })
    expect(made.patient_no).toBeGreaterThan(0)
    expect(await (await read(id)).json()).toEqual(made)
  })

  test('again under the same id is the same patient', async () => {
    const id = uuidv7()
    expect(await added({ id })).toEqual(await added({ id }))
    const other = await add({ ...zuzana, id, first_name: 'Zuzka' })
    expect([other.status, (await refusalOf(other)).code]).toEqual([409, 'key-reused'])
  })

  test.each([
    ['first_name', '', 'This field is required'],
    ['first_name', undefined, 'This field is required'],
    ['street_address', ' ', 'This field is required'],
    ['city', null, 'This field is required'],
    ['zip_code', '', 'This field is required'],
    ['zip_code', '1234', 'must be 12345 or 12345-6789'],
    ['gender', '', 'Gender is required'],
    ['gender', 'X', 'must be one of the choices'],
    ['state', undefined, 'state is required'],
    ['state', 'XX', 'must be a state'],
    ['dob', '2026-12-24', 'Date of birth can’t be in the future'],
    ['dob', '1880-01-01', 'can’t be more than 120 years ago'],
    ['dob', '1980-02-30', undefined],
    ['phone', '555-0123', undefined],
    ['email', 'nobody', undefined],
    ['ssn', '12345', undefined],
    ['last_name', 'x'.repeat(101), 'must be at most 100 characters'],
    ['first_name', 'nul\u0000', undefined],
  ])('with %s %j is refused at that field, and nothing is written', async (field, value, message) => {
    const before = await countPatients()
    const answer = await add({ ...zuzana, [field]: value })
    expect(answer.status).toBe(422)
    const { fields = [] } = await refusalOf(answer)
    expect(fields.map(({ path }) => path.split('.').at(-1))).toEqual([field])
    if (message !== undefined) expect(fields[0]?.message).toBe(message)
    expect(await countPatients()).toBe(before)
  })

  test('needs no last name', async () => {
    expect((await added({ last_name: '' })).last_name).toBeNull()
  })

  test('is not for a stock clerk', async () => {
    const answer = await add(zuzana, tokens.ben)
    expect([answer.status, (await refusalOf(answer)).code]).toEqual([403, 'permission-missing'])
  })

  test('with a person or store that is not there is refused', async () => {
    const answer = await add({ ...zuzana, preferred_provider_id: 4711 })
    expect([answer.status, (await refusalOf(answer)).code]).toEqual([422, 'patient-reference-unknown'])
  })

  test('who answers for them is another patient that is there, and nobody for themselves', async () => {
    const parent = await added()
    expect((await added({ dob: '2020-05-05', responsible_party_id: parent.id })).responsible_party_id).toBe(parent.id)
    const nobody = await add({ ...zuzana, responsible_party_id: uuidv7() })
    expect([nobody.status, (await refusalOf(nobody)).code]).toEqual([422, 'patient-reference-unknown'])
    const id = uuidv7()
    const own = await add({ ...zuzana, id, responsible_party_id: id })
    expect(own.status).toBe(422)
    expect((await refusalOf(own)).fields?.map(({ path, message }) => [path.split('.').at(-1), message])).toEqual([
      ['responsible_party_id', 'must be someone else'],
    ])
  })
})

describe('changing a patient', () => {
  const put = (id: string, body: unknown, token = tokens.ana) => server.request('PUT', `/api/patient/${id}`, { token, body })

  test('changes what was changed, raises the version, and keeps the number that is given as it is shown', async () => {
    const made = await added()
    const answer = await put(made.id, { ...made, city: 'Larkspur', version: made.version })
    const changed = v.parse(patientRecord, await answer.json())
    expect(changed).toMatchObject({ city: 'Larkspur', version: 2, ssn: '•••-••-6789', phone: made.phone })
    expect((await auditOf(made.id))[0]).toMatchObject({ action: 'patient.edit', detail: 'city', rep: 'Ana Teixeira' })
  })

  test('from an older version is refused with the names of the fields, never what is in them', async () => {
    const made = await added()
    await put(made.id, { ...made, city: 'Larkspur' })
    const answer = await put(made.id, { ...made, city: 'Elsewhere', version: 1 })
    expect(answer.status).toBe(409)
    const changed_by = [{ field: 'city', rep: 'Ana Teixeira' }]
    expect(await refusalOf(answer)).toMatchObject({ code: 'patient-changed', details: { fields: ['city'], version: 2, changed_by } })
  })
})

test.each(['•••-••-678', '***-**-6789', '•••-••-6789x'])(
  'a number that is not whole (%s) is no number, and is refused at its field',
  async (ssn) => {
    const made = await added()
    const answer = await server.request('PUT', `/api/patient/${made.id}`, { token: tokens.ana, body: { ...made, ssn } })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields).toMatchObject([{ path: 'body.ssn' }])
  },
)

describe('who may see a patient', () => {
  test('of a store that one does not belong to, only whose role says so', async () => {
    const { id } = await added()
    await inStore(2, id)
    expect((await refusalOf(await read(id))).code).toBe('patient-of-other-store')
    expect((await read(id, tokens.maya)).status).toBe(200)
    const found = async (token: string) => {
      const answer = await server.request('GET', `/api/patient/lookup?zip=12345&name=zuzana`, { token })
      return ((await answer.json()) as { patients: { id: string }[] }).patients.map((row) => row.id)
    }
    expect(await found(tokens.ana)).not.toContain(id)
    expect(await found(tokens.maya)).toContain(id)
  })

  test('every look is kept once, with who and why, and the log says nothing of the patient', async () => {
    const { id } = await added({ last_name: 'Quillfeather' })
    for (let look = 0; look < 3; look += 1) await server.request('GET', `/api/patient/${id}?reason=phone%20call`, { token: tokens.maya })
    const views = (await auditOf(id)).filter(({ action }) => action === 'patient.view')
    expect(views).toMatchObject([{ rep: 'Maya Okonjo', reason: 'phone call', store_name: 'Downtown', offline: false }])
    server.clock.advance(16 * 60_000)
    tokens.maya = (await server.signIn('maya')).access_token
    await read(id, tokens.maya)
    expect((await auditOf(id)).filter(({ action }) => action === 'patient.view')).toHaveLength(2)
    await server.request('GET', '/api/patient/lookup?last_name=Quillfeather', { token: tokens.maya })
    expect(JSON.stringify(server.logged)).not.toMatch(/quillfeather/i)
    for (const name of ['ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  })

  test('the social security number lies encrypted, and is told to few, with the reason kept', async () => {
    const { id } = await added()
    const row = await server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('123456789')
    const reveal = (token: string) => server.request('POST', `/api/patient/${id}/ssn`, { token, body: { reason: 'claim by phone' } })
    expect((await refusalOf(await reveal(tokens.ana))).code).toBe('permission-missing')
    expect(await (await reveal(tokens.maya)).json()).toEqual({ ssn: '123456789' })
    expect((await auditOf(id))[0]).toMatchObject({ action: 'patient.reveal-ssn', reason: 'claim by phone' })
    expect((await server.request('POST', `/api/patient/${id}/ssn`, { token: tokens.maya, body: { reason: ' ' } })).status).toBe(422)
  })
})

describe('finding patients', () => {
  const names = [
    'Anna',
    'Ana',
    'Annabel',
    'José',
    'Jöse',
    'D’Arcy',
    'Mary Ann',
    'Søren',
    'Zoë',
    'Nguyễn',
    'O’Hara',
    'van der Berg',
    '李',
    'Éowyn',
  ]

  async function search(line: string, token = tokens.maya) {
    const answer = await server.request('GET', `/api/home/patient/search?query=${encodeURIComponent(line)}`, { token })
    return (await answer.json()) as { patients: { id: string; first_name: string }[]; total: number; page: number }
  }

  test('tolerates accents, case, apostrophes, the order of names and how numbers and days are written', async () => {
    const made = await added({ first_name: 'Zoë', last_name: 'O’Hara-Łukasz', dob: '1971-07-04', phone: '518 555 0199' })
    for (const line of [
      'zoe ohara',
      "O'HARA zo",
      'lukasz',
      'hara'.replace('hara', 'oh'),
      '07/04/1971 zoe',
      '518.555.0199',
      '(518) 555-0199 ohara',
      '7/4/71',
    ]) {
      expect(
        (await search(line)).patients.map(({ id }) => id),
        line,
      ).toContain(made.id)
    }
    for (const line of ['zoe smith', '07/05/1971', '518 555 0198', 'ara'])
      expect(
        (await search(line)).patients.map(({ id }) => id),
        line,
      ).not.toContain(made.id)
    expect(await search('  ')).toEqual({ patients: [], total: 0, page: 1 })
  })

  test('finds at the server whom a device finds by the same words', async () => {
    const random = new SeededRandom('finding patients')
    for (let nth = 0; nth < 60; nth += 1) {
      await added({
        first_name: random.pick(names),
        last_name: random.chance(0.1) ? null : random.pick(names),
        middle_name: random.chance(0.3) ? random.pick(names) : null,
        dob: random.chance(0.8) ? `19${random.int(40, 99)}-0${random.int(1, 9)}-1${random.int(0, 9)}` : null,
        city: random.pick(['Millbrook Falls', 'Larkspur', 'São Tomé']),
        zip_code: random.pick(['12345', '12399-0001', '60001']),
        phone: `51855501${random.int(10, 99)}`,
        inactive: random.chance(0.1),
        priority: random.pick(['normal', 'vip']),
        ssn: null,
      })
    }
    const rows = await server.db.pool.selectFrom('patients').selectAll().execute()
    const everyone = rows.map((row) => v.parse(patient, row))
    const today = new Date(server.clock.now()).toISOString().slice(0, 10)
    const lines = [
      'an',
      'jose',
      'darcy',
      'mary ann',
      'ann mary',
      'soren',
      'zo',
      'nguyen',
      'van berg',
      '李',
      'e',
      '518',
      '1970',
      'berg 12/12/1950',
    ]
    for (const line of lines) {
      const expected = everyone.filter((row) => isMatch(row, readLine(line), today)).map(({ id }) => id)
      const answer = await search(line)
      expect([answer.total, answer.patients.length], line).toEqual([expected.length, Math.min(expected.length, patientPageSize)])
      expect(expected, line).toEqual(expect.arrayContaining(answer.patients.map(({ id }) => id)))
    }
    const criteria: PatientCriteria[] = [
      { last_name: 'o’h' },
      { name: 'ana', city: 'lark' },
      { city: 'Sao' },
      { zip: '123' },
      { zip: '%' },
      { age: '56' },
      { priority: 'vip' as const, inactive: 'true' as const },
      { dob: '1950-01-10', name: 'a' },
      { address: 'quarry mill' },
      { state: 'NY' as const, phone: '5550' },
      { preferred_location: '1' },
      { preferred_provider: '3' },
      { last_exam: '01/01/2020' },
    ]
    for (const one of criteria) {
      const expected = everyone.filter((row) => isMatch(row, readCriteria(one), today))
      const answer = await server.request('GET', `/api/patient/lookup?${new URLSearchParams(Object.entries(one))}`, { token: tokens.maya })
      expect(((await answer.json()) as { total: number }).total, JSON.stringify(one)).toBe(expected.length)
    }
  })

  test('by the name of an insurance and by what it covers finds who has one on file', async () => {
    const insure = async (id_patient: string, company_name: string, plan_name: string, coverage_type_id: number) => {
      const body = { id_patient, company_name, plan_name, coverage_type_id, member_id: 'M1', priority: 'primary' }
      expect((await server.request('POST', '/api/patient/insurance', { token: tokens.ana, body })).status).toBe(200)
    }
    const [first, second, none] = [await added(), await added(), await added()]
    await insure(first.id, 'Vista Überland', 'Gold Choice', 1)
    await insure(second.id, 'Vista Medical', 'Basic', 5)
    const found = async (asked: string) => {
      const answer = await server.request('GET', `/api/patient/lookup?name=zuzana&zip=12345&${asked}`, { token: tokens.maya })
      return ((await answer.json()) as { patients: { id: string }[] }).patients.map(({ id }) => id)
    }
    expect((await found('insurance_name=VISTA')).sort()).toEqual([first.id, second.id].sort())
    expect(await found('insurance_name=uberland')).toEqual([first.id])
    expect(await found('insurance_name=gold%20vista')).toEqual([first.id])
    expect(await found('insurance_name=ista')).toEqual([])
    expect(await found('insurance_name=%25')).toContain(none.id)
    expect(await found('coverage=Medicaid')).toEqual([second.id])
    expect(await found('insurance_name=vista&coverage=vision')).toEqual([first.id])
    expect(await found('coverage=medicai')).toEqual([])
    expect(await found('insurance_name=gold&coverage=medicaid')).toEqual([])
    expect(await found('')).toContain(none.id)
  })

  test('comes in pages, each patient on one of them', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => server.request('GET', `/api/patient/lookup?state=NY&page=${page}`, { token: tokens.maya })),
    )
    const read = await Promise.all(pages.map(async (page) => (await page.json()) as { patients: { id: string }[]; total: number }))
    const ids = read.flatMap(({ patients }) => patients.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(Math.min(3 * patientPageSize, read[0]?.total ?? 0))
  })

  test.each([
    ['dob', 'yesterday'],
    ['phone', 'none'],
    ['last_exam', '13/13/2020'],
    ['age', '-1'],
    ['state', 'ZZ'],
    ['page', '0'],
  ])('by a %s that is %s is refused at that field', async (field, value) => {
    const answer = await server.request('GET', `/api/patient/lookup?${field}=${encodeURIComponent(value)}`, { token: tokens.maya })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields?.map(({ path }) => path)).toEqual([`query.${field}`])
  })
})

describe('what tablets bring of patients', () => {
  const whole = (more: Partial<PatientInput> = {}): PatientInput => ({ ...v.parse(patientInput, zuzana), ...more })

  test('is opened, applied once, and told to nobody by its receipt', async () => {
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const id = uuidv7()
    const open = tablet.command('patient.create', { id_patient: id, patient: whole({ last_name: 'Sealwright' }) })
    const command = await sealedForServer(open, server.services.secrets)
    // Ben brings what Ana did.
    await tablet.signIn('ben')
    const [receipt] = await tablet.push([command])
    expect(receipt).toMatchObject({
      outcome: 'applied',
      body_hash: bodyHash(hashedText(command)),
      rows: [{ collection: 'patients', row: { id } }],
    })
    expect(Object.keys(receipt?.rows?.[0]?.row ?? {}).sort()).toEqual(['id', 'revision'])
    expect(await tablet.push([command])).toEqual([receipt])
    const kept = await server.db.pool.selectFrom('receipts').select('answer').where('command_id', '=', command.id).executeTakeFirstOrThrow()
    expect(kept.answer).not.toContain('Sealwright')
    expect(await (await read(id)).json()).toMatchObject({ last_name: 'Sealwright', version: 1 })
    const log = (await auditOf(id)).map(({ action, rep, delivered_by }) => [action, rep, delivered_by])
    expect(log).toContainEqual(['patient.create', 'Ana Teixeira', 'Ben Halvorsen'])
  })

  test('that was sealed for another command, or damaged, is refused and stays with the tablet', async () => {
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const one = tablet.command('patient.create', { id_patient: uuidv7(), patient: whole() })
    const other = tablet.command('patient.create', { id_patient: uuidv7(), patient: whole() })
    const { body } = await sealedForServer(one, server.services.secrets)
    const [moved] = await tablet.push([{ ...other, body }])
    expect(moved?.error?.code).toBe('sealed-unreadable')
    const [damaged] = await tablet.push([{ ...one, body: { ...body, sealed: `${String(body['sealed']).slice(0, -6)}AAAAAA` } }])
    expect(damaged?.error).toMatchObject({ code: 'sealed-unreadable', status: 422 })
  })

  test('two edits of different fields both hold; of the same field the second is refused whole, by the names of its fields', async () => {
    const { id } = await added()
    const [a, b] = [new WireTablet(server, 'A'), new WireTablet(server, 'B')]
    await a.signIn('ana')
    await b.signIn('maya')
    const edit = (tablet: WireTablet, changes: Record<string, { from: string | null; to: string | null }>) =>
      tablet.command('patient.edit', { id_patient: id, changes })
    expect((await a.push([edit(a, { city: { from: 'Millbrook Falls', to: 'Larkspur' } })]))[0]?.outcome).toBe('applied')
    expect((await b.push([edit(b, { pref: { from: null, to: 'Zuzka' } })]))[0]?.outcome).toBe('applied')
    const [second] = await b.push([
      edit(b, { city: { from: 'Millbrook Falls', to: 'Elsewhere' }, alerts: { from: null, to: 'Call first' } }),
    ])
    const at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    const details = { fields: ['city'], version: 3, changed_by: [{ field: 'city', rep: 'Ana Teixeira', at }] }
    expect(second?.error).toMatchObject({ code: 'patient-changed', details })
    expect(JSON.stringify(second)).not.toMatch(/Larkspur|Elsewhere/)
    expect(await (await read(id)).json()).toMatchObject({ city: 'Larkspur', pref: 'Zuzka', alerts: null, version: 3 })
    // The same wish of both is no quarrel.
    expect((await b.push([edit(b, { city: { from: 'Millbrook Falls', to: 'Larkspur' } })]))[0]?.outcome).toBe('applied')
    const [wrong] = await b.push([edit(b, { zip_code: { from: '12345', to: 'x' } })])
    expect(wrong?.error).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.changes.zip_code' }] })
  })

  test('a patient and a change of it in one batch', async () => {
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const id = uuidv7()
    const receipts = await tablet.push([
      tablet.command('patient.create', { id_patient: id, patient: whole() }),
      tablet.command('patient.edit', { id_patient: id, changes: { pref: { from: null, to: 'Zuzka' } } }),
    ])
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
    expect(await (await read(id)).json()).toMatchObject({ pref: 'Zuzka', version: 2 })
  })

  test('a look without a connection is kept with when it was', async () => {
    const { id } = await added()
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    await tablet.push([tablet.command('patient.view', { id_patient: id, part: 'record', reason: 'search', offline: true })])
    expect((await auditOf(id))[0]).toMatchObject({ action: 'patient.view', offline: true, reason: 'search', device_id: tablet.deviceId })
  })
})

describe('what tablets mirror of patients', () => {
  test('is their store’s, with every field but the social security number', async () => {
    const made = await added()
    const foreign = await added()
    await inStore(2, foreign.id)
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const { header, rows } = await tablet.pull('patients')
    expect(header).toMatchObject({ scope: 'patients:1', columns: Object.keys(patient.entries) })
    const { ssn: _ssn, store_name: _store, is_new: _new, ...mirrored } = made
    expect(rows).toContainEqual(mirrored)
    expect(rows.map((row) => row['id'])).not.toContain(foreign.id)
  })

  test('is nothing for a stock clerk, and ends where the permission does', async () => {
    const tablet = new WireTablet(server, 'Shared')
    await tablet.signIn('maya')
    const seen = await tablet.pull('patients')
    expect(seen.rows.length).toBeGreaterThan(0)
    await tablet.signIn('ben')
    const theirs = await tablet.pull('patients', seen.cursor)
    expect([theirs.header.replace, theirs.rows]).toEqual([true, []])
  })
})

async function countPatients(): Promise<number> {
  const row = await server.db.pool
    .selectFrom('patients')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return row.n
}
