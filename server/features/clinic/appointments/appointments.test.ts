import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { appointmentPageSize, listAppointments } from '#contract/calendar/appointments.ts'
import { errorBody } from '#contract/core/errors.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
let idPatient: string

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())
beforeEach(async () => {
  const place = { street_address: '12 Quarry Ln', city: 'Millbrook Falls', state: 'NY', zip_code: '12345' }
  const answer = await server.request('POST', '/api/patient/add', {
    token: tokens.ana,
    body: { first_name: 'Zuzana', gender: 'Female', ...place },
  })
  idPatient = v.parse(patientRecord, await answer.json()).id
})

/** Inserts an appointment as an appointment book would. The app has none yet. */
async function booked(days: number, more: Partial<Insertable<Schema['appointments']>> = {}): Promise<string> {
  const id = uuidv7()
  const start_at = new Date(server.clock.now() + days * 86_400_000).toISOString()
  const what = { duration_min: 20, type: 'Recheck', status: 'booked' as const, reason: '' }
  const row = {
    id_appointment: id,
    id_patient: idPatient,
    store_id: 1,
    provider_id: null,
    start_at,
    created_at: start_at,
    created_by: null,
  }
  await server.db.pool
    .insertInto('appointments')
    .values({ ...row, ...what, ...more })
    .execute()
  return id
}
const ask = (query: string, token = tokens.ana) => server.request('GET', `/api/patient/appointments?${query}`, { token })
async function listed(page = 1) {
  const answer = await ask(`id_patient=${idPatient}&page=${page}`)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(listAppointments.response, await answer.json())
}
const refusal = async (answer: Response) => [answer.status, v.parse(errorBody, await answer.json()).code]

test('a new patient has none', async () => {
  expect(await listed()).toEqual({ appointments: [], total: 0, page: 1, next: null })
})

test('the latest comes first, and the next is the nearest expected one', async () => {
  const [far, near, canceled, past] = [
    await booked(30, { status: 'confirmed', provider_id: server.seed.users.maya.id_user }),
    await booked(3),
    await booked(1, { status: 'cancelled' }),
    await booked(-10, { status: 'no_show' }),
  ]
  const { appointments, next } = await listed()
  expect(appointments.map(({ id_appointment }) => id_appointment)).toEqual([far, near, canceled, past])
  expect(next?.id_appointment).toBe(near)
  expect(appointments[0]).toMatchObject({ provider_name: 'Maya Okonjo', store_name: 'Downtown', duration_min: 20, type: 'Recheck' })
  expect(appointments[1]?.provider_name).toBeNull()
})

test('many come in pages, each with the total', async () => {
  for (let day = 0; day <= appointmentPageSize; day += 1) await booked(-day - 1, { status: 'coded' })
  expect([(await listed()).appointments.length, (await listed(2)).appointments.length, (await listed(2)).total]).toEqual([
    appointmentPageSize,
    1,
    appointmentPageSize + 1,
  ])
})

test('only users who may see the patient get them, and the audit keeps the look', async () => {
  expect(await refusal(await ask(`id_patient=${idPatient}`, tokens.ben))).toEqual([403, 'permission-missing'])
  expect(await refusal(await ask(`id_patient=${uuidv7()}`))).toEqual([404, 'patient-unknown'])
  await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', idPatient).execute()
  expect((await refusal(await ask(`id_patient=${idPatient}`)))[1]).toBe('patient-of-other-store')
  expect((await ask(`id_patient=${idPatient}&reason=patient%20page`, tokens.maya)).status).toBe(200)
  const audit = await server.request('GET', `/api/patient/${idPatient}/audit`, { token: tokens.maya })
  const { entries } = v.parse(patientAudit.response, await audit.json())
  expect(entries.find(({ action }) => action === 'appointment.view')).toMatchObject({ rep: 'Maya Okonjo', reason: 'patient page' })
})

test.each([
  ['', 'query.id_patient'],
  ['id_patient=7', 'query.id_patient'],
  ['id_patient=0198c2f4-0000-7000-8000-000000000001&page=0', 'query.page'],
])('%j is refused at its field', async (query, path) => {
  const answer = await ask(query)
  const body = v.parse(errorBody, await answer.json())
  expect([answer.status, body.fields?.map((field) => field.path)]).toEqual([422, [path]])
})
