import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoints } from '#contract/core/endpoints.ts'
import { errorBody } from '#contract/core/errors.ts'
import { newRefreshToken, verifyCaptureToken } from '#server/platform/http/tokens.ts'
import { newSecrets } from '#server/secrets.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const tablet = '0199f0a0-0000-7000-8000-000000000001'
const minute = 60_000
const day = 24 * 60 * minute
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => forgetSignIns(server))
afterAll(() => server.close())

const send = (token: string, deviceId?: string) =>
  server.request('POST', '/api/auth/token/refresh', { body: { refresh_token: token, ...(deviceId && { device_id: deviceId }) } })
const refresh = async (token: string) => {
  const answer = await send(token)
  expect(answer.status).toBe(200)
  return v.parse(endpoints.refreshToken.response, await answer.json())
}
type SignedInPair = Awaited<ReturnType<typeof refresh>>
const message = async (answer: Response) => `${answer.status} ${v.parse(errorBody, await answer.json()).error}`
const home = (token: string) => server.request('GET', '/api/home/home', { token })
const unusedTokens = async () =>
  (await server.db.pool.selectFrom('refresh_tokens').selectAll().where('used_at', 'is', null).execute()).length

describe('a refresh', () => {
  test('gives a working pair, week after week', async () => {
    let { refresh_token: token } = await server.signIn('maya')
    for (let week = 0; week < 10; week++) {
      server.clock.advance(7 * day)
      const pair = await refresh(token)
      expect(pair.refresh_token).not.toBe(token)
      expect((await home(pair.access_token)).status).toBe(200)
      token = pair.refresh_token
    }
  })

  test('carries a capture token for the tablet of the sign-in, or for the one that asks', async () => {
    const { refresh_token } = await server.signIn('maya', tablet)
    const pair = await refresh(refresh_token)
    expect(await verifyCaptureToken(server.services, pair.capture_token)).toMatchObject({ id_user: 1, device_id: tablet })
    const other = '0199f0a0-0000-7000-8000-000000000002'
    const second = v.parse(endpoints.refreshToken.response, await (await send(pair.refresh_token, other)).json())
    expect(await verifyCaptureToken(server.services, second.capture_token)).toMatchObject({ device_id: other })
  })

  test('keeps the store that was chosen', async () => {
    const maya = await server.signIn('maya')
    await server.request('POST', '/api/home/set_store', { token: maya.access_token, body: { store_id: 2 } })
    const pair = await refresh(maya.refresh_token)
    expect(await (await home(pair.access_token)).json()).toMatchObject({ store_id: 2, store_name: 'Eastside' })
  })
})

describe('the grace of thirty seconds', () => {
  test('twenty uses at once lead to one and the same token, and sign nobody out', async () => {
    const { refresh_token } = await server.signIn('maya')
    const pairs = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)))
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1)
    expect(await unusedTokens()).toBe(1)
    for (const pair of pairs) expect((await home(pair.access_token)).status).toBe(200)
    server.clock.advance(14 * minute)
    const next = await refresh(pairs[0]!.refresh_token)
    expect((await home(next.access_token)).status).toBe(200)
  })

  test('a lost answer is asked for again', async () => {
    const { refresh_token } = await server.signIn('maya')
    const lost = await refresh(refresh_token)
    server.clock.advance(30_000)
    expect((await refresh(refresh_token)).refresh_token).toBe(lost.refresh_token)
  })

  test('a slow tab that sends the first token gets the newest, which lasts', async () => {
    const { refresh_token: first } = await server.signIn('maya')
    const second = await refresh(first)
    server.clock.advance(5_000)
    const third = await refresh(second.refresh_token)
    server.clock.advance(20_000)
    expect((await refresh(first)).refresh_token).toBe(third.refresh_token)
    server.clock.advance(14 * minute)
    await refresh(third.refresh_token)
  })

  test('it holds during a change of keys', async () => {
    const { refresh_token } = await server.signIn('maya')
    const lost = await refresh(refresh_token)
    const fresh = await newSecrets()
    server.services.secrets.previousTokenKey = server.services.secrets.tokenKey
    server.services.secrets.tokenKey = fresh.tokenKey
    const again = await refresh(refresh_token)
    expect(again.refresh_token).toBe(lost.refresh_token)
    expect((await home((await refresh(again.refresh_token)).access_token)).status).toBe(200)
  })
})

