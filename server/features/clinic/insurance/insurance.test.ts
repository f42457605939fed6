import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { type Insurance, insurance, insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { noBenefits } from '#contract/insurance/insurance-benefits.ts'
import { mostPhotoBytes } from '#contract/core/photo.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
let companyId = 0
let planId = 0
const vision = 1
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  const { pool } = server.db
  const company = { name: 'Clear Harbour Vision', name_words: 'clear harbour vision', payer_id: 'CHV01' }
  const made = await pool.insertInto('insurance_companies').values(company).returning('company_id').executeTakeFirstOrThrow()
  companyId = made.company_id
  const plan = { company_id: companyId, coverage_type_id: vision, name: 'Gold', name_words: 'gold', benefits: JSON.stringify(noBenefits) }
  planId = (await pool.insertInto('insurance_plans').values(plan).returning('plan_id').executeTakeFirstOrThrow()).plan_id
})
afterAll(() => server.close())

const jpeg = (length = 64) => Uint8Array.from({ length }, (_, at) => [0xff, 0xd8, 0xff, 0xe0][at] ?? at % 251)
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const path = '/api/patient/insurance'
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
const asked = (method: string, address: string, body?: unknown, token = tokens.ana) =>
  server.request(method, address, { token, ...(body !== undefined && { body }) })

