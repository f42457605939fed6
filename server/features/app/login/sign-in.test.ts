import { randomUUID } from 'node:crypto'
import type * as argon2 from '@node-rs/argon2'
import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { type ErrorBody, errorBody } from '#contract/core/errors.ts'
import { refreshToken, signedIn, type SignedIn } from '#contract/people/session.ts'
import { securityLogEndpoints } from '#contract/people/security-log.ts'
import { forgetTablet } from '#server/domain/people/known-tablets.ts'
import { verifyCaptureToken } from '#server/platform/http/tokens.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, verify: vi.fn(real.verify) }
})

const { listSecurityLog } = securityLogEndpoints
const riskToken = 'development:login:test'
const tablet = '0199f0a0-0000-7000-8000-000000000001'
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => forgetSignIns(server))
afterAll(() => server.close())

type Sent = { username?: string; password?: string; recaptcha_token?: string; device_id?: string }
/** A tablet as the server knows it: its id and its token. */
type Known = { device_id: string; token: string }
const proof = (known: Known | null): Record<string, string> => (known ? { 'lorgnette-tablet': known.token } : {})
const logIn = (sent: Sent, address = '10.0.0.1', known: Known | null = null) =>
  server.request('POST', '/api/auth/login', {
    body: { username: 'maya', password: seedPassword, recaptcha_token: riskToken, ...(known && { device_id: known.device_id }), ...sent },
    address,
    headers: proof(known),
  })
const logInWithPin = (pin: string, known: Known | null, address = '10.0.0.1') =>
  server.request('POST', '/api/auth/login_with_pin', {
    body: { express_login: pin, recaptcha_token: riskToken, ...(known && { device_id: known.device_id }) },
    address,
    headers: proof(known),
  })
/** A tablet on which these people have signed in with their passwords. */
async function knownTablet(usernames: string[], device_id: string = randomUUID()): Promise<Known> {
  let token = ''
  for (const username of usernames) token = (await session(await logIn({ username, device_id }))).device_token ?? ''
  return { device_id, token }
}
const session = async (answer: Response): Promise<SignedIn> => {
  expect(answer.status).toBe(200)
  return v.parse(signedIn, await answer.json())
}
const refusal = async (answer: Response): Promise<ErrorBody & { status: number; retryAfter: string | null }> => ({
  ...v.parse(errorBody, await answer.json()),
  status: answer.status,
  retryAfter: answer.headers.get('retry-after'),
})

