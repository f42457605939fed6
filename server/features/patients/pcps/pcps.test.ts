import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import {
  isPcpOfLine,
  type Pcp,
  pcp,
  pcpCardShape,
  pcpEndpoints,
  pcpImportBatch,
  pcpPageSize,
  readPcpLine,
} from '#contract/patients/pcps.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const path = '/api/pcp'
const npis = ['1234567893', '1245319599', '2000000002']
const asked = (method: string, address: string, body?: unknown, token = tokens.ana) =>
  server.request(method, address, { token, ...(body !== undefined && { body }) })
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
const toldBy = async (answer: Response) => [answer.status, (await refusalOf(answer)).code]

async function added(last_name: string, more: Record<string, unknown> = {}): Promise<Pcp> {
  const answer = await asked('POST', path, { last_name, ...more })
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(pcp, await answer.json())
}
async function listed(query: Record<string, string>) {
  const answer = await asked('GET', `${path}?${new URLSearchParams(query).toString()}`)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(pcpEndpoints.listPcps.response, await answer.json())
}
const namesOf = async (query: Record<string, string>) => (await listed(query)).pcps.map(({ last_name }) => last_name)
async function readOf(id: string, token = tokens.ana) {
  const answer = await asked('GET', `${path}/${id}`, undefined, token)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(pcpEndpoints.readPcp.response, await answer.json())
}
const changed = (row: Pcp, more: Record<string, unknown>) => {
  const { id_pcp, changed_at: _at, changed_by: _by, patients: _patients, ...fields } = row
  return asked('PUT', `${path}/${id_pcp}`, { ...fields, ...more })
}
const merged = (stays: Pcp, goes: Pcp, token = tokens.maya) =>
  asked('POST', `${path}/${stays.id_pcp}/merge`, { id_pcp: goes.id_pcp, version: stays.version, merged_version: goes.version }, token)