async function newPatient(more: Record<string, unknown> = {}): Promise<string> {
  const body = { first_name: 'Zuzana', street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
  const answer = await asked('POST', '/api/patient/add', { ...body, ...more })
  return v.parse(patientRecord, await answer.json()).id
}
const policyFor = (id_patient: string, more: Record<string, unknown> = {}) => ({
  id_patient,
  company_id: companyId,
  plan_id: planId,
  coverage_type_id: vision,
  member_id: ' zx-8841a ',
  priority: 'primary',
  ...more,
})
async function added(id_patient: string, more: Record<string, unknown> = {}): Promise<Insurance> {
  const answer = await asked('POST', path, policyFor(id_patient, more))
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(insurance, await answer.json())
}
async function listed(id_patient: string, token = tokens.ana): Promise<Insurance[]> {
  const answer = await asked('GET', `${path}?id_patient=${id_patient}`, undefined, token)
  return v.parse(insuranceEndpoints.listInsurance.response, await answer.json()).insurances
}
async function auditOf(id: string) {
  const answer = await asked('GET', `/api/patient/${id}/audit`, undefined, tokens.maya)
  return v.parse(patientAudit.response, await answer.json()).entries
}
const inOtherStore = (id: string) => server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', id).execute()
const photoOf = (policy: Insurance, side: string, token = tokens.ana) =>
  asked('GET', `${path}/${policy.id_insurance}/patient/${policy.id_patient}/photo/${side}`, undefined, token)

/** Sends a policy as a form, with files as a browser sends them. */
async function sentAsForm(method: string, address: string, fields: unknown, files: Record<string, Uint8Array>, token = tokens.ana) {
  const form = new FormData()
  form.set('insurance', JSON.stringify(fields))
  for (const [name, bytes] of Object.entries(files)) form.set(name, new Blob([Uint8Array.from(bytes)]), 'card.jpg')
  const packed = new Response(form)
  const type = packed.headers.get('content-type') ?? ''
  return await server.request(method, address, {
    token,
    body: new Uint8Array(await packed.arrayBuffer()),
    headers: { 'content-type': type },
  })
}

describe('a policy', () => {
  test('is stored as entered, with the names of company, plan and coverage', async () => {
    const id = await newPatient()
    const given = {
      group_no: 'g-77',
      effective_date: '2026-01-01',
      term_date: '2026-12-31',
      in_network: true,
      benefits: { ...noBenefits, exam_copay_cents: 1000, lens_coverage: { sv: { kind: 'covered' } }, frequency: { exam: 12 } },
      used: { exam: '2026-02-03' },
      auth_number: 'a1',
      services_authorised: ['exam', 'frame'],
      eligibility_raw: 'EB*B*IND*AM****15',
    }
    const made = await added(id, given)
    expect(made).toMatchObject({
      id_patient: id,
      company_name: 'Clear Harbour Vision',
      plan_name: 'Gold',
      coverage_type: 'Vision',
      member_id: 'ZX-8841A',
      group_no: 'G-77',
      priority: 'primary',
      relationship: 'self',
      effective_date: '2026-01-01',
      in_network: true,
      used: { exam: '2026-02-03', lens: null, frame: null, cl: null },
      services_authorised: ['exam', 'frame'],
      eligibility_raw: 'EB*B*IND*AM****15',
      version: 1,
      front_photo: null,
    })
    expect(made.benefits).toMatchObject({
      exam_copay_cents: 1000,
      lens_coverage: { sv: { kind: 'covered' }, bi: null },
      frequency: { exam: 12 },
    })
    expect(made.holders).toMatchObject([{ id_patient: id, relationship: 'self', name: 'Zuzana' }])
    expect(await listed(id)).toEqual([made])
    const one = await asked('GET', `${path}/${made.id_insurance}/patient/${id}`)
    expect(await one.json()).toEqual(made)
    expect((await auditOf(id)).map(({ action }) => action)).toContain('insurance.create')
  })

  test.each([
    ['company_id', null, 'This field is required'],
    ['coverage_type_id', null, 'This field is required'],
    ['member_id', '  ', 'This field is required'],
    ['priority', null, 'This field is required'],
    ['term_date', '2025-01-01', 'can’t be before the effective date'],
    ['auth_expires_at', '2025-01-01', 'can’t be before the date it was obtained'],
    ['used', { exam: '2026-11-21' }, 'can’t be in the future'],
    ['benefits', { exam_copay_cents: 10.5 }, undefined],
    ['benefits', { frame_overage_discount_pct: 101 }, undefined],
    ['benefits', { frequency: { exam: 0 } }, undefined],
    ['effective_date', '2026-02-30', undefined],
    ['eligibility_raw', 'x'.repeat(8001), undefined],
    ['front_photo', 'not base64!', undefined],
    ['front_photo', base64(new TextEncoder().encode('<svg onload=alert(1)>')), 'must be a JPEG, PNG or WebP image'],
    ['front_photo', base64(jpeg(mostPhotoBytes + 1)), 'must be at most 3 MB'],
  ])('with a wrong %s is refused at that field, and nothing is written (%#)', async (field, value, message) => {
    const id = await newPatient()
    const answer = await asked(
      'POST',
      path,
      policyFor(id, { effective_date: '2026-01-01', auth_obtained_at: '2026-01-01', [field]: value }),
    )
    expect(answer.status).toBe(422)
    const { fields = [] } = await refusalOf(answer)
    expect(fields[0]?.path.startsWith(`body.${field}`)).toBe(true)
    if (message) expect(fields[0]?.message).toBe(message)
    expect(await listed(id)).toEqual([])
  })

  test('with an unknown company or plan id is refused, and a new name is added to the list once', async () => {
    const id = await newPatient()
    const unknown = await asked('POST', path, policyFor(id, { company_id: 4711, plan_id: null }))
    expect([unknown.status, (await refusalOf(unknown)).code]).toEqual([422, 'insurance-reference-unknown'])
    const other = await server.db.pool
      .insertInto('insurance_companies')
      .values({ name: 'Elsewhere', name_words: 'elsewhere', payer_id: null })
      .returning('company_id')
      .executeTakeFirstOrThrow()
    // A plan of another company.
    expect((await asked('POST', path, policyFor(id, { company_id: other.company_id }))).status).toBe(422)
    const typed = { company_id: null, plan_id: null, company_name: 'Tannery  Mutual', plan_name: 'Silver' }
    const first = await added(id, typed)
    const second = await added(await newPatient(), { ...typed, company_name: 'tannery mutual' })
    expect([second.company_id, second.plan_id]).toEqual([first.company_id, first.plan_id])
    const { companies } = (await (await asked('GET', `${path}/companies`)).json()) as { companies: { name: string }[] }
    expect(companies.filter(({ name }) => /tannery/i.test(name))).toHaveLength(1)
  })

  test('sent twice with one id is stored once, and other content with that id is refused', async () => {
    const id = await newPatient()
    const id_insurance = uuidv7()
    const body = policyFor(id, { id_insurance, front_photo: base64(jpeg()) })
    const first = await (await asked('POST', path, body)).json()
    expect(await (await asked('POST', path, body)).json()).toEqual(first)
    expect(await listed(id)).toHaveLength(1)
    const other = await asked('POST', path, { ...body, member_id: 'other' })
    expect([other.status, (await refusalOf(other)).code]).toEqual([409, 'key-reused'])
  })

  test('has one of each priority in force, and an ended one makes room', async () => {
    const id = await newPatient()
    const first = await added(id, { effective_date: '2025-01-01' })
    const taken = await asked('POST', path, policyFor(id))
    expect([taken.status, await refusalOf(taken)]).toMatchObject([
      409,
      { code: 'insurance-priority-taken', fields: [{ path: 'body.priority' }] },
    ])
    await added(id, { priority: 'secondary' })
    const ended = { ...first, front_photo: undefined, back_photo: undefined, term_date: '2026-11-19' }
    expect((await asked('PUT', `${path}/${first.id_insurance}`, ended)).status).toBe(200)
    await added(id)
    expect((await listed(id)).map(({ priority }) => priority)).toEqual(['primary', 'secondary', null])
  })

  test('two of one priority at the same moment: only one is stored', async () => {
    const id = await newPatient()
    const answers = await Promise.all([1, 2, 3, 4].map((nth) => asked('POST', path, policyFor(id, { member_id: `m${nth}` }))))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(await listed(id)).toHaveLength(1)
  })

  test('is changed whole, and a change from an older version is refused', async () => {
    const id = await newPatient()
    const made = await added(id)
    const put = (more: Record<string, unknown>) => asked('PUT', `${path}/${made.id_insurance}`, policyFor(id, more))
    const changed = v.parse(insurance, await (await put({ version: 1, member_id: 'new', group_no: 'g' })).json())
    expect(changed).toMatchObject({ member_id: 'NEW', group_no: 'G', version: 2 })
    const late = await put({ version: 1, member_id: 'late' })
    expect([late.status, (await refusalOf(late)).code]).toEqual([409, 'insurance-changed'])
    const entry = (await auditOf(id)).find(({ action }) => action === 'insurance.edit')
    expect(entry).toMatchObject({ detail: 'group_no, member_id', rep: 'Ana Teixeira' })
  })

  test('is removed from a record, and the audit keeps the history', async () => {
    const id = await newPatient()
    const made = await added(id)
    expect((await asked('DELETE', `${path}/${made.id_insurance}/${id}`)).status).toBe(200)
    expect(await listed(id)).toEqual([])
    for (const [method, rest, body] of [
      ['DELETE', `/${id}`, undefined],
      ['PUT', '', policyFor(id)],
      ['GET', `/patient/${id}`, undefined],
    ] as const) {
      const answer = await asked(method, `${path}/${made.id_insurance}${rest}`, body)
      expect([method, (await refusalOf(answer)).code]).toEqual([method, 'insurance-unknown'])
    }
    expect((await auditOf(id)).map(({ action }) => action)).toContain('insurance.detach')
  })
})

describe('holders', () => {
  test('are attached, changed and detached, each with a priority of their own', async () => {
    const [parent, child] = [await newPatient(), await newPatient({ first_name: 'Tess', dob: '2015-05-01' })]
    const made = await added(parent)
    const holders = `${path}/${made.id_insurance}/holders`
    const body = { id_patient: child, relationship: 'child', priority: 'primary' }
    expect(await (await asked('POST', holders, body)).json()).toEqual({ ok: true })
    expect((await refusalOf(await asked('POST', holders, body))).code).toBe('insurance-holder-present')
    const [theirs] = await listed(child)
    expect(theirs).toMatchObject({ id_insurance: made.id_insurance, relationship: 'child', priority: 'primary', member_id: 'ZX-8841A' })
    expect(theirs?.holders.map(({ name, dob }) => [name, dob])).toEqual([
      ['Zuzana', null],
      ['Tess', '2015-05-01'],
    ])
    expect((await asked('PUT', `${holders}/${child}`, { relationship: 'other', priority: 'secondary' })).status).toBe(200)
    expect((await listed(child))[0]).toMatchObject({ relationship: 'other', priority: 'secondary' })
    expect((await listed(parent))[0]).toMatchObject({ relationship: 'self', priority: 'primary' })
    expect((await asked('DELETE', `${holders}/${child}`)).status).toBe(200)
    expect(await listed(child)).toEqual([])
    expect((await refusalOf(await asked('DELETE', `${holders}/${child}`))).code).toBe('insurance-holder-unknown')
    const actions = (await auditOf(child)).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['insurance-holder.attach', 'insurance-holder.edit', 'insurance-holder.detach']))
  })

  test('each has their own used benefits', async () => {
    const [parent, child] = [await newPatient(), await newPatient()]
    const made = await added(parent, { used: { frame: '2026-03-01' } })
    await asked('POST', `${path}/${made.id_insurance}/holders`, { id_patient: child, relationship: 'child', priority: 'primary' })
    expect((await listed(child))[0]?.used.frame).toBeNull()
    expect((await listed(parent))[0]?.used.frame).toBe('2026-03-01')
  })

  test('from a store that the caller may not see stay unnamed', async () => {
    const [parent, child] = [await newPatient({ ssn: '123456789' }), await newPatient()]
    const made = await added(parent)
    await asked('POST', `${path}/${made.id_insurance}/holders`, { id_patient: child, relationship: 'child', priority: 'primary' })
    await inOtherStore(parent)
    const shown = (await listed(child))[0]?.holders.find(({ id_patient }) => id_patient === parent)
    expect(shown).toMatchObject({ name: null, dob: null, ssn_last4: null, priority: null })
    expect((await listed(child, tokens.maya))[0]?.holders[0]).toMatchObject({ name: 'Zuzana', ssn_last4: '6789' })
    await inOtherStore(child)
    const detaching = await asked('DELETE', `${path}/${made.id_insurance}/holders/${child}`)
    expect((await refusalOf(detaching)).code).toBe('patient-of-other-store')
  })
})