describe('signing in with a password', () => {
  test('Maya signs in with her username and gets her name, role and store', async () => {
    const maya = await session(await logIn({}))
    expect(maya).toMatchObject({ username: 'maya', first_name: 'Maya', role_ids: ['manager'], store_id: 1, store_name: 'Downtown' })
    const home = await server.request('GET', '/api/home/home', { token: maya.access_token })
    expect(home.status).toBe(200)
  })

  test.each(['MAYA', ' maya ', 'maya@lorgnette.example', 'Maya@Lorgnette.EXAMPLE'])('%j is Maya too', async (username) => {
    expect((await session(await logIn({ username }))).username).toBe('maya')
  })

  test('a wrong password and an unknown name get the very same answer', async () => {
    const wrong = await refusal(await logIn({ password: 'Lorgnette-demo' }))
    const unknown = await refusal(await logIn({ username: 'nobody' }, '10.0.0.2'))
    expect(wrong).toEqual({ status: 401, code: 'login-wrong', error: 'Wrong username or password', retryAfter: null })
    expect(unknown).toEqual(wrong)
  })

  test('an unknown name and a disabled account cost the same work as a wrong password', async () => {
    await server.db.pool.updateTable('users').set({ disabled_at: '2026-11-01T00:00:00.000Z' }).where('username', '=', 'ben').execute()
    for (const username of ['maya', 'ben', 'nobody']) {
      vi.mocked(verify).mockClear()
      await logIn({ username, password: 'wrong' })
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(1)
      // The test checks the cost in the hash instead of the time, which a busy machine would blur.
      expect(vi.mocked(verify).mock.calls[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    }
  })

  test('a disabled account is refused like a wrong password', async () => {
    const known = await knownTablet(['maya', 'ben'])
    await server.db.pool.updateTable('users').set({ disabled_at: '2026-11-01T00:00:00.000Z' }).where('username', '=', 'maya').execute()
    expect((await refusal(await logIn({}))).code).toBe('login-wrong')
    expect((await refusal(await logInWithPin('246810', known))).code).toBe('pin-wrong')
  })

  test('no password, PIN or token is kept in the clear, nor logged', async () => {
    const maya = await session(await logIn({}))
    const users = await server.db.pool.selectFrom('users').selectAll().execute()
    const tokens = await server.db.pool.selectFrom('refresh_tokens').selectAll().execute()
    const kept = JSON.stringify([users, tokens, server.logged])
    for (const secret of [seedPassword, '246810', maya.refresh_token, maya.access_token, maya.device_token ?? 'none'])
      expect(kept).not.toContain(secret)
    expect(users[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('the capture token names the tablet that asked, and none when none was named', async () => {
    const withTablet = await session(await logIn({ device_id: tablet }))
    expect(await verifyCaptureToken(server.services, withTablet.capture_token)).toMatchObject({
      id_user: 1,
      device_id: tablet,
      store_id: 1,
    })
    const without = await session(await logIn({}))
    await expect(verifyCaptureToken(server.services, without.capture_token)).rejects.toMatchObject({ code: 'capture-token-invalid' })
  })

  test('a user who no longer belongs to their home store starts in another of their stores', async () => {
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', 1).where('store_id', '=', 1).execute()
    expect((await session(await logIn({}))).store_id).toBe(2)
  })

  test('a user without a store is refused with the reason', async () => {
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', 1).execute()
    expect(await refusal(await logIn({}))).toMatchObject({ status: 403, code: 'store-foreign' })
  })

  test.each<[string, Sent, string]>([
    ['no name', { username: '  ' }, 'Email or username is required'],
    ['no password', { password: '' }, 'Password is required'],
    ['a name that cannot be stored', { username: 'ma\u0000ya' }, 'contains characters that can’t be saved'],
    ['an endless password', { password: 'x'.repeat(257) }, 'must be at most 256 characters'],
  ])('%s is refused at its field with a message', async (_what, sent, message) => {
    const refused = await refusal(await logIn(sent))
    expect(refused.status).toBe(422)
    expect(refused.fields?.map((field) => field.message)).toContain(message)
  })

  test.each(["maya' or '1'='1", '%', 'maya\\', '\u202emaya', '💥', 'ﬃ'])('the name %j is simply unknown', async (username) => {
    expect((await refusal(await logIn({ username }))).code).toBe('login-wrong')
  })
})

describe('signing in with a PIN', () => {
  test('Ben signs in with his PIN on a tablet where he signed in with his password, also after he signed out', async () => {
    const known = await knownTablet(['ben'])
    const ben = await session(await logInWithPin('135790', known))
    expect(ben.username).toBe('ben')
    await server.request('POST', '/api/auth/logout', { token: ben.access_token })
    await session(await logInWithPin('135790', known))
  })

  test('a tablet where nobody signed in with a password asks for one, for a right PIN and a wrong one alike', async () => {
    const answers = [await refusal(await logInWithPin('135790', null)), await refusal(await logInWithPin('000000', null))]
    expect(answers[0]).toMatchObject({
      status: 403,
      code: 'pin-needs-password',
      error: 'Sign in with your password once on this tablet. Then your PIN works here for 30 days.',
    })
    expect(answers[1]).toEqual(answers[0])
  })

  test('the PIN of a user who never signed in here with a password counts as wrong', async () => {
    const known = await knownTablet(['ben'])
    const [of, wrong] = [await refusal(await logInWithPin('112233', known)), await refusal(await logInWithPin('000000', known))]
    expect(of.code).toBe('pin-wrong')
    expect(of).toEqual(wrong)
  })

  test('after 30 days without a password the PIN needs one again', async () => {
    const known = await knownTablet(['ben'])
    server.clock.advance(31 * 86_400_000)
    expect((await refusal(await logInWithPin('135790', known))).code).toBe('pin-needs-password')
    await session(await logIn({ username: 'ben' }, '10.0.0.1', known))
    await session(await logInWithPin('135790', known))
  })

  test('the token of one tablet proves nothing for another, and neither does a made-up token', async () => {
    const known = await knownTablet(['ben'])
    const other = await knownTablet(['maya'])
    for (const token of [other.token, `${known.token}x`, 'a.b.c', '']) {
      expect((await refusal(await logInWithPin('135790', { ...known, token }))).code).toBe('pin-needs-password')
    }
  })

  test('an access token is no device token, and a device token opens nothing', async () => {
    const known = await knownTablet(['ben'])
    const ben = await session(await logIn({ username: 'ben' }))
    expect((await refusal(await logInWithPin('135790', { ...known, token: ben.access_token }))).code).toBe('pin-needs-password')
    expect((await server.request('GET', '/api/home/home', { token: known.token })).status).toBe(401)
  })

  test('a revoked tablet is unknown until somebody signs in there with a password', async () => {
    const known = await knownTablet(['ben'])
    await forgetTablet(server.db.pool, known.device_id)
    expect((await refusal(await logInWithPin('135790', known))).code).toBe('pin-needs-password')
    const again = await knownTablet(['ben'], known.device_id)
    await session(await logInWithPin('135790', again))
    expect((await refusal(await logInWithPin('135790', known))).code).toBe('pin-needs-password')
  })

  test('an administrator has no PIN', async () => {
    const known = await knownTablet(['ben'])
    const { pool } = server.db
    await pool
      .updateTable('users')
      .set({ role_ids: ['admin'] })
      .where('username', '=', 'ben')
      .execute()
    expect((await refusal(await logInWithPin('135790', known))).code).toBe('pin-wrong')
    await pool
      .updateTable('users')
      .set({ role_ids: ['stock_clerk'] })
      .where('username', '=', 'ben')
      .execute()
  })

  test('a wrong PIN gets the message of the specification', async () => {
    expect(await refusal(await logInWithPin('000000', await knownTablet(['ben'])))).toMatchObject({
      status: 401,
      code: 'pin-wrong',
      error: 'Incorrect PIN. Please try again.',
    })
  })

  test.each(['12', '123456789', '12345a', '１２３４'])('%j is no PIN at all', async (pin) => {
    expect((await refusal(await logInWithPin(pin, null))).code).toBe('request-invalid')
  })

  test('a tablet from before device tokens existed gets its token with the next refresh', async () => {
    const { refresh_token } = await session(await logIn({ username: 'ben', device_id: tablet }))
    await server.db.pool.deleteFrom('tablet_passwords').execute()
    await server.db.pool.deleteFrom('known_tablets').execute()
    const answer = await server.request('POST', '/api/auth/token/refresh', { body: { refresh_token } })
    const { device_token } = v.parse(refreshToken.response, await answer.json())
    const known = { device_id: tablet, token: device_token ?? '' }
    // The tablet is known now, but PINs still need a password first.
    expect((await refusal(await logInWithPin('135790', known))).code).toBe('pin-needs-password')
    for (let slip = 0; slip < 3; slip++) await logIn({ username: 'ana', password: 'wrong' })
    await session(await logIn({ username: 'ana' }, '10.0.0.1', known))
  })
})

describe('guesses at PINs', () => {
  const guess = (known: Known, at: number) => logInWithPin(String(900_000 + at), known)

  test('one’s own PIN between wrong ones allows no more than ten of them in an hour, and each block is longer', async () => {
    const known = await knownTablet(['ben', 'ana'])
    const guessed = async () => {
      let wrong = 0
      for (let round = 0; round < 20; round++) {
        for (const at of [1, 2]) if ((await guess(known, at)).status === 401) wrong += 1
        if ((await logInWithPin('135790', known)).status !== 200) break
      }
      return wrong
    }
    const begun = server.clock.now()
    const waits: number[] = []
    for (let hour = 0; hour < 4; hour++) {
      expect(await guessed()).toBe(10)
      const off = await refusal(await logInWithPin('135790', known))
      expect(off).toMatchObject({ status: 429, code: 'pins-off' })
      waits.push(off.retry_after_s ?? 0)
      server.clock.advance((off.retry_after_s ?? 0) * 1000)
    }
    expect(waits).toEqual([3600, 3600, 3600, 7200])
    expect(server.clock.now() - begun).toBeGreaterThan(4 * 3_600_000)
  })

  test('guesses from many addresses count together, because the tablet counts', async () => {
    const known = await knownTablet(['ben'])
    const codes = []
    for (let at = 0; at < 14; at++) codes.push((await logInWithPin('900001', known, `10.9.${at}.1`)).status)
    expect(codes.filter((status) => status === 401)).toHaveLength(10)
  })

  test('thirty guesses in an hour on several tablets switch PINs off everywhere for a quarter of an hour, and alert managers', async () => {
    const tablets = [await knownTablet(['ben']), await knownTablet(['ben']), await knownTablet(['ben']), await knownTablet(['ben', 'ana'])]
    for (const known of tablets.slice(0, 3)) for (let at = 0; at < 10; at++) expect((await guess(known, at)).status).toBe(401)
    const [, , , quiet] = tablets
    expect(await refusal(await logInWithPin('112233', quiet!))).toMatchObject({ code: 'pins-off', retry_after_s: 900 })
    // Passwords still work while PINs are off.
    await session(await logIn({ username: 'ana' }, '10.0.0.1', quiet!))
    const { access_token } = await session(await logIn({}))
    const told = v
      .parse(
        listSecurityLog.response,
        await (await server.request('GET', '/api/settings/security-log?view=alerts', { token: access_token })).json(),
      )
      .entries.filter(({ kind, is_new }) => is_new && kind.startsWith('pins-blocked'))
    expect(told.slice(0, 4).map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'pins-blocked 15 min',
      'pins-blocked-tablet 60 min',
      'pins-blocked-tablet 60 min',
      'pins-blocked-tablet 60 min',
    ])
    server.clock.advance(900_000)
    await session(await logInWithPin('112233', quiet!))
  })

  test('guesses on an unknown tablet reach no PIN and block nobody', async () => {
    const known = await knownTablet(['ben'])
    for (let at = 0; at < 50; at++) expect((await logInWithPin(String(900_000 + at), null)).status).toBe(403)
    await session(await logInWithPin('135790', known))
  })
})

describe('the lockout', () => {
  const wrong = (username: string, address: string, known: Known | null = null) => logIn({ username, password: 'wrong' }, address, known)

  test('three failures block an account at that address for a minute, even for the right password, and then no longer', async () => {
    for (let failure = 0; failure < 3; failure++) expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
    const blocked = await refusal(await logIn({}, '10.1.0.1'))
    expect(blocked).toMatchObject({ status: 429, code: 'login-blocked', retry_after_s: 60, retryAfter: '60' })
    server.clock.advance(59_000)
    expect((await refusal(await logIn({}, '10.1.0.1'))).retryAfter).toBe('1')
    server.clock.advance(1_000)
    await session(await logIn({}, '10.1.0.1'))
  })

  test('the username and the email address are one account', async () => {
    for (const name of ['maya', 'maya@lorgnette.example', 'MAYA']) await wrong(name, '10.1.0.1')
    expect((await refusal(await logIn({}, '10.1.0.1'))).code).toBe('login-blocked')
  })

  test('three failures of one person keep nobody else at the same address from signing in', async () => {
    for (let failure = 0; failure < 3; failure++) await wrong('ben', '10.1.0.1')
    expect((await refusal(await logIn({ username: 'ben' }, '10.1.0.1'))).code).toBe('login-blocked')
    await session(await logIn({ username: 'ana' }, '10.1.0.1'))
    await session(await logIn({ username: 'ben' }, '10.1.0.2'))
  })

  test('a known tablet is blocked neither by strangers at its address nor by strangers who try its users’ names', async () => {
    const known = await knownTablet(['maya', 'ben'])
    for (let at = 0; at < 30; at++) await wrong(at < 3 ? 'maya' : `nobody ${at}`, '10.0.0.1')
    for (let at = 0; at < 27; at++) await wrong('maya', `10.2.0.${at}`)
    expect((await refusal(await logIn({ username: 'ana' }, '10.0.0.1'))).code).toBe('login-blocked')
    expect((await refusal(await logIn({}, '10.3.0.1'))).code).toBe('login-blocked')
    await session(await logIn({}, '10.0.0.1', known))
    await session(await logInWithPin('246810', known))
  })

  test('failures on a known tablet block their person there, and nowhere else', async () => {
    const [one, other] = [await knownTablet(['maya', 'ben']), await knownTablet(['maya'])]
    for (let failure = 0; failure < 3; failure++) await wrong('maya', '10.0.0.1', one)
    expect((await refusal(await logIn({}, '10.0.0.1', one))).code).toBe('login-blocked')
    await session(await logIn({}, '10.0.0.1', other))
    await session(await logIn({ username: 'ben' }, '10.0.0.1', one))
    await session(await logIn({}))
  })

  test('an unknown name is blocked in the same words', async () => {
    const story = async (name: string, address: string) => {
      const told = []
      for (let attempt = 0; attempt < 4; attempt++) told.push(await refusal(await wrong(name, address)))
      return told
    }
    expect(await story('nobody', '10.2.0.1')).toEqual(await story('maya', '10.3.0.1'))
  })

  test('a success clears one’s own failures, and nobody else’s', async () => {
    for (let round = 0; round < 3; round++) {
      await wrong('maya', '10.1.0.1')
      await wrong('maya', '10.1.0.1')
      await session(await logIn({}, '10.1.0.1'))
    }
    const guesses = []
    for (let round = 0; round < 3; round++) {
      guesses.push((await wrong('ana', '10.1.0.1')).status)
      guesses.push((await wrong('ana', '10.1.0.1')).status)
      await session(await logIn({ username: 'ben' }, '10.1.0.1'))
    }
    expect(guesses).toEqual([401, 401, 401, 429, 429, 429])
  })

  test('each block is twice as long as the one before, up to an hour', async () => {
    const waits: number[] = []
    for (let block = 0; block < 9; block++) {
      for (let failure = 0; failure < 3; failure++) expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
      const { retry_after_s = 0 } = await refusal(await wrong('maya', '10.1.0.1'))
      waits.push(retry_after_s)
      server.clock.advance(retry_after_s * 1000)
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  })

  test('an address that tries many names waits longer and longer', async () => {
    const waits: number[] = []
    for (let block = 0; block < 2; block++) {
      for (let failure = 0; failure < 30; failure++) expect((await wrong(`nobody ${failure}`, '10.1.0.1')).status).toBe(401)
      const { retry_after_s = 0 } = await refusal(await wrong('nobody', '10.1.0.1'))
      waits.push(retry_after_s)
      server.clock.advance(retry_after_s * 1000)
    }
    expect(waits).toEqual([60, 120])
  })

  test('after a block the count starts from zero', async () => {
    for (let failure = 0; failure < 3; failure++) await wrong('maya', '10.1.0.1')
    server.clock.advance(60_000)
    expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
    expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
    await session(await logIn({}, '10.1.0.1'))
  })

  test('two failures in the morning no longer count at noon', async () => {
    await wrong('maya', '10.1.0.1')
    await wrong('maya', '10.1.0.1')
    server.clock.advance(3 * 60 * 60_000)
    await wrong('maya', '10.1.0.1')
    await session(await logIn({}, '10.1.0.1'))
  })

  test('twenty simultaneous guesses count as three', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong('maya', '10.1.0.1')))
    const codes = answers.map((answer) => answer.status)
    expect(codes.filter((status) => status === 401)).toHaveLength(3)
    expect(codes.filter((status) => status === 429)).toHaveLength(17)
  })

  test('many users can sign in at once from one address', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => logIn({ username: index % 2 ? 'ben' : 'maya' })))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 12 }, () => 200))
  })

  test('no typed name is stored in readable form', async () => {
    await wrong('my-secret-typed-in-the-wrong-field', '10.1.0.1')
    const rows = await server.db.pool.selectFrom('sign_in_failures').selectAll().execute()
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/my-secret|10\.1\.0\.1/)
  })
})

