import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { patientInput } from '#contract/patients/patient.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { emptyRx } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { addCard } from '#src/features/clinic/insurance/actions.ts'
import type { Device } from '#src/sync/device/device.ts'
import { ClinicDay } from '#tests/support/clinic-day.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const patient = v.parse(patientInput, {
  first_name: 'Zuzana',
  last_name: 'Quillfeather',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
})

async function registered(device: Device): Promise<string> {
  const made = await device.call(patientEndpoints.addPatient, { body: patient })
  if (!made.ok) throw new Error(made.failure.message)
  return made.value.id
}

const refusalOf = (answer: { ok: true } | { ok: false; failure: { kind: string; code?: string } }) =>
  answer.ok ? null : (answer.failure.code ?? null)

/** The smallest valid JPEG. */
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9]).toString('base64')

describe('a day at the record with a bad connection', () => {
  test('a card whose answer got lost is sent again under its id: it is one policy, and the other tablet has it', async () => {
    const [here, there] = [await day.at('ana'), await day.at('maya')]
    const idPatient = await registered(here.device)
    const card = { id: uuidv7(), image: jpeg }
    here.tablet.network.answerToLose = insuranceEndpoints.addInsurance.path
    expect(await addCard(here.device, idPatient, card)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
    expect(await addCard(here.device, idPatient, card)).toMatchObject({ ok: true, value: { id_insurance: card.id } })
    const seen = await there.device.call(insuranceEndpoints.listInsurance, { query: { id_patient: idPatient } })
    expect(seen).toMatchObject({ ok: true, value: { insurances: [{ id_insurance: card.id }] } })
    const audits = await day.server.db.pool.selectFrom('patient_audit').select('action').where('id_patient', '=', idPatient).execute()
    expect(audits.filter(({ action }) => action === 'insurance.create')).toHaveLength(1)
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })

  test('lost answers create and change a prescription once; the second editor is refused and overwrites nothing', async () => {
    const [here, there] = [await day.at('ana'), await day.at('ana')]
    const idPatient = await registered(here.device)
    const body = { ...emptyRx('spectacle'), id_patient: idPatient, id_rx: uuidv7() }
    here.tablet.network.answerToLose = prescriptionEndpoints.addRx.path
    expect((await here.device.call(prescriptionEndpoints.addRx, { body })).ok).toBe(false)
    const begun = await here.device.call(prescriptionEndpoints.addRx, { body })
    if (!begun.ok) throw new Error(begun.failure.message)
    const { id_rx, version } = begun.value
    expect(id_rx).toBe(body.id_rx)

    const write = (device: Device, notes_internal: string) =>
      device.call(prescriptionEndpoints.changeRx, { body: { id_rx, version, rx: { ...emptyRx('spectacle'), notes_internal } } })
    expect(await write(there.device, 'from the other tablet')).toMatchObject({ ok: true })
    expect(refusalOf(await write(here.device, 'from this tablet'))).toBe('rx-changed')
    const list = await here.device.call(prescriptionEndpoints.listRx, { query: { id_patient: idPatient } })
    expect(list).toMatchObject({ ok: true, value: { rx_list: [{ id_rx, notes_internal: 'from the other tablet', status: 'draft' }] } })
    here.tablet.network.online = false
    expect(refusalOf(await write(here.device, 'offline'))).toBeNull()
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })
})