const person = { first_name: 'Zuzana', street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
async function patientWith(pcp_id: string | null, more: Record<string, unknown> = {}) {
  const answer = await asked('POST', '/api/patient/add', { ...person, pcp_id, ...more })
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
const patientRow = (id: string) => server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = (id: string) => server.db.pool.selectFrom('pcp_audit').selectAll().where('id_pcp', '=', id).orderBy('id').execute()
async function revisionOf(storeId: number) {
  const scope = `patients:${storeId}`
  return (
    (await server.db.pool.selectFrom('scope_revisions').select('revision').where('scope', '=', scope).executeTakeFirst())?.revision ?? 0
  )
}

describe('the list', () => {
  test('finds by name in any spelling and order, practice, phone, fax and NPI, by last name', async () => {
    await added('Ōmori', { first_name: 'Zoë', practice: 'Findable Clinic', phone: '(518) 555-0171', fax: '518-555-0172', npi: npis[0] })
    await added('Abara', { practice: 'Findable Clinic' })
    expect(await namesOf({ query: 'findable' })).toEqual(['Abara', 'Ōmori'])
    for (const query of ['zoe omo', 'OMORI', 'Dr. Ōmori', '5185550171', '(518) 555-0172', npis[0] ?? '', 'clinic findable zoë']) {
      expect(await namesOf({ query }), query).toEqual(['Ōmori'])
    }
    for (const query of ["'; drop table pcps; --", '%', '_mori', '\\', '555-9999'])
      expect(await namesOf({ query: `${query} findable` })).not.toContain('Zed')
    expect(await namesOf({ query: '%%% nobody' })).toEqual([])
  })

  test('is complete and small for tablets, which find the same providers as the server', async () => {
    const doctor = await added('Ōwusu', { first_name: 'Ama', practice: 'Cards & Co.', phone: '(518) 555-0191', city: 'Larkspur' })
    await added('Retired', { practice: 'Cards & Co.', inactive: true })
    const stays = await added('Stays', { practice: 'Cards & Co.' })
    const goes = await added('Goes', { practice: 'Cards & Co.' })
    await merged(stays, goes)
    const { pcps } = v.parse(
      v.strictObject({ pcps: v.array(v.strictObject(pcpCardShape.entries)) }),
      await (await asked('GET', `${path}/cards`)).json(),
    )
    const all = pcps.filter(({ practice }) => practice === 'Cards & Co.').map(({ last_name }) => last_name)
    expect(all).toEqual(['Ōwusu', 'Retired', 'Stays'])
    expect(pcps.find(({ id_pcp }) => id_pcp === doctor.id_pcp)).toMatchObject({ city: 'Larkspur', phone: '5185550191', npi: null })
    for (const query of ['cards', 'co ama', 'owusu', 'wusu', '5550191', 'cards 555', 'Dr. Stays', 'goes cards', '%', "o'wusu"]) {
      const here = pcps.filter((row) => !row.inactive && isPcpOfLine(row, readPcpLine(query))).map(({ id_pcp }) => id_pcp)
      expect(here.slice(0, pcpPageSize), query).toEqual((await listed({ query })).pcps.map(({ id_pcp }) => id_pcp))
    }
    expect(await toldBy(await asked('GET', `${path}/cards`, undefined, tokens.ben))).toEqual([403, 'permission-missing'])
  })

  test('filters by city and specialty, and shows inactive providers on request', async () => {
    await added('Filtered', { city: 'Saint-Clair', specialty: 'Family medicine' })
    await added('Filtered', { city: 'saint clair', specialty: 'Geriatrics', first_name: 'B' })
    await added('Filtered', { city: 'Elsewhere', inactive: true, first_name: 'C' })
    expect(await listed({ query: 'filtered' })).toMatchObject({ total: 2 })
    expect(await listed({ query: 'filtered', city: 'SAINT CLAIR' })).toMatchObject({ total: 2 })
    expect(await listed({ query: 'filtered', city: 'Saint-Clair', specialty: 'geriatrics' })).toMatchObject({ total: 1 })
    expect(await listed({ query: 'filtered', inactive: 'true' })).toMatchObject({ total: 3 })
    const choices = v.parse(pcpEndpoints.pcpChoices.response, await (await asked('GET', `${path}/choices`)).json())
    expect(choices.specialties).toEqual(['Family medicine', 'Geriatrics'])
    expect(choices.cities.filter((city) => /clair/i.test(city))).toHaveLength(1)
  })

  test('comes in pages', async () => {
    const rows = Array.from({ length: pcpPageSize + 3 }, (_, at) => ({ last_name: 'Paged', first_name: `N${String(at).padStart(3, '0')}` }))
    for (let from = 0; from < rows.length; from += pcpImportBatch) {
      const answer = await asked('POST', `${path}/import`, { rows: rows.slice(from, from + pcpImportBatch) }, tokens.maya)
      expect(answer.status).toBe(200)
    }
    const [first, second] = [await listed({ query: 'paged' }), await listed({ query: 'paged', page: '2' })]
    expect([first.pcps.length, second.pcps.length, first.total]).toEqual([pcpPageSize, 3, pcpPageSize + 3])
    expect(new Set([...first.pcps, ...second.pcps].map(({ id_pcp }) => id_pcp)).size).toBe(pcpPageSize + 3)
    expect((await asked('GET', `${path}?page=0`)).status).toBe(422)
  })

  test('is readable for users who may read patients, and needs its own rights for changes', async () => {
    expect(await toldBy(await asked('GET', path, undefined, tokens.ben))).toEqual([403, 'permission-missing'])
    expect(await toldBy(await asked('POST', path, { last_name: 'No' }, tokens.ben))).toEqual([403, 'permission-missing'])
    const [one, other] = [await added('Allowed'), await added('Allowed')]
    expect(await toldBy(await merged(one, other, tokens.ana))).toEqual([403, 'permission-missing'])
    expect(await toldBy(await asked('POST', `${path}/import`, { rows: [{ last_name: 'X' }] }))).toEqual([403, 'permission-missing'])
  })
})

describe('adding and changing', () => {
  test('keeps numbers as digits, records who did it and when, and names the given fields', async () => {
    const made = await added('Marsh', {
      first_name: ' Helen ',
      credential: 'MD',
      phone: '+1 518 555 0140',
      npi: '1245-319-599',
      state: 'NY',
    })
    expect(made).toMatchObject({
      first_name: 'Helen',
      phone: '5185550140',
      npi: npis[1],
      version: 1,
      changed_by: 'Ana Teixeira',
      patients: 0,
    })
    const answer = await changed(made, { fax: '518.555.0141', inactive: true })
    expect(v.parse(pcp, await answer.json())).toMatchObject({ fax: '5185550141', inactive: true, version: 2 })
    const told = await auditOf(made.id_pcp)
    expect(told.map(({ action, detail, rep }) => [action, detail, rep])).toEqual([
      ['pcp.create', 'last_name, first_name, credential, phone, state, npi', 'Ana Teixeira'],
      ['pcp.edit', 'fax, inactive', 'Ana Teixeira'],
    ])
  })

  test('a repeat with the same id is one action, and other content with that id is refused', async () => {
    const id_pcp = uuidv7()
    await added('Twice', { id_pcp })
    expect(await added('Twice', { id_pcp })).toMatchObject({ id_pcp, version: 1 })
    expect(await auditOf(id_pcp)).toHaveLength(1)
    expect(await toldBy(await asked('POST', path, { last_name: 'Other', id_pcp }))).toEqual([409, 'key-reused'])
  })

  test('an outdated version is refused with the current row, and nothing is written', async () => {
    const made = await added('Overtaken')
    expect((await changed(made, { practice: 'First' })).status).toBe(200)
    const answer = await changed(made, { practice: 'Second' })
    expect(answer.status).toBe(409)
    expect(await refusalOf(answer)).toMatchObject({ code: 'pcp-changed', details: { pcp: { practice: 'First', version: 2 } } })
    expect((await readOf(made.id_pcp)).pcp.practice).toBe('First')
  })

  test('of two changes to one version at once, one succeeds', async () => {
    const made = await added('Raced')
    const answers = await Promise.all([changed(made, { practice: 'A' }), changed(made, { practice: 'B' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await readOf(made.id_pcp)).pcp.version).toBe(2)
  })

  test('an NPI belongs to one provider', async () => {
    const made = await added('Unique', { npi: npis[2] })
    const answer = await asked('POST', path, { last_name: 'Copy', npi: npis[2] })
    expect(answer.status).toBe(409)
    expect(await refusalOf(answer)).toMatchObject({
      code: 'pcp-npi-taken',
      fields: [{ path: 'body.npi' }],
      details: { id_pcp: made.id_pcp, name: 'Unique' },
    })
    expect(await namesOf({ query: 'copy' })).toEqual([])
  })

  test.each([
    ['last_name', ' '],
    ['npi', '1234567890'],
    ['phone', '12'],
    ['fax', 'fax'],
    ['zip_code', '1'],
    ['state', 'XX'],
    ['practice', 'a\u0000b'],
    ['first_name', 'x'.repeat(101)],
  ])('%s %j is refused at that field', async (field, value) => {
    const answer = await asked('POST', path, { last_name: 'Wrong', [field]: value })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields?.map(({ path: at }) => at)).toEqual([`body.${field}`])
  })

  test.each(["O'Brien; drop table pcps", '<script>alert(1)</script>', '🜁🜂 Ōö', '../../etc', "' or 1=1 --", '‮gnirts', '=cmd()'])(
    'the name %j comes back as it was written',
    async (name) => {
      const made = await added(name, { practice: name })
      expect(await readOf(made.id_pcp)).toMatchObject({ pcp: { last_name: name, practice: name } })
    },
  )

  test('an unknown id is refused, and so is a text that is no id', async () => {
    expect(await toldBy(await asked('GET', `${path}/${uuidv7()}`))).toEqual([404, 'pcp-unknown'])
    expect(await toldBy(await asked('GET', `${path}/card?id_pcp=${uuidv7()}`))).toEqual([404, 'pcp-unknown'])
    expect(await toldBy(await asked('PUT', `${path}/${uuidv7()}`, { last_name: 'X', version: 1 }))).toEqual([404, 'pcp-unknown'])
    expect((await asked('GET', `${path}/1`)).status).toBe(422)
  })
})

describe('the provider of a patient', () => {
  test('must exist, and shows the patients whom the user may see and the number of the rest', async () => {
    const doctor = await added('Linked')
    const mine = await patientWith(doctor.id_pcp)
    const elsewhere = await patientWith(doctor.id_pcp, { first_name: 'Elsewhere' })
    await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', elsewhere.id).execute()
    const toAna = await readOf(doctor.id_pcp)
    expect(toAna.patients.map(({ id }) => id)).toEqual([mine.id])
    expect(toAna.pcp.patients).toBe(2)
    expect((await readOf(doctor.id_pcp, tokens.maya)).patients).toHaveLength(2)
    expect((await listed({ query: 'linked' })).pcps[0]?.patients).toBe(2)
    const card = v.parse(pcpEndpoints.pcpCard.response, await (await asked('GET', `${path}/card?id_pcp=${doctor.id_pcp}`)).json())
    expect(card).toMatchObject({ last_name: 'Linked', phone: null })
    expect(card).not.toHaveProperty('patients')
    const answer = await asked('POST', '/api/patient/add', { ...person, pcp_id: uuidv7() })
    expect(await toldBy(answer)).toEqual([422, 'patient-reference-unknown'])
  })
})

describe('merging', () => {
  test('moves every patient in all stores, updates their tablets, and records who did it', async () => {
    const [stays, goes] = [await added('Stays', { phone: '5185550150' }), await added('Goes', { fax: '5185550151', phone: '5185550152' })]
    const mine = await patientWith(goes.id_pcp)
    const elsewhere = await patientWith(goes.id_pcp)
    await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', elsewhere.id).execute()
    const before = await patientRow(mine.id)
    const answer = v.parse(pcpEndpoints.mergePcps.response, await (await merged(stays, goes)).json())
    expect(answer).toMatchObject({ moved: 2, pcp: { phone: '5185550150', fax: '5185550151', patients: 2, version: 2 } })
    const after = await patientRow(mine.id)
    expect(after).toMatchObject({ pcp_id: stays.id_pcp, version: before.version + 1, revision: await revisionOf(1) })
    expect(after.revision).toBeGreaterThan(before.revision)
    expect(await patientRow(elsewhere.id)).toMatchObject({ pcp_id: stays.id_pcp, revision: await revisionOf(2) })
    const told = v.parse(patientAudit.response, await (await asked('GET', `/api/patient/${mine.id}/audit`, undefined, tokens.maya)).json())
    expect(told.entries[0]).toMatchObject({ action: 'pcp.merge', detail: 'pcp_id', rep: 'Maya Okonjo' })
    expect((await auditOf(stays.id_pcp)).at(-1)).toMatchObject({ action: 'pcp.merge', rep: 'Maya Okonjo' })
    // The id of the merged provider leads to the one that stayed.
    expect((await readOf(goes.id_pcp)).pcp.id_pcp).toBe(stays.id_pcp)
    expect(await namesOf({ query: 'goes' })).toEqual([])
    expect(await toldBy(await changed(goes, { practice: 'X' }))).toEqual([409, 'pcp-merged'])
  })

  test('a tablet’s work from before the merge arrives at the right provider, through any number of merges', async () => {
    const [first, second, third] = [
      await added('Chain', { first_name: 'A' }),
      await added('Chain', { first_name: 'B' }),
      await added('Chain'),
    ]
    const patient = await patientWith(first.id_pcp)
    await merged(second, first)
    await merged(third, (await readOf(second.id_pcp)).pcp)
    expect((await patientRow(patient.id)).pcp_id).toBe(third.id_pcp)
    const late = await patientWith(first.id_pcp)
    expect(late.pcp_id).toBe(third.id_pcp)
    const other = await added('Chosen')
    const { id, version: _version, ...fields } = patient
    const answer = await asked('PUT', `/api/patient/${id}`, { ...fields, ssn: null, pcp_id: other.id_pcp })
    expect(answer.status).toBe(200)
    expect((await patientRow(patient.id)).pcp_id).toBe(other.id_pcp)
  })

  test('gives the NPI of the merged provider to the one that stays', async () => {
    const npi = '1987654328'
    const [stays, goes] = [await added('Keeps'), await added('Leaves', { npi })]
    const answer = await merged(stays, goes)
    expect(v.parse(pcpEndpoints.mergePcps.response, await answer.json()).pcp.npi).toBe(npi)
  })

  test('a provider with itself, with an unknown one, or after a change is refused, and nothing moves', async () => {
    const [one, other] = [await added('Self'), await added('Self', { first_name: 'B' })]
    const patient = await patientWith(other.id_pcp)
    expect(await toldBy(await merged(one, one))).toEqual([422, 'pcp-same'])
    expect(await toldBy(await merged(one, { ...other, id_pcp: uuidv7() }))).toEqual([404, 'pcp-unknown'])
    expect(await toldBy(await merged({ ...one, id_pcp: uuidv7() }, other))).toEqual([404, 'pcp-unknown'])
    expect((await changed(other, { practice: 'New' })).status).toBe(200)
    expect(await toldBy(await merged(one, other))).toEqual([409, 'pcp-changed'])
    expect((await patientRow(patient.id)).pcp_id).toBe(other.id_pcp)
  })

  test('of two opposite merges at once, one succeeds and no patient is lost', async () => {
    const [one, other] = [await added('Circle', { first_name: 'A' }), await added('Circle', { first_name: 'B' })]
    const patients = [await patientWith(one.id_pcp), await patientWith(other.id_pcp)]
    const answers = await Promise.all([merged(one, other), merged(other, one)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const left = await listed({ query: 'circle' })
    expect(left.total).toBe(1)
    for (const { id } of patients) expect((await patientRow(id)).pcp_id).toBe(left.pcps[0]?.id_pcp)
  })

  test('leaves no patient behind while users assign patients to the merged provider', async () => {
    const [stays, goes] = [await added('Busy', { first_name: 'A' }), await added('Busy', { first_name: 'B' })]
    const work = [
      patientWith(goes.id_pcp),
      patientWith(goes.id_pcp),
      merged(stays, goes),
      patientWith(goes.id_pcp),
      patientWith(goes.id_pcp),
    ]
    await Promise.all(work)
    expect((await listed({ query: 'busy' })).pcps).toMatchObject([{ id_pcp: stays.id_pcp, patients: 4 }])
  })
})

describe('importing', () => {
  const send = (rows: unknown[], more: Record<string, unknown> = {}) => asked('POST', `${path}/import`, { rows, ...more }, tokens.maya)
  async function verdictsOf(rows: unknown[], more: Record<string, unknown> = {}) {
    const answer = await send(rows, more)
    if (answer.status !== 200) throw new Error(await answer.text())
    return v.parse(pcpEndpoints.importPcps.response, await answer.json()).results.map(({ verdict }) => verdict)
  }

  test('repeated adds nobody twice, even after changes or merges', async () => {
    const rows = [
      { last_name: 'Imported', first_name: 'A', phone: '518-555-0160' },
      { last_name: 'Imported', first_name: 'B', practice: 'Oak' },
    ]
    expect(await verdictsOf(rows, { check_only: true })).toEqual(['new', 'new'])
    expect(await verdictsOf(rows)).toEqual(['imported', 'imported'])
    const [a, b] = (await listed({ query: 'imported' })).pcps
    expect((await changed(a!, { last_name: 'Imported-Renamed' })).status).toBe(200)
    expect((await merged((await readOf(a!.id_pcp)).pcp, b!)).status).toBe(200)
    expect(await verdictsOf(rows)).toEqual(['already-there', 'already-there'])
    expect((await listed({ query: 'imported' })).total).toBe(1)
  })

  test('reports providers who are already in the list, and duplicates in a batch', async () => {
    await added('Known', { first_name: 'Kay', phone: '5185550161' })
    const other = { last_name: 'Known', first_name: 'Kay', phone: '5185550162', practice: 'Other' }
    expect(await verdictsOf([{ last_name: 'KNOWN', first_name: 'kay', phone: '(518) 555-0161' }, other, other])).toEqual([
      'same-person',
      'imported',
      'already-there',
    ])
  })

  test('from two windows at once adds each row once', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({ last_name: 'Windowed', first_name: `N${at}` }))
    const both = await Promise.all([verdictsOf(rows), verdictsOf(rows)])
    expect(both.flat().filter((verdict) => verdict === 'imported')).toHaveLength(8)
    expect((await listed({ query: 'windowed' })).total).toBe(8)
  })

  test('with an invalid row is refused at that row and field, and writes nothing of the batch', async () => {
    const answer = await send([{ last_name: 'Half' }, { last_name: 'Half', npi: '1234567890' }])
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields?.map(({ path: at }) => at)).toEqual(['body.rows.1.npi'])
    expect(await namesOf({ query: 'half' })).toEqual([])
    expect((await send([])).status).toBe(422)
    expect((await send(Array.from({ length: pcpImportBatch + 1 }, () => ({ last_name: 'X' })))).status).toBe(422)
  })
})