describe('a rotation whose answer was lost', () => {
  test('is repeated whenever the tablet comes back, to the same single line of tokens', async () => {
    const { refresh_token } = await server.signIn('maya')
    const lost = await refresh(refresh_token)
    server.clock.advance(3 * day)
    const again = await Promise.all([refresh(refresh_token), refresh(refresh_token)])
    expect(again.map((pair) => pair.refresh_token)).toEqual([lost.refresh_token, lost.refresh_token])
    expect(await unusedTokens()).toBe(1)
    expect((await home(again[0]!.access_token)).status).toBe(200)
    await refresh(lost.refresh_token)
  })

  test('ends with the first use of its access token, even one from a repeated request', async () => {
    const { refresh_token } = await server.signIn('maya')
    await refresh(refresh_token)
    server.clock.advance(minute)
    const pair = await refresh(refresh_token)
    await home(pair.access_token)
    server.clock.advance(30_001)
    expect(await message(await send(refresh_token))).toBe('401 Token has been revoked')
    expect(await message(await send(pair.refresh_token))).toBe('401 Token has been revoked')
  })

  test.each([
    ['its access token', async ({ access_token }: SignedInPair) => (await home(access_token)).status],
    ['its refresh token', async ({ refresh_token }: SignedInPair) => (await send(refresh_token)).status],
  ])('may be repeated for thirty seconds after the first use of %s: another tab may still be refreshing', async (_, use) => {
    const { refresh_token } = await server.signIn('maya')
    await refresh(refresh_token)
    // The tablet could not store the answer, and several tabs try again later at once.
    server.clock.advance(minute)
    const pair = await refresh(refresh_token)
    expect(await use(pair)).toBe(200)
    server.clock.advance(30_000)
    const late = await refresh(refresh_token)
    expect((await home(late.access_token)).status).toBe(200)
    server.clock.advance(1)
    expect(await message(await send(refresh_token))).toBe('401 Token has been revoked')
  })

  test('ends with the first use of its refresh token: only the answer after it may be lost, not the one before', async () => {
    const { refresh_token: first } = await server.signIn('maya')
    const second = await refresh(first)
    await refresh(second.refresh_token)
    server.clock.advance(minute)
    await refresh(second.refresh_token)
    expect(await message(await send(first))).toBe('401 Token has been revoked')
    expect(await message(await send(second.refresh_token))).toBe('401 Token has been revoked')
  })

  test('is not confirmed by the earlier access token, which calls may still carry', async () => {
    const maya = await server.signIn('maya')
    const second = await refresh(maya.refresh_token)
    await home(second.access_token)
    const lost = await refresh(second.refresh_token)
    await home(maya.access_token)
    await home(second.access_token)
    server.clock.advance(minute)
    expect((await refresh(second.refresh_token)).refresh_token).toBe(lost.refresh_token)
  })

  test('is repeated no longer than its token would have lasted', async () => {
    const { refresh_token } = await server.signIn('maya')
    await refresh(refresh_token)
    server.clock.advance(30 * day)
    expect(await message(await send(refresh_token))).toBe('401 Expired refresh token')
  })
})

