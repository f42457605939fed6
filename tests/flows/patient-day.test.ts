import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { patientInput, type PatientInput } from '#contract/patients/patient.ts'
import { readLine } from '#contract/patients/patient-search.ts'
import type { PatientChanges } from '#contract/patients/patient.ts'
import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'
import type { Device } from '#src/sync/device/device.ts'
import { refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import { allSent, ClinicDay } from '#tests/support/clinic-day.ts'
import { onDisk } from '#tests/support/on-disk.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const zuzana: PatientInput = v.parse(patientInput, {
  first_name: 'Zuzana',
  last_name: 'Quillfeather',
  dob: '1980-02-28',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
  phone: '5185550123',
  ssn: '123456789',
})

/** A tablet with cryptography and a signed-in user. */
async function at(username: string): Promise<{ tablet: FakeTablet; device: Device }> {
  const tablet = day.tablet()
  const device = await tablet.open({ subtle: crypto.subtle })
  await day.signIn(device, username)
  await refreshSealingKey(device, Date.now())
  await until('the shelf is open', async () => (await device.patients()).state.getState().status === 'ready')
  return { tablet, device }
}

async function register(device: Device, more: Partial<PatientInput> = {}): Promise<string> {
  const id = uuidv7()
  const body = { id_patient: id, patient: { ...zuzana, ...more } }
  const made = await device.outbox.record('patient.create', `patient:${id}`, body, { title: 'New patient' })
  if (!made.saved) throw new Error(made.problem.message)
  return id
}

async function edit(device: Device, id: string, changes: PatientChanges) {
  const made = await device.outbox.record('patient.edit', `patient:${id}`, { id_patient: id, changes }, { title: 'Edit patient' })
  if (!made.saved) throw new Error(made.problem.message)
}

const find = async (device: Device, line: string) => (await device.patients()).search(readLine(line), 20)
const knows = (device: Device, id: string) => async () => (await device.patients()).get(id) !== null

