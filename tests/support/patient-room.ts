import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

export let server: TestServer
/** Maya manages all stores. Ana is an optician of Downtown, Ben a stock clerk. */
export const tokens = { maya: '', ana: '', ben: '' }

/** Starts the server that the tests of one file share. */
export async function openRoom(): Promise<void> {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
}

export const closeRoom = () => server.close()

export const zuzana = {
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
export const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
export const add = (body: unknown, token = tokens.ana) => server.request('POST', '/api/patient/add', { token, body })
/** Registers Zuzana, with other fields where given. */
export async function added(more: Record<string, unknown> = {}, token = tokens.ana) {
  const answer = await add({ ...zuzana, ...more }, token)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(patientRecord, await answer.json())
}
export const read = (id: string, token = tokens.ana) => server.request('GET', `/api/patient/${id}`, { token })
export async function auditOf(id: string) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
/** Moves a patient in the database, because only a user of a store can register there. */
export async function inStore(storeId: number, id: string) {
  await server.db.pool.updateTable('patients').set({ store_id: storeId }).where('id', '=', id).execute()
}