describe('refused tokens, in the words that decide what the app does', () => {
  test('a use after the grace ends the whole family: the thief’s line and the owner’s', async () => {
    const maya = await server.signIn('maya')
    const pair = await refresh(maya.refresh_token)
    await home(pair.access_token)
    server.clock.advance(30_001)
    expect(await message(await send(maya.refresh_token))).toBe('401 Token has been revoked')
    expect(await message(await send(pair.refresh_token))).toBe('401 Token has been revoked')
    expect(await message(await home(pair.access_token))).toBe('401 Token has been revoked')
    const [row] = await server.db.pool.selectFrom('sessions').selectAll().execute()
    expect(row?.revoked_because).toBe('reuse')
  })

  test('it ends no other session of the person', async () => {
    const [tabletSession, deskSession] = [await server.signIn('maya'), await server.signIn('maya')]
    await home((await refresh(tabletSession.refresh_token)).access_token)
    server.clock.advance(minute)
    expect((await send(tabletSession.refresh_token)).status).toBe(401)
    await refresh(deskSession.refresh_token)
  })

  test('twenty uses at once after the grace are all refused', async () => {
    const { refresh_token } = await server.signIn('maya')
    await home((await refresh(refresh_token)).access_token)
    server.clock.advance(minute)
    const answers = await Promise.all(Array.from({ length: 20 }, async () => message(await send(refresh_token))))
    expect(new Set(answers)).toEqual(new Set(['401 Token has been revoked']))
  })

  test('a token that was not used for a month', async () => {
    const { refresh_token } = await server.signIn('maya')
    server.clock.advance(30 * day)
    expect(await message(await send(refresh_token))).toBe('401 Expired refresh token')
  })

  test('a token of another kind', async () => {
    const maya = await server.signIn('maya', tablet)
    expect(await message(await send(maya.access_token))).toBe('401 Token mismatch')
    expect(await message(await send(maya.capture_token))).toBe('401 Token mismatch')
  })

  test('a refresh or capture token where an access token belongs', async () => {
    const maya = await server.signIn('maya', tablet)
    expect(await message(await home(maya.refresh_token))).toBe('401 Token mismatch')
    expect(await message(await home(maya.capture_token))).toBe('401 Token mismatch')
  })

  test.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['a well-made forgery', newRefreshToken().token],
    ['a piece of SQL', "' or 1=1"],
    ['foreign letters', 'é'.repeat(43)],
    ['a very long text', 'A'.repeat(4096)],
  ])('%s, which was never issued as a token', async (_what, token) => {
    expect(await message(await send(token))).toBe('401 Invalid refresh token')
  })

  test('after a sign-out both tokens are dead, and signing out again says so', async () => {
    const maya = await server.signIn('maya')
    const logOut = () => server.request('POST', '/api/auth/logout', { token: maya.access_token })
    expect(await (await logOut()).json()).toEqual({ ok: true })
    expect(await message(await send(maya.refresh_token))).toBe('401 Token has been revoked')
    expect(await message(await home(maya.access_token))).toBe('401 Token has been revoked')
    expect(await message(await logOut())).toBe('401 Token has been revoked')
  })

  test('an account that was disabled in the meantime', async () => {
    const ben = await server.signIn('ben')
    await server.db.pool.updateTable('users').set({ disabled_at: '2026-11-20T14:00:00.000Z' }).where('username', '=', 'ben').execute()
    expect(await message(await send(ben.refresh_token))).toBe('401 Token has been revoked')
    expect(await message(await home(ben.access_token))).toBe('401 Token has been revoked')
    const [row] = await server.db.pool.selectFrom('sessions').selectAll().execute()
    expect(row?.revoked_because).toBe('disabled')
  })

  test('an access token after a quarter of an hour, until a refresh renews it', async () => {
    const maya = await server.signIn('maya')
    server.clock.advance(16 * minute)
    expect(await message(await home(maya.access_token))).toBe('401 Token has expired')
    expect((await home((await refresh(maya.refresh_token)).access_token)).status).toBe(200)
  })
})

test('the server removes long expired tokens and sessions', async () => {
  let { refresh_token: token } = await server.signIn('maya')
  for (let week = 0; week < 20; week++) {
    server.clock.advance(7 * day)
    token = (await refresh(token)).refresh_token
  }
  // 30 days until a token expires and 30 after it, a week apart.
  expect((await server.db.pool.selectFrom('refresh_tokens').selectAll().execute()).length).toBeLessThanOrEqual(10)
  server.clock.advance(61 * day)
  await server.signIn('maya')
  expect(await server.db.pool.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
  expect(await server.db.pool.selectFrom('refresh_tokens').selectAll().execute()).toHaveLength(1)
})