describe('a day at the front desk', () => {
  test('a patient registered offline is found at once, reaches the server and another tablet, and is encrypted on the disk', async () => {
    const [here, there] = [await at('ana'), await at('maya')]
    here.tablet.network.online = false
    const id = await register(here.device)
    await until('it is shown', knows(here.device, id))
    expect(await find(here.device, 'quill zuz')).toMatchObject([{ id, first_name: 'Zuzana', unsent: 'waiting', patient_no: null }])
    expect(await onDisk(here.tablet)).not.toMatch(/Quillfeather|quillfeather|Zuzana|5185550123|123456789|Quarry/)

    here.tablet.network.online = true
    await allSent(here.device)
    await until('the other tablet has it', knows(there.device, id))
    expect(await find(there.device, '02/28/1980')).toMatchObject([{ id, last_name: 'Quillfeather' }])
    await until('it has come back, and shows as sent', async () => {
      const row = (await here.device.patients()).get(id)
      return row !== null && row.patient_no !== null && row.unsent === undefined
    })
    expect(await onDisk(here.tablet)).not.toMatch(/Quillfeather|quillfeather|Zuzana|5185550123|123456789|Quarry/)
    const row = await day.server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ last_name: 'Quillfeather', ssn_last4: '6789', store_id: 1 })
    expect(here.tablet.surprises).toEqual([])
  })

  test('Ana’s offline registration leaves in Ben’s session, is Ana’s, and Ben sees none of it', async () => {
    const { tablet, device } = await at('ana')
    tablet.network.online = false
    const id = await register(device)
    await until('it is shown', knows(device, id))
    await device.session.signOut()
    await until('nobody can read it', async () => (await device.patients()).get(id) === null)
    expect(await device.hot.facts.get('patients-key')).toBeUndefined()
    expect(await onDisk(tablet)).not.toMatch(/Quillfeather|Zuzana/)

    tablet.network.online = true
    await day.signIn(device, 'ben')
    await allSent(device)
    expect((await device.patients()).state.getState().status).toBe('locked')
    expect(await find(device, 'quill')).toEqual([])
    const [entry] = await day.server.db.pool.selectFrom('patient_audit').selectAll().where('id_patient', '=', id).execute()
    expect(entry).toMatchObject({ action: 'patient.create', rep: 'Ana Teixeira' })
  })

  test('waiting edits show over the server’s row in their order, until they come back', async () => {
    const { tablet, device } = await at('ana')
    const id = await register(device)
    await allSent(device)
    await until('it has come back', async () => (await device.patients()).get(id)?.patient_no !== null)
    tablet.network.online = false
    await edit(device, id, { city: { from: 'Larkspur', to: 'Millbrook Falls' } })
    await edit(device, id, { city: { from: 'Millbrook Falls', to: 'Elsewhere' }, pref: { from: null, to: 'Zuzka' } })
    await until('both are shown', async () => (await device.patients()).get(id)?.pref === 'Zuzka')
    expect((await device.patients()).get(id)).toMatchObject({ city: 'Elsewhere', unsent: 'waiting', version: 1 })
    expect(await find(device, 'zuzka')).toHaveLength(1)
    tablet.network.online = true
    await allSent(device)
    await until('it has come back', async () => (await device.patients()).get(id)?.version === 3)
    expect((await device.patients()).get(id)).toMatchObject({ city: 'Elsewhere', pref: 'Zuzka' })
    await until('nothing is remembered that has come back', async () => (await device.hot.settled.toArray()).every((entry) => !entry.own))
  })

  test('two tablets change the same field offline: the second is refused, and keeps its edit', async () => {
    const [a, b] = [await at('ana'), await at('maya')]
    const id = await register(a.device)
    await allSent(a.device)
    await until('both have it', async () => (await knows(a.device, id)()) && (await knows(b.device, id)()))
    b.tablet.network.online = false
    await edit(b.device, id, { city: { from: 'Larkspur', to: 'Bee Town' } })
    await edit(a.device, id, { city: { from: 'Larkspur', to: 'Ay Town' } })
    await allSent(a.device)
    b.tablet.network.online = true
    await until('b is refused', async () => (await b.device.hot.outbox.toArray())[0]?.state === 'needs-attention')
    await until(
      'b knows of a’s',
      async () => (await day.server.db.pool.selectFrom('patients').select('city').execute())[0]?.city === 'Ay Town',
    )
    const [refused] = await b.device.hot.outbox.toArray()
    expect(refused?.last_error).toMatchObject({ code: 'patient-changed', status: 409 })
    expect(JSON.stringify(refused)).not.toMatch(/Town/)
    await until('it is marked', async () => (await b.device.patients()).get(id)?.unsent === 'attention')
    expect((await b.device.patients()).get(id)).toMatchObject({ city: 'Bee Town' })
  })

  test('a restart without a connection finds the mirrored patients, and none of another store', async () => {
    const { tablet, device } = await at('maya')
    const id = await register(device)
    await allSent(device)
    await until('it has come back', async () => (await device.patients()).get(id)?.patient_no !== null)
    tablet.network.online = false
    await device.close()
    const again = await tablet.open({ subtle: crypto.subtle })
    await until('the shelf is open', async () => (await again.patients()).state.getState().status === 'ready')
    expect(await find(again, 'quill')).toMatchObject([{ id }])

    tablet.network.online = true
    const moved = await again.call((await import('#contract/people/session.ts')).setStore, {
      body: { store_id: 2, device_id: again.deviceId },
    })
    if (!moved.ok) throw new Error(moved.failure.message)
    await again.session.updateHome(moved.value)
    await until('the shelf is the other store’s', async () => (await find(again, 'quill')).length === 0)
    await until('it is open again', async () => (await again.patients()).state.getState().status === 'ready')
    expect(await find(again, 'quill')).toEqual([])
  })

  test('a command that the disk left in doubt and a retry recorded is identical, and reaches the server', async () => {
    const { tablet } = await at('ana')
    const device = await tablet.open({ subtle: crypto.subtle, diskPatienceMs: 100 * tablet.haste })
    await until('the shelf is open', async () => (await device.patients()).state.getState().status === 'ready')
    vi.spyOn(device.hot, 'addToOutbox').mockImplementation(() => new Promise<void>(() => undefined))
    const id = uuidv7()
    const body = { id_patient: id, patient: zuzana }
    const first = await device.outbox.record('patient.create', `patient:${id}`, body, { title: 'New patient' })
    if (first.saved || first.problem.id === undefined) throw new Error('It was not in doubt')
    vi.restoreAllMocks()
    tablet.network.online = false
    const again = { title: 'New patient', id: first.problem.id }
    expect(await device.outbox.record('patient.create', `patient:${id}`, body, again)).toMatchObject({ saved: true })
    await until('it is shown', knows(device, id))
    tablet.network.online = true
    await allSent(device)
    const row = await day.server.db.pool.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirst()
    expect(row).toMatchObject({ last_name: 'Quillfeather', ssn_last4: '6789' })
  })

  test('an unsent command that this version cannot read hides no other patient', async () => {
    const { tablet, device } = await at('ana')
    const known = await register(device)
    await allSent(device)
    await until('it has come back', async () => (await device.patients()).get(known)?.patient_no !== null)
    tablet.network.online = false
    const id = await register(device)
    const key = await keptPatientsKey(device.hot, { store_id: 1, id_user: device.session.state.getState().home?.id_user ?? 0 })
    if (!key) throw new Error('no key')
    const own = await encryptedCodec(key).encode(JSON.stringify({ of: 'another version' }))
    await device.hot.outbox.filter(({ lane }) => lane === `patient:${id}`).modify({ own: own as Uint8Array })
    await device.close()
    const later = await tablet.open({ subtle: crypto.subtle })
    await until('the shelf is open', async () => (await later.patients()).state.getState().status === 'ready')
    expect(await knows(later, known)()).toBe(true)
    expect(tablet.surprises).toEqual([])
  })

  test('without the server’s key nothing of a patient is stored, and the user learns it', async () => {
    const { device } = await at('ana')
    await device.hot.facts.delete('sealing-key')
    const id = uuidv7()
    const made = await device.outbox.record(
      'patient.create',
      `patient:${id}`,
      { id_patient: id, patient: zuzana },
      { title: 'New patient' },
    )
    expect(made).toMatchObject({ saved: false, problem: { reason: 'not-sealed' } })
    expect(await device.hot.outbox.count()).toBe(0)
  })
})