describe('photos of the card', () => {
  test('come as files, get their type from their bytes, and are never cached', async () => {
    const id = await newPatient()
    const answer = await sentAsForm('POST', path, policyFor(id), { front_photo: jpeg(5000), back_photo: png })
    const made = v.parse(insurance, await answer.json())
    expect(made.front_photo).toBe(`${path}/${made.id_insurance}/patient/${id}/photo/front`)
    const front = await photoOf(made, 'front')
    expect([front.headers.get('content-type'), front.headers.get('cache-control')]).toEqual(['image/jpeg', 'no-store'])
    expect(new Uint8Array(await front.arrayBuffer())).toEqual(jpeg(5000))
    expect((await photoOf(made, 'back')).headers.get('content-type')).toBe('image/png')
    expect((await photoOf(made, 'side')).status).toBe(422)
    expect((await auditOf(id)).map(({ detail }) => detail)).toEqual(expect.arrayContaining(['front_photo', 'back_photo']))
  })

  test('come as base64, with and without the start of a data URL', async () => {
    const id = await newPatient()
    const made = await added(id, { front_photo: base64(png), back_photo: `data:image/jpeg;base64,${base64(jpeg())}` })
    expect(new Uint8Array(await (await photoOf(made, 'front')).arrayBuffer())).toEqual(png)
    expect((await photoOf(made, 'back')).headers.get('content-type')).toBe('image/jpeg')
  })

  test('alone, with an image and a patient, begin a policy whose details follow', async () => {
    const id = await newPatient()
    const answer = await asked('POST', path, { id_patient: id, image: base64(jpeg()) })
    const made = v.parse(insurance, await answer.json())
    expect(made).toMatchObject({ company_id: null, member_id: null, priority: null })
    expect((await photoOf(made, 'front')).status).toBe(200)
    const empty = await asked('POST', path, { id_patient: id })
    expect((await refusalOf(empty)).fields?.map(({ path: field }) => field)).toEqual([
      'body.company_id',
      'body.coverage_type_id',
      'body.member_id',
      'body.priority',
    ])
    const filled = await asked('PUT', `${path}/${made.id_insurance}`, policyFor(id))
    expect(v.parse(insurance, await filled.json())).toMatchObject({ member_id: 'ZX-8841A', front_photo: made.front_photo })
  })

  test('stay when the change has none, and go when it has null', async () => {
    const id = await newPatient()
    const made = await added(id, { front_photo: base64(jpeg()), back_photo: base64(png) })
    const put = (more: Record<string, unknown>) => asked('PUT', `${path}/${made.id_insurance}`, policyFor(id, more))
    const changed = v.parse(insurance, await (await put({ front_photo: null })).json())
    expect([changed.front_photo, changed.back_photo]).toEqual([null, made.back_photo])
    const gone = await photoOf(made, 'front')
    expect([gone.status, (await refusalOf(gone)).code]).toEqual([404, 'insurance-unknown'])
    const replaced = await sentAsForm('PUT', `${path}/${made.id_insurance}`, policyFor(id), { back_photo: jpeg(99) })
    expect(replaced.status).toBe(200)
    expect(new Uint8Array(await (await photoOf(made, 'back')).arrayBuffer())).toEqual(jpeg(99))
  })

  test('a broken form, an unknown part or a file that is no image is refused, and nothing is written', async () => {
    const id = await newPatient()
    const html = new TextEncoder().encode('<!doctype html>')
    const wrong = await sentAsForm('POST', path, policyFor(id), { front_photo: html })
    expect((await refusalOf(wrong)).fields?.[0]).toEqual({ path: 'body.front_photo', message: 'must be a JPEG, PNG or WebP image' })
    expect((await sentAsForm('POST', path, policyFor(id), { other: png })).status).toBe(400)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    for (const body of ['--x\r\nbroken', '', '--x--\r\n\u0000']) {
      const answer = await server.request('POST', path, { token: tokens.ana, body, headers })
      expect([400, 422]).toContain(answer.status)
    }
    const tooLarge = await sentAsForm('POST', path, policyFor(id), { front_photo: jpeg(10 * 1024 * 1024) })
    expect(tooLarge.status).toBe(413)
    // Only endpoints that declare a form accept one.
    expect((await sentAsForm('POST', '/api/patient/add', {}, {})).status).toBe(415)
    expect(await listed(id)).toEqual([])
  })
})