describe('the risk assessment', () => {
  test.each(['', 'development:login:', 'development:other:x', 'anything'])(
    'the token %j is refused before the server checks the password',
    async (token) => {
      expect(await refusal(await logIn({ recaptcha_token: token }))).toMatchObject({ status: 403, code: 'risk-refused' })
      expect(await server.db.pool.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
    },
  )

  test('the app learns the risk provider, and the log says once that it is the one for development', async () => {
    const answer = await server.request('GET', '/api/auth/risk_provider')
    expect(await answer.json()).toEqual({ provider: 'development', site_key: null, script_url: null })
    await session(await logIn({}))
    expect(server.logged.filter((line) => String(line.msg).includes('development provider'))).toHaveLength(1)
  })

  test('the site key of a real provider is public, its secret is not', async () => {
    const risk = {
      provider: 'recaptcha' as const,
      siteKey: 'site-key',
      secret: 'the-secret',
      minimumScore: 0.5,
      scriptUrl: 'https://risk.example/api.js',
      verifyUrl: 'http://127.0.0.1:9/verify',
    }
    const guarded = await startTestServer({ config: { risk } })
    const answer = await guarded.request('GET', '/api/auth/risk_provider')
    // Nobody listens there, so the server cannot assess the sign-in and refuses it.
    const body = { username: 'maya', password: seedPassword, recaptcha_token: riskToken }
    const refused = await refusal(await guarded.request('POST', '/api/auth/login', { body }))
    await guarded.close()
    expect(await answer.json()).toEqual({ provider: 'recaptcha', site_key: 'site-key', script_url: 'https://risk.example/api.js' })
    expect(refused.code).toBe('risk-refused')
  })
})
