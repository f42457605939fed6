import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { importBatch, importPatients } from '#contract/patients/patient-import.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya is a manager, Ana an optician. */
const tokens = { maya: '', ana: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const zoltan = {
  first_name: 'Zoltán',
  last_name: 'Szabó',
  dob: '1971-03-09',
  street_address: '4 Depot Rd',
  city: 'Larkspur',
  state: 'IL',
  zip_code: '60123',
  gender: 'Male',
  phone: '(309) 555-0144',
}
const row = (sourceId: string | null, more: Record<string, unknown> = {}) => ({ source_id: sourceId, patient: { ...zoltan, ...more } })
const send = (rows: unknown[], more: Record<string, unknown> = {}, token = tokens.maya) =>
  server.request('POST', '/api/patient/import', { token, body: { rows, ...more } })
async function verdicts(rows: unknown[], more: Record<string, unknown> = {}) {
  const answer = await send(rows, more)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(importPatients.response, await answer.json()).results
}
const verdictsOf = async (rows: unknown[], more: Record<string, unknown> = {}) => (await verdicts(rows, more)).map(({ verdict }) => verdict)
async function patientsOf(lastName: string) {
  return await server.db.pool.selectFrom('patients').selectAll().where('last_name', '=', lastName).execute()
}
async function revision() {
  const found = await server.db.pool.selectFrom('scope_revisions').select('revision').where('scope', '=', 'patients:1').executeTakeFirst()
  return found?.revision ?? 0
}

describe('importing patients', () => {
  test('writes patients with their audit rows, and raises the scope that the store’s tablets pull', async () => {
    const before = await revision()
    const results = await verdicts([
      row('A1', { last_name: 'First' }),
      row('A2', { last_name: 'First', dob: '1999-01-01', ssn: '123-45-6789' }),
    ])
    expect(results.map(({ verdict }) => verdict)).toEqual(['imported', 'imported'])
    const written = await patientsOf('First')
    expect(new Set(written.map(({ id }) => id))).toEqual(new Set(results.map(({ id_patient }) => id_patient)))
    expect(new Set(written.map((one) => one.revision))).toEqual(new Set([await revision()]))
    expect(await revision()).toBeGreaterThan(before)
    expect(written.find(({ dob }) => dob === '1999-01-01')).toMatchObject({ store_id: 1, phone: '3095550144', ssn_last4: '6789' })
    expect(JSON.stringify(written)).not.toContain('123456789')
    const told = await server.db.pool
      .selectFrom('patient_audit')
      .selectAll()
      .where(
        'id_patient',
        'in',
        written.map(({ id }) => id),
      )
      .execute()
    expect(told.map(({ action, rep }) => [action, rep])).toEqual([
      ['patient.import', 'Maya Okonjo'],
      ['patient.import', 'Maya Okonjo'],
    ])
    expect(JSON.stringify(told)).not.toContain('5550144')
  })

  test('repeated adds nobody twice, by the number of the other system or by the person', async () => {
    const rows = [row('B1', { last_name: 'Again' }), row(null, { last_name: 'Again', dob: '1960-05-05' })]
    const first = await verdicts(rows)
    expect(first.map(({ verdict }) => verdict)).toEqual(['imported', 'imported'])
    const again = await verdicts([...rows, row('B2', { last_name: 'Again', dob: '1950-01-01' })])
    expect(again.map(({ verdict }) => verdict)).toEqual(['already-there', 'already-there', 'imported'])
    expect(again.slice(0, 2).map(({ id_patient }) => id_patient)).toEqual(first.map(({ id_patient }) => id_patient))
    expect(await patientsOf('Again')).toHaveLength(3)
  })

  test('from two windows at once adds each row once', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => row(`C${at}`, { last_name: 'Race', first_name: `N${at}` }))
    const both = await Promise.all([verdictsOf(rows), verdictsOf(rows)])
    expect(both.flat().sort()).toEqual([...Array<string>(10).fill('already-there'), ...Array<string>(10).fill('imported')])
    expect(await patientsOf('Race')).toHaveLength(10)
  })

  test('reports patients who are already on file, and duplicates in a batch', async () => {
    const made = await server.request('POST', '/api/patient/add', { token: tokens.ana, body: { ...zoltan, last_name: 'Known' } })
    expect(made.status).toBe(200)
    const rows = [
      row('D1', { last_name: 'KNOWN' }),
      row('D2', { last_name: 'Known', dob: '2001-01-01' }),
      row('D2', { last_name: 'Known', dob: '2001-01-01' }),
    ]
    expect(await verdictsOf(rows)).toEqual(['same-person', 'imported', 'already-there'])
    expect(await patientsOf('Known')).toHaveLength(2)
  })

  test('matches like the patient dialog: swapped names, and without a birth date by phone or address', async () => {
    const given = { dob: null, last_name: 'Undated', first_name: 'Quiet' }
    expect(await verdictsOf([row('K1', { first_name: 'Swapped', last_name: 'Likely' }), row('K2', given)])).toEqual([
      'imported',
      'imported',
    ])
    const elsewhere = { street_address: '99 Far Away' }
    const rows = [
      row('K3', { ...elsewhere, first_name: 'Likely', last_name: 'SWAPPED' }),
      row('K4', { ...given, ...elsewhere }),
      row('K5', { ...given, ...elsewhere, first_name: 'Undated', last_name: 'Quiet' }),
      row('K6', { ...given, phone: null }),
      row('K7', { ...given, ...elsewhere, phone: '3095550199' }),
    ]
    expect(await verdictsOf(rows)).toEqual(['same-person', 'same-person', 'same-person', 'same-person', 'imported'])
  })

  test('treats the same number of another system with another name as another person', async () => {
    expect(await verdictsOf([row('1', { last_name: 'One' }), row('1', { last_name: 'Other', dob: '1988-08-08' })])).toEqual([
      'imported',
      'imported',
    ])
  })

  test('restores the leading zeros of a ZIP that a spreadsheet cut', async () => {
    const cut = [
      row('Z1', { last_name: 'Cut', zip_code: '1013' }),
      row('Z2', { last_name: 'Cut', dob: '1990-03-03', zip_code: '10131234' }),
    ]
    expect(await verdictsOf(cut)).toEqual(['imported', 'imported'])
    const zips = await server.db.pool.selectFrom('patients').select('zip_code').where('last_name', '=', 'Cut').execute()
    expect(zips.map(({ zip_code }) => zip_code).toSorted()).toEqual(['01013', '01013-1234'])
  })

  test('that only checks writes nothing', async () => {
    expect(await verdictsOf([row('E1', { last_name: 'Checked' })], { check_only: true })).toEqual(['new'])
    expect(await patientsOf('Checked')).toEqual([])
  })

  test.each([
    ['first_name', ''],
    ['state', 'Ontario'],
    ['dob', '2199-01-01'],
    ['dob', '1899-01-01'],
    ['zip_code', '1'],
    ['email', 'nobody'],
    ['last_name', 'nul\u0000'],
  ])('with %s %j is refused at that row and field, and nothing of the batch is written', async (field, value) => {
    const answer = await send([row('F1', { last_name: 'Half' }), row('F2', { last_name: 'Half', dob: '1991-01-01', [field]: value })])
    expect(answer.status).toBe(422)
    const { fields = [] } = v.parse(errorBody, await answer.json())
    expect(fields.map(({ path }) => path)).toEqual([`body.rows.1.patient.${field}`])
    expect(await patientsOf('Half')).toEqual([])
  })

  test('with an unknown reference is refused whole', async () => {
    const answer = await send([
      row('G1', { last_name: 'Refers' }),
      row('G2', { last_name: 'Refers', dob: '1991-01-01', preferred_provider_id: 4711 }),
    ])
    expect([answer.status, v.parse(errorBody, await answer.json()).code]).toEqual([422, 'patient-reference-unknown'])
    expect(await patientsOf('Refers')).toEqual([])
  })

  test('is for managers only, and limited to one batch at a time', async () => {
    const foreign = await send([row('H1')], {}, tokens.ana)
    expect([foreign.status, v.parse(errorBody, await foreign.json()).code]).toEqual([403, 'permission-missing'])
    const many = Array.from({ length: importBatch + 1 }, (_, at) => row(`H${at}`))
    expect((await send(many)).status).toBe(422)
    expect((await send([])).status).toBe(422)
  })
})
