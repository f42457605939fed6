import { expect, test } from 'vitest'
import type { Patient, PatientChanges } from '#contract/patients/patient.ts'
import type { UnsentWork } from '#src/sync/device/device.ts'
import { baseOf, chosenChanges, compared, isConflict, refusedOver } from './conflict.ts'

const row = { city: 'Ay Town', pref: 'Zuzka', email: null, phone: '5185550123', version: 3 } as unknown as Patient
const changes: PatientChanges = {
  city: { from: 'Larkspur', to: 'Bee Town' },
  pref: { from: null, to: 'Zuzka' },
  email: { from: null, to: 'z@clinic.example' },
  ssn: { from: null, to: true },
}
const details = { fields: ['city'], version: 3, changed_by: [{ field: 'city', rep: 'Ana', at: '2026-11-20T10:00:00.000Z' }, { field: 4 }] }
const problem = { code: 'patient-changed', message: 'changed', status: 409, at: '', details }
const work: UnsentWork = { id: 'w', kind: 'patient.edit', state: 'attention', author: 'Maya', at: '', problem, patient: null, changes }

test('each field shows beside the server’s value, and an equal one is left out', () => {
  expect(compared(work, row)).toEqual([
    { field: 'city', mine: 'Bee Town', theirs: 'Ay Town', isDisputed: true, changer: details.changed_by[0] },
    { field: 'email', mine: 'z@clinic.example', theirs: null, isDisputed: false, changer: null },
  ])
})

test('a disputed field is written only when the user chose it, over the value that they saw', () => {
  const fields = compared(work, row)
  const email = { from: null, to: 'z@clinic.example' }
  expect(chosenChanges(fields, {}, null)).toEqual({ email })
  expect(chosenChanges(fields, { city: 'theirs' }, null)).toEqual({ email })
  expect(chosenChanges(fields, { city: 'mine' }, '123456789')).toEqual({
    city: { from: 'Ay Town', to: 'Bee Town' },
    email,
    ssn: { from: null, to: '123456789' },
  })
})

test('a correction starts from the values that its author saw, so that a later change by others is noticed', () => {
  expect(baseOf(work, row)).toEqual({ ...row, city: 'Larkspur', pref: null, email: null })
})

test('a conflict is recognized, with the version that it was refused over', () => {
  expect([isConflict(work), refusedOver(work)]).toEqual([true, 3])
  expect(isConflict({ ...work, state: 'waiting' })).toBe(false)
  expect(isConflict({ ...work, problem: { ...problem, code: 'request-invalid' } })).toBe(false)
  expect(refusedOver({ problem: null })).toBe(0)
})
