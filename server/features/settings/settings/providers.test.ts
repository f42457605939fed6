import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { emptyLetterhead } from '#contract/settings/letterhead.ts'
import { providerEndpoints } from '#contract/settings/providers.ts'
import { settingsChangeEndpoints } from '#contract/settings/settings-changes.ts'
import { usualOpticalSettings } from '#contract/settings/settings.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya is made a doctor and manages all stores, Ana is made a doctor of Downtown, Ben is a stock clerk. */
const tokens = { maya: '', ben: '' }
const ids: Record<string, number> = {}
beforeAll(async () => {
  server = await startTestServer()
  const { pool } = server.services.db
  await pool
    .updateTable('users')
    .set({ role_ids: ['manager', 'doctor'] })
    .where('username', '=', 'maya')
    .execute()
  await pool
    .updateTable('users')
    .set({ role_ids: ['doctor'] })
    .where('username', '=', 'ana')
    .execute()
  for (const { username, id_user } of await pool.selectFrom('users').select(['username', 'id_user']).execute()) ids[username] = id_user
  for (const name of ['maya', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const change = (id: number | string | undefined, body: unknown, token = tokens.maya) =>
  server.request('PUT', `/api/settings/providers/${id}`, { token, body })
async function providers(token = tokens.ben) {
  const answer = await server.request('GET', '/api/settings/providers', { token })
  return v.parse(providerEndpoints.listProviders.response, await answer.json()).providers
}
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
async function changes(token = tokens.maya) {
  const answer = await server.request('GET', '/api/settings/changes', { token })
  return v.parse(settingsChangeEndpoints.settingsChanges.response, await answer.json()).changes
}
const numbers = { license_no: 'OPT-7', npi: '1234567893' }

test('a manager enters the numbers of a doctor of the store, and everyone reads them', async () => {
  expect((await providers()).map(({ id_user, license_no, is_here }) => [id_user, license_no, is_here])).toEqual([
    [ids['maya'], null, true],
    [ids['ana'], null, true],
  ])
  expect((await change(ids['ana'], { license_no: ' OPT-7 ', npi: '123-456-7893' })).status).toBe(200)
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject(numbers)
  expect((await change(ids['ana'], { license_no: '', npi: null })).status).toBe(200)
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject({ license_no: null, npi: null })
})

test('other roles cannot, nor for other people; a wrong NPI is refused at its field', async () => {
  expect((await change(ids['ana'], numbers, tokens.ben)).status).toBe(403)
  for (const id of [ids['ben'], 999_999]) expect((await refusalOf(await change(id, numbers))).code).toBe('rx-provider-unknown')
  expect((await change('x', numbers)).status).toBe(422)
  const wrong = await change(ids['ana'], { ...numbers, npi: '1234567890' })
  expect([wrong.status, (await refusalOf(wrong)).fields?.map(({ path }) => path)]).toEqual([422, ['body.npi']])
  const { pool } = server.services.db
  await pool.deleteFrom('user_stores').where('id_user', '=', ids['ana']!).execute()
  expect((await refusalOf(await change(ids['ana'], numbers))).code).toBe('rx-provider-unknown')
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject({ license_no: null, is_here: false })
})

test('managers of the store see who changed numbers and settings, with the former values; a save without a change leaves no entry', async () => {
  const { pool } = server.services.db
  await pool.insertInto('user_stores').values({ id_user: ids['ana']!, store_id: 1 }).execute()
  const before = (await changes()).length
  await change(ids['ana'], numbers)
  await change(ids['ana'], numbers)
  await change(ids['ana'], { ...numbers, npi: '1234567890' })
  await server.request('PUT', '/api/settings/optical', {
    token: tokens.maya,
    body: { ...usualOpticalSettings, expiry_by_state: false, spectacle_expiry_months: 36 },
  })
  await server.request('PUT', '/api/settings/letterhead', { token: tokens.maya, body: { ...emptyLetterhead, city: 'Larkspur' } })
  const [address, optical, provider, ...older] = await changes()
  expect(older).toHaveLength(before)
  expect(provider).toMatchObject({
    by: expect.stringContaining('Maya'),
    action: 'provider.edit',
    provider: expect.stringContaining('Ana'),
    changes: [
      { field: 'license_no', before: null, after: 'OPT-7' },
      { field: 'npi', before: null, after: '1234567893' },
    ],
  })
  expect(optical).toMatchObject({
    action: 'optical.edit',
    changes: [
      { field: 'expiry_by_state', before: true, after: false },
      { field: 'spectacle_expiry_months', before: 24, after: 36 },
    ],
  })
  expect([address?.action, address?.provider, address?.changes]).toEqual([
    'letterhead.edit',
    null,
    [{ field: 'city', before: null, after: 'Larkspur' }],
  ])
  expect((await refusalOf(await server.request('GET', '/api/settings/changes', { token: tokens.ben }))).code).toBe('permission-missing')
  const elsewhere = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: elsewhere, body: { store_id: 2 } })
  expect(await changes(elsewhere)).toEqual([])
})
