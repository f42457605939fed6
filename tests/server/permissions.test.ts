import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { endpoints } from '#contract/core/endpoints.ts'
import { errorBody } from '#contract/core/errors.ts'
import { type Permission, permissionTable, roles } from '#contract/core/roles.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// The contract's table drives this test, so it covers every new call.
const calls = Object.entries<Endpoint>(endpoints)
const guarded = calls.flatMap(([name, endpoint]) =>
  endpoint.access === 'public' || endpoint.access === 'signed-in' ? [] : [{ name, endpoint, permission: endpoint.access as Permission }],
)
const notPublic = calls.filter(([, endpoint]) => endpoint.access !== 'public')
const open = calls.filter(([, endpoint]) => endpoint.access === 'public')

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await server.signIn('maya')).access_token
})
afterAll(() => server.close())

/** Sends the call without data. Sign-in and permission are checked before the data, so they decide the answer. */
async function codeOf(endpoint: Endpoint, options: { token?: string }): Promise<string> {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, '0199f0a0-0000-7000-8000-00000000dead')
  const answer = await server.request(endpoint.method, path, { ...options, ...(endpoint.body && { body: {} }) })
  if (answer.status < 400) {
    await answer.body?.cancel()
    return 'ok'
  }
  return v.parse(errorBody, await answer.json()).code
}

test('the table has calls of every kind, so that this file tests something', () => {
  expect(guarded.length).toBeGreaterThan(10)
  expect(notPublic.length).toBeGreaterThan(guarded.length)
  expect(open.length).toBeGreaterThan(3)
})

describe.each(roles)('a %s', (role) => {
  beforeAll(async () => {
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: [role] })
      .where('username', '=', 'maya')
      .execute()
  })

  test.each(guarded)('$name: follows $permission', async ({ endpoint, permission }) => {
    const holders: readonly string[] = permissionTable[permission]
    const code = await codeOf(endpoint, { token })
    if (!holders.includes(role)) expect(code).toBe('permission-missing')
    else expect(code).not.toMatch(/^(permission-missing|token-|server-failed)/)
  })
})

test('a user without a role gets nothing that needs a permission', async () => {
  await server.db.pool.updateTable('users').set({ role_ids: [] }).where('username', '=', 'maya').execute()
  for (const { endpoint } of guarded) expect(await codeOf(endpoint, { token })).toBe('permission-missing')
})

test.each(notPublic)('%s answers nobody without a sign-in', async (_name, endpoint) => {
  expect(await codeOf(endpoint, {})).toBe('token-missing')
  expect(await codeOf(endpoint, { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' })).toBe('token-mismatch')
})

test.each(open)('%s needs no sign-in', async (_name, endpoint) => {
  expect(await codeOf(endpoint, {})).not.toMatch(/^token-missing/)
})
