import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { patient, patientInput, type PatientInput, patientRecord } from '#contract/patients/patients.ts'
import { hashedText } from '#contract/sync/command-hash.ts'
import { bodyHash } from '#server/platform/db/receipts.ts'
import { sealedForServer } from '#tests/support/seal-command.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'
import { add, added, auditOf, closeRoom, inStore, openRoom, read, refusalOf, server, tokens, zuzana } from '#tests/support/patient-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)

describe('a patient with nothing else on file', () => {
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
  test('keeps the entered fields, normalized, under the given id', async () => {
    const id = uuidv7()
    const made = await added({ id, middle_name: '', email: null })
    expect(made).toMatchObject({ id, store_id: 1, version: 1, phone: '5185550123', middle_name: null, ssn: '•••-••-6789', inactive: false })
    expect(made.patient_no).toBeGreaterThan(0)
    expect(await (await read(id)).json()).toEqual(made)
  })

  test('again under the same id returns the same patient', async () => {
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

  test('with an unknown provider is refused', async () => {
    const answer = await add({ ...zuzana, preferred_provider_id: 4711 })
    expect([answer.status, (await refusalOf(answer)).code]).toEqual([422, 'patient-reference-unknown'])
  })

  test('accepts another patient as the responsible party, but no unknown one and not the patient', async () => {
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

  test('changes the edited field, raises the version, and keeps a social security number that is sent masked', async () => {
    const made = await added()
    const answer = await put(made.id, { ...made, city: 'Larkspur', version: made.version })
    const changed = v.parse(patientRecord, await answer.json())
    expect(changed).toMatchObject({ city: 'Larkspur', version: 2, ssn: '•••-••-6789', phone: made.phone })
    expect((await auditOf(made.id))[0]).toMatchObject({ action: 'patient.edit', detail: 'city', rep: 'Ana Teixeira' })
  })

  test('from an older version is refused with the names of the fields, never their values', async () => {
    const made = await added()
    await put(made.id, { ...made, city: 'Larkspur' })
    const answer = await put(made.id, { ...made, city: 'Elsewhere', version: 1 })
    expect(answer.status).toBe(409)
    const changed_by = [{ field: 'city', rep: 'Ana Teixeira' }]
    expect(await refusalOf(answer)).toMatchObject({ code: 'patient-changed', details: { fields: ['city'], version: 2, changed_by } })
  })
})

test.each(['•••-••-678', '***-**-6789', '•••-••-6789x'])(
  'an incomplete social security number (%s) is refused at its field',
  async (ssn) => {
    const made = await added()
    const answer = await server.request('PUT', `/api/patient/${made.id}`, { token: tokens.ana, body: { ...made, ssn } })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields).toMatchObject([{ path: 'body.ssn' }])
  },
)

describe('a look at a patient', () => {
  test('of another store needs a role that allows it', async () => {
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

  test('is kept once, with user and reason, and the log repeats nothing of the patient', async () => {
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

  test('shows the encrypted social security number only to roles with the right to it, and keeps the reason', async () => {
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

describe('a patient command from a tablet', () => {
  const whole = (more: Partial<PatientInput> = {}): PatientInput => ({ ...v.parse(patientInput, zuzana), ...more })

  test('is decrypted and applied once, and its receipt contains nothing of the patient', async () => {
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    const id = uuidv7()
    const open = tablet.command('patient.create', { id_patient: id, patient: whole({ last_name: 'Sealwright' }) })
    const command = await sealedForServer(open, server.services.secrets)
    // Ben delivers the command of Ana.
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

  test('that was sealed for another command, or damaged, is refused', async () => {
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

  test('edits another field than an earlier one; a second edit of the same field is refused whole, with the field’s name', async () => {
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
    // Two edits to the same value do not conflict.
    expect((await b.push([edit(b, { city: { from: 'Millbrook Falls', to: 'Larkspur' } })]))[0]?.outcome).toBe('applied')
    const [wrong] = await b.push([edit(b, { zip_code: { from: '12345', to: 'x' } })])
    expect(wrong?.error).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.changes.zip_code' }] })
  })

  test('may edit a patient that the same batch creates', async () => {
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

  test('keeps a look that happened without a connection', async () => {
    const { id } = await added()
    const tablet = new WireTablet(server, 'Front desk')
    await tablet.signIn('ana')
    await tablet.push([tablet.command('patient.view', { id_patient: id, part: 'record', reason: 'search', offline: true })])
    expect((await auditOf(id))[0]).toMatchObject({ action: 'patient.view', offline: true, reason: 'search', device_id: tablet.deviceId })
  })
})

describe('the mirror of patients on a tablet', () => {
  test('has the patients of its store, with every field but the social security number', async () => {
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

  test('is empty for a stock clerk, also after a manager used the tablet', async () => {
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
