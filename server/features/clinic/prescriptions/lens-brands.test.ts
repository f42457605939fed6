import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { findLensBrands } from '#contract/library/lens-brands.ts'
import { patientRecord } from '#contract/patients/patients.ts'
import { prescription } from '#contract/rx/prescription.ts'
import { findBrands } from '#server/features/clinic/prescriptions/lens-brands.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya is made a doctor of all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
beforeAll(async () => {
  server = await startTestServer()
  await server.services.db.pool
    .updateTable('users')
    .set({ role_ids: ['manager', 'doctor'] })
    .where('username', '=', 'maya')
    .execute()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = tokens.maya) => server.request(method, path, { token, body })
const asked = (query: string, token = tokens.ana) =>
  call('GET', `/api/patient/lens-brands?query=${encodeURIComponent(query)}`, undefined, token)
async function brandsOf(query: string) {
  return v.parse(findLensBrands.response, await (await asked(query)).json()).brands
}

const lens = {
  power: -3000,
  cl_modality: 'monthly',
  cl_type: 'soft_sphere',
  brand: 'Aqua Clear',
  manufacturer: 'Lens Works',
  base_curve: 8600,
  diameter: 14_200,
}
const days = { exam_date: '2026-11-20', issue_date: '2026-11-20', expiry_date: '2027-11-20' }

/** Adds a new patient at a store with a prescription, which is signed unless it is a draft. */
async function prescribe(od: object, os: object, isDraft = false, storeId = 1): Promise<string> {
  const about = { first_name: 'Zoë', street_address: '1 A St', city: 'B', state: 'NY', zip_code: '12345', gender: 'Female' }
  const { id } = v.parse(patientRecord, await (await call('POST', '/api/patient/add', about)).json())
  await server.services.db.pool.updateTable('patients').set({ store_id: storeId }).where('id', '=', id).execute()
  const made = await call('POST', '/api/patient/rx', { rx_kind: 'contact_lens', ...days, od, os, id_patient: id })
  const { id_rx } = v.parse(prescription, await made.json())
  if (isDraft) return id_rx
  const signed = await call('PUT', '/api/patient/rx', { id_rx, signature: { kind: 'typed', name: 'Maya Okonjo' } })
  if (signed.status !== 200) throw new Error(await signed.text())
  return id_rx
}

test('signed lenses of the whole chain are found by their words, counted, the most used first, with their fits', async () => {
  expect(await brandsOf('')).toEqual([])
  await prescribe(lens, { ...lens, base_curve: 8800 })
  await prescribe({ ...lens, brand: 'AQUA CLEAR' }, { no_lens: true }, false, 2)
  await prescribe({ ...lens, brand: 'Borosil', cl_type: 'rgp', material: 'Bóston XO', base_curve: 7850, diameter: 9600 }, { no_lens: true })
  await prescribe({ ...lens, brand: 'Never Signed' }, lens, true)
  const mistake = await prescribe({ ...lens, brand: 'Mistaken' }, { no_lens: true })
  expect((await brandsOf('mist')).map(({ brand }) => brand)).toEqual(['Mistaken'])
  await call('POST', `/api/patient/rx/${mistake}/withdraw`, { status: 'entered_in_error', reason: 'wrong' })

  const aqua = {
    brand: 'Aqua Clear',
    manufacturer: 'Lens Works',
    material: null,
    times: 3,
    fits: [
      { base_curve: 8600, base_curve_designation: null, diameter: 14_200, times: 2 },
      { base_curve: 8800, base_curve_designation: null, diameter: 14_200, times: 1 },
    ],
  }
  const [first, ...rest] = await brandsOf('')
  expect({ ...first, brand: first?.brand.toLowerCase() }).toEqual({ ...aqua, brand: 'aqua clear' })
  expect(rest.map(({ brand, times }) => [brand, times])).toEqual([['Borosil', 1]])
  // The words may be prefixes of brand, manufacturer and material, in any order and without accents.
  for (const line of ['boston', 'XO boro', 'lens bor']) expect((await brandsOf(line)).map(({ brand }) => brand)).toEqual(['Borosil'])
  for (const line of ['qua', 'never', "%' or 1=1 --"]) expect(await brandsOf(line)).toEqual([])
})

test('a user who may not write prescriptions gets nothing, and the server refuses a query that is too long', async () => {
  expect(v.parse(errorBody, await (await asked('', tokens.ben)).json()).code).toBe('permission-missing')
  const long = await asked('x'.repeat(101))
  expect([long.status, v.parse(errorBody, await long.json()).fields?.[0]?.path]).toEqual([422, 'query.query'])
})

test('only the newest prescriptions are searched, by their own index', async () => {
  const db = server.services.db.pool
  await sql`update prescriptions set signed_at = signed_at + interval '1 hour' where content -> 'od' ->> 'brand' = 'Borosil'`.execute(db)
  expect((await findBrands(db, '', 1)).map(({ brand }) => brand)).toEqual(['Borosil'])
  expect((await findBrands(db, '')).length).toBeGreaterThan(1)
  const { rows } = await sql<{ indexdef: string }>`select indexdef from pg_indexes where indexname = 'prescriptions_newest_lenses'`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})