describe('access to insurance', () => {
  test('a user of another store may neither see nor change a patient’s insurance', async () => {
    const id = await newPatient()
    const made = await added(id, { front_photo: base64(jpeg()) })
    await inOtherStore(id)
    const one = `${path}/${made.id_insurance}`
    for (const [method, address, body] of [
      ['GET', `${path}?id_patient=${id}`, undefined],
      ['POST', path, policyFor(id)],
      ['GET', `${one}/patient/${id}`, undefined],
      ['GET', `${one}/patient/${id}/photo/front`, undefined],
      ['PUT', one, policyFor(id)],
      ['POST', `${one}/holders`, { id_patient: id }],
      ['PUT', `${one}/holders/${id}`, { relationship: 'self' }],
      ['DELETE', `${one}/holders/${id}`, undefined],
      ['DELETE', `${one}/${id}`, undefined],
    ] as const) {
      const refused = await asked(method, address, body)
      expect([method, address, (await refusalOf(refused)).code]).toEqual([method, address, 'patient-of-other-store'])
      expect((await asked(method, address, body, tokens.ben)).status).toBe(403)
    }
    // A user cannot reach another store's policy by attaching their own patient to it.
    const own = await newPatient()
    const opened = await asked('POST', `${one}/holders`, { id_patient: own, relationship: 'spouse' })
    expect((await refusalOf(opened)).code).toBe('patient-of-other-store')
    expect(await listed(id, tokens.maya)).toHaveLength(1)
  })

  test('the log has no insurance data', async () => {
    await added(await newPatient(), { member_id: 'SECRETMEMBER', subscriber_name: 'Quillfeather' })
    expect(JSON.stringify(server.logged)).not.toMatch(/secretmember|quillfeather/i)
  })
})

test('the lists have plans with their benefits, companies and every coverage type', async () => {
  const list = async (name: string): Promise<unknown> => (await asked('GET', `${path}/${name}`)).json()
  const { plans } = v.parse(insuranceEndpoints.insurancePlans.response, await list('plans'))
  const gold = { plan_id: planId, company_id: companyId, coverage_type_id: vision, name: 'Gold', benefits: noBenefits }
  expect(plans).toContainEqual(gold)
  const { companies } = v.parse(insuranceEndpoints.insuranceCompanies.response, await list('companies'))
  expect(companies).toContainEqual({ company_id: companyId, name: 'Clear Harbour Vision', payer_id: 'CHV01' })
  const { coverage_types } = v.parse(insuranceEndpoints.coverageTypes.response, await list('coverage_types'))
  expect(coverage_types.map(({ key }) => key)).toEqual(['vision', 'medical', 'secondary', 'discount', 'medicaid', 'medicare'])
})
