import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PatientInput, patientEndpoints } from '#contract/patients/patients.ts'
import { compared, isConflict, refusedOver } from '#src/features/patients/patients/model/conflict.ts'
import { likelyAtServer, likelyHere } from '#src/features/patients/patients/model/duplicates.ts'
import { changesOf, formOf, readForm } from '#src/features/patients/patients/form.ts'
import { correctWork, createPatient, editPatient, settleConflict } from '#src/features/patients/patients/model/save-patient.ts'
import type { Device } from '#src/sync/device/device.ts'
import { refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { dropDraft, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { allSent, ClinicDay } from '#tests/support/clinic-day.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

/** The functions of the patient dialog, on real devices and the real server, without the screen. */

let day: ClinicDay
beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const form = {
  ...formOf({}),
  first_name: 'Zuzana',
  last_name: 'Quillfeather',
  dob: '1980-02-28',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
  phone: '(518) 555-0123',
}

function read(more: Partial<typeof form> = {}): PatientInput {
  const found = readForm({ ...form, ...more }, {}, '2026-11-20')
  if (!found.ok) throw new Error(JSON.stringify(found.problems))
  return found.patient
}

async function at(username: string): Promise<{ tablet: FakeTablet; device: Device }> {
  const tablet = day.tablet()
  const device = await tablet.open({ subtle: crypto.subtle })
  await day.signIn(device, username)
  await refreshSealingKey(device, Date.now())
  await until('the shelf is open', async () => (await device.patients()).state.getState().status === 'ready')
  return { tablet, device }
}

async function register(device: Device, more: Partial<typeof form> = {}): Promise<string> {
  const id = uuidv7()
  const saved = await createPatient(device, true, id, read(more), null)
  expect(saved).toEqual({ ok: true, where: 'here' })
  return id
}

/** Edits the patient as the dialog does: over the row that this device shows. */
async function change(device: Device, id: string, more: Partial<typeof form>): Promise<void> {
  const base = (await device.patients()).get(id)
  if (!base) throw new Error('it is not here')
  const found = readForm({ ...formOf(base), ...more }, base, '2026-11-20')
  if (!found.ok) throw new Error(JSON.stringify(found.problems))
  const saved = await editPatient(device, true, base, found.patient, changesOf(base, found.patient), null)
  expect(saved).toEqual({ ok: true, where: 'here' })
}

const rowOf = (id: string) => day.server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const mirrored = (device: Device, id: string) => async () => (await device.patients()).mirrored(id) !== null
const refusedWork = async (device: Device, id: string) => (await device.patients()).unsent(id).find(({ state }) => state === 'attention')

describe('a likeness to a known patient', () => {
  test('is found without a connection, even to a patient whom this tablet has just registered', async () => {
    const { tablet, device } = await at('ana')
    tablet.network.online = false
    const id = await register(device)
    await until('it is shown', async () => (await device.patients()).get(id) !== null)
    const shelf = await device.patients()
    const asked = { ...formOf({}), first_name: 'QUILLFEATHER', last_name: 'zuzana', dob: '1980-02-28' }
    expect(likelyHere(shelf, asked)).toMatchObject([{ why: 'name', patient: { id } }])
    expect(likelyHere(shelf, { ...formOf({}), first_name: 'Otto', phone_home: '518 555 0123' })).toMatchObject([{ why: 'phone' }])
    expect(likelyHere(shelf, { ...asked, dob: '1980-02-29' })).toEqual([])
    expect(await likelyAtServer(device, asked)).toBeNull()
  })

  test('to a patient of another store comes from the server only', async () => {
    const { device } = await at('maya')
    const id = await register(device)
    await allSent(device)
    await day.server.db.pool.updateTable('patients').set({ store_id: 2, inactive: true }).where('id', '=', id).execute()
    const found = await likelyAtServer(device, form)
    expect(found).toMatchObject([{ why: 'both', patient: { id, store_name: expect.any(String) as unknown } }])
  })
})

describe('two tablets change the same field', () => {
  async function quarrel() {
    const [a, b] = [await at('ana'), await at('maya')]
    const id = await register(a.device)
    await allSent(a.device)
    await until('both have it', async () => (await mirrored(a.device, id)()) && (await mirrored(b.device, id)()))
    b.tablet.network.online = false
    await change(b.device, id, { city: 'Bee Town', email: 'z@clinic.example', ssn: '987654321' })
    await change(a.device, id, { city: 'Ay Town' })
    await allSent(a.device)
    b.tablet.network.online = true
    await until('b is refused', async () => (await refusedWork(b.device, id)) !== undefined)
    const work = await refusedWork(b.device, id)
    if (!work) throw new Error('it was refused')
    expect(isConflict(work)).toBe(true)
    const shelf = await b.device.patients()
    await until('b has the server’s row', () => Promise.resolve((shelf.mirrored(id)?.version ?? 0) >= refusedOver(work)))
    const row = shelf.mirrored(id)
    if (!row) throw new Error('it was mirrored')
    return { a, b, id, work, fields: compared(work, row) }
  }

  test('the user sees both values with author and time, neither is lost, and the choice holds', async () => {
    const { b, id, work, fields } = await quarrel()
    expect(await rowOf(id)).toMatchObject({ city: 'Ay Town', email: null, ssn_last4: null })
    expect(fields).toMatchObject([
      { field: 'city', mine: 'Bee Town', theirs: 'Ay Town', isDisputed: true, changer: { rep: 'Ana Teixeira' } },
      { field: 'email', mine: 'z@clinic.example', theirs: null, isDisputed: false },
    ])
    // The work says that a number was typed, but not the number.
    expect(work.changes.ssn).toEqual({ from: null, to: true })
    expect(await settleConflict(b.device, work, id, fields, { city: 'mine' }, '987654321')).toEqual({ ok: true, where: 'here' })
    await allSent(b.device)
    expect(await rowOf(id)).toMatchObject({ city: 'Bee Town', email: 'z@clinic.example', ssn_last4: '4321' })
    const shelf = await b.device.patients()
    await until('nothing is left to do', () => Promise.resolve(shelf.unsent(id).length === 0))
    const audited = await day.server.db.pool.selectFrom('patient_audit').select(['detail', 'rep']).where('id_patient', '=', id).execute()
    expect(audited).toContainEqual({ detail: 'city, email, ssn', rep: 'Maya Okonjo' })
  })

  test('the user keeps the other’s value, and the user’s own other fields are written', async () => {
    const { b, id, work, fields } = await quarrel()
    await settleConflict(b.device, work, id, fields, { city: 'theirs' }, null)
    await allSent(b.device)
    expect(await rowOf(id)).toMatchObject({ city: 'Ay Town', email: 'z@clinic.example', ssn_last4: null })
  })

  test('a user who keeps nothing discards the work, and the server knows', async () => {
    const { b, id, work, fields } = await quarrel()
    await settleConflict(
      b.device,
      work,
      id,
      fields.filter(({ isDisputed }) => isDisputed),
      { city: 'theirs' },
      null,
    )
    await allSent(b.device)
    expect(await rowOf(id)).toMatchObject({ city: 'Ay Town', email: null })
    expect((await b.device.patients()).unsent(id)).toEqual([])
  })

  test('a choice over a value that changed again raises the conflict again', async () => {
    const { a, b, id, work, fields } = await quarrel()
    await change(a.device, id, { city: 'Cee Town' })
    await allSent(a.device)
    await settleConflict(b.device, work, id, fields, { city: 'mine' }, null)
    await until('b is refused again', async () => ((await refusedWork(b.device, id))?.id ?? work.id) !== work.id)
    expect(await rowOf(id)).toMatchObject({ city: 'Cee Town' })
    expect((await refusedWork(b.device, id))?.changes.city).toEqual({ from: 'Ay Town', to: 'Bee Town' })
  })
})

test('the user corrects a refused new patient in place, and the later edits follow', async () => {
  const { tablet, device } = await at('ana')
  tablet.network.online = false
  const id = uuidv7()
  await createPatient(device, true, id, { ...read(), preferred_provider_id: 4711 }, null)
  await until('it is shown', async () => (await device.patients()).get(id) !== null)
  await change(device, id, { city: 'Elsewhere' })
  tablet.network.online = true
  await until('it is refused', async () => (await refusedWork(device, id)) !== undefined)
  const work = await refusedWork(device, id)
  if (!work?.patient) throw new Error('it was refused')
  expect(work).toMatchObject({ kind: 'patient.create', problem: { code: 'patient-reference-unknown' }, patient: { city: 'Larkspur' } })
  expect(await correctWork(device, work, { id_patient: id, patient: read() })).toEqual({ ok: true, where: 'here' })
  await allSent(device)
  expect(await rowOf(id)).toMatchObject({ city: 'Elsewhere', preferred_provider_id: null, version: 2 })
})

test('on a device without patients the server answers, and its refusal appears at the field', async () => {
  const { device, tablet } = await at('maya')
  const id = uuidv7()
  const odd = await createPatient(device, false, id, { ...read(), dob: '2190-01-01' }, null)
  expect(odd).toMatchObject({ ok: false, problems: { dob: 'Date of birth can’t be in the future' } })
  expect(await createPatient(device, false, id, read(), null)).toEqual({ ok: true, where: 'server' })
  const answer = await device.call(patientEndpoints.readPatient, { params: { id }, query: {} })
  if (!answer.ok) throw new Error(answer.failure.message)
  const base = answer.value
  await day.server.db.pool.updateTable('patients').set({ version: 2, city: 'Ay Town' }).where('id', '=', id).execute()
  const { ssn: _ssn, ...mine } = { ...read(), city: 'Bee Town' }
  const patient = { ...mine, ssn: null }
  expect(await editPatient(device, false, base, patient, changesOf(base, patient), null)).toMatchObject({ ok: false, isOvertaken: true })
  expect(await rowOf(id)).toMatchObject({ city: 'Ay Town' })
  tablet.network.online = false
  expect(await createPatient(device, false, uuidv7(), read(), null)).toMatchObject({ ok: false, problems: {} })
  expect(await device.hot.outbox.count()).toBe(0)
})

test('a draft survives a restart for its author, and nobody can read it on the disk', async () => {
  const { tablet, device } = await at('ana')
  tablet.network.online = false
  expect(await keepDraft(device, 'patient: new', { form })).toBe(true)
  const facts = JSON.stringify(await device.hot.facts.toArray(), (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
  )
  expect(facts).toContain('draft ')
  expect(facts).not.toMatch(/Zuzana|Quillfeather|5185550123|Quarry/)
  await device.close()
  const again = await tablet.open({ subtle: crypto.subtle })
  expect(await readDraft(again, 'patient: new')).toEqual({ form })
  tablet.network.online = true
  await again.session.signOut()
  expect(await readDraft(again, 'patient: new')).toBeNull()
  await day.signIn(again, 'maya')
  await until('the shelf is open', async () => (await again.patients()).state.getState().status === 'ready')
  expect(await readDraft(again, 'patient: new')).toBeNull()
  await again.session.signOut()
  await day.signIn(again, 'ana')
  await until('the shelf is open', async () => (await again.patients()).state.getState().status === 'ready')
  expect(await readDraft(again, 'patient: new')).toEqual({ form })
  await dropDraft(again, 'patient: new')
  expect(await readDraft(again, 'patient: new')).toBeNull()
})
