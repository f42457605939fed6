import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/errors.ts'
import { providerEndpoints } from '#contract/providers.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya is made a doctor and manages all stores, Ana is made a doctor of Downtown, Ben is a stock clerk. */
const tokens = { maya: '', ben: '' }
const ids: Record<string, number> = {}
beforeAll(async () => {
  server = await startTestServer()
  const { reads } = server.services.db
  await reads
    .updateTable('users')
    .set({ role_ids: ['manager', 'doctor'] })
    .where('username', '=', 'maya')
    .execute()
  await reads
    .updateTable('users')
    .set({ role_ids: ['doctor'] })
    .where('username', '=', 'ana')
    .execute()
  for (const { username, id_user } of await reads.selectFrom('users').select(['username', 'id_user']).execute()) ids[username] = id_user
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
const numbers = { license_no: 'OPT-7', npi: '1234567893' }

test('a manager writes down the numbers of a doctor of the store; everyone reads them', async () => {
  expect((await providers()).map(({ id_user, license_no, is_here }) => [id_user, license_no, is_here])).toEqual([
    [ids['maya'], null, true],
    [ids['ana'], null, true],
  ])
  expect((await change(ids['ana'], { license_no: ' OPT-7 ', npi: '123-456-7893' })).status).toBe(200)
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject(numbers)
  expect((await change(ids['ana'], { license_no: '', npi: null })).status).toBe(200)
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject({ license_no: null, npi: null })
})

test('nobody else does, and not of others; a wrong NPI is refused at its field', async () => {
  expect((await change(ids['ana'], numbers, tokens.ben)).status).toBe(403)
  for (const id of [ids['ben'], 999_999]) expect((await refusalOf(await change(id, numbers))).code).toBe('rx-provider-unknown')
  expect((await change('x', numbers)).status).toBe(422)
  const wrong = await change(ids['ana'], { ...numbers, npi: '1234567890' })
  expect([wrong.status, (await refusalOf(wrong)).fields?.map(({ path }) => path)]).toEqual([422, ['body.npi']])
  const { reads } = server.services.db
  await reads.deleteFrom('user_stores').where('id_user', '=', ids['ana']!).execute()
  expect((await refusalOf(await change(ids['ana'], numbers))).code).toBe('rx-provider-unknown')
  expect((await providers()).find(({ id_user }) => id_user === ids['ana'])).toMatchObject({ license_no: null, is_here: false })
})
