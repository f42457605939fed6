import type * as argon2 from '@node-rs/argon2'
import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { type ErrorBody, errorBody } from '#contract/errors.ts'
import { signedIn, type SignedIn } from '#contract/session.ts'
import { verifyCaptureToken } from '#server/http/tokens.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, verify: vi.fn(real.verify) }
})

const riskToken = 'development:login:test'
const tablet = '0199f0a0-0000-7000-8000-000000000001'
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => forgetSignIns(server))
afterAll(() => server.close())

type Sent = { username?: string; password?: string; recaptcha_token?: string; device_id?: string }
const logIn = (sent: Sent, address = '10.0.0.1') =>
  server.request('POST', '/api/auth/login', {
    body: { username: 'maya', password: seedPassword, recaptcha_token: riskToken, ...sent },
    address,
  })
const logInWithPin = (pin: string, address = '10.0.0.1') =>
  server.request('POST', '/api/auth/login_with_pin', { body: { express_login: pin, recaptcha_token: riskToken }, address })
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
  test('Maya signs in with her username and is told who and where she is', async () => {
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
    await server.db.reads.updateTable('users').set({ disabled_at: '2026-11-01T00:00:00.000Z' }).where('username', '=', 'ben').execute()
    for (const username of ['maya', 'ben', 'nobody']) {
      vi.mocked(verify).mockClear()
      await logIn({ username, password: 'wrong' })
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(1)
      // Counted and not timed: the cost stands in the hash, and a busy machine cannot blur it.
      expect(vi.mocked(verify).mock.calls[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    }
  })

  test('a disabled account is refused like a wrong password', async () => {
    await server.db.reads.updateTable('users').set({ disabled_at: '2026-11-01T00:00:00.000Z' }).where('username', '=', 'maya').execute()
    expect((await refusal(await logIn({}))).code).toBe('login-wrong')
    expect((await refusal(await logInWithPin('246810', '10.0.0.2'))).code).toBe('pin-wrong')
  })

  test('no password, PIN or token is kept in the clear, nor logged', async () => {
    const maya = await session(await logIn({}))
    const users = await server.db.reads.selectFrom('users').selectAll().execute()
    const tokens = await server.db.reads.selectFrom('refresh_tokens').selectAll().execute()
    const kept = JSON.stringify([users, tokens, server.logged])
    for (const secret of [seedPassword, '246810', maya.refresh_token, maya.access_token]) expect(kept).not.toContain(secret)
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

  test('someone who no longer belongs to their home store starts in one of theirs', async () => {
    await server.db.reads.deleteFrom('user_stores').where('id_user', '=', 1).where('store_id', '=', 1).execute()
    expect((await session(await logIn({}))).store_id).toBe(2)
  })

  test('someone who belongs to no store is told so', async () => {
    await server.db.reads.deleteFrom('user_stores').where('id_user', '=', 1).execute()
    expect(await refusal(await logIn({}))).toMatchObject({ status: 403, code: 'store-foreign' })
  })

  test.each<[string, Sent, string]>([
    ['no name', { username: '  ' }, 'Email or username is required'],
    ['no password', { password: '' }, 'Password is required'],
    ['a name that cannot be stored', { username: 'ma\u0000ya' }, 'contains characters that cannot be stored'],
    ['an endless password', { password: 'x'.repeat(257) }, 'must be at most 256 characters'],
  ])('%s is refused as a field with a message', async (_what, sent, message) => {
    const refused = await refusal(await logIn(sent))
    expect(refused.status).toBe(422)
    expect(refused.fields?.map((field) => field.message)).toContain(message)
  })

  test.each(["maya' or '1'='1", '%', 'maya\\', '\u202emaya', '💥', 'ﬃ'])('the name %j is simply unknown', async (username) => {
    expect((await refusal(await logIn({ username }))).code).toBe('login-wrong')
  })
})

describe('signing in with a PIN', () => {
  test('Ben signs in with his', async () => {
    expect((await session(await logInWithPin('135790'))).username).toBe('ben')
  })

  test('a wrong PIN gets the message of the specification', async () => {
    expect(await refusal(await logInWithPin('000000'))).toMatchObject({
      status: 401,
      code: 'pin-wrong',
      error: 'Incorrect PIN. Please try again.',
    })
  })

  test.each(['12', '123456789', '12345a', '１２３４'])('%j is no PIN at all', async (pin) => {
    expect((await refusal(await logInWithPin(pin))).code).toBe('request-invalid')
  })
})

describe('the lockout', () => {
  const wrong = (username: string, address: string) => logIn({ username, password: 'wrong' }, address)

  test('three failures block an account for a minute, also with the right password, and then no longer', async () => {
    for (let failure = 0; failure < 3; failure++) expect((await wrong('maya', `10.1.0.${failure}`)).status).toBe(401)
    const blocked = await refusal(await logIn({}, '10.1.0.9'))
    expect(blocked).toMatchObject({ status: 429, code: 'login-blocked', retry_after_s: 60, retryAfter: '60' })
    server.clock.advance(59_000)
    expect((await refusal(await logIn({}, '10.1.0.9'))).retryAfter).toBe('1')
    server.clock.advance(1_000)
    await session(await logIn({}, '10.1.0.9'))
  })

  test('the username and the e-mail address are one account', async () => {
    for (const [index, name] of ['maya', 'maya@lorgnette.example', 'MAYA'].entries()) await wrong(name, `10.1.0.${index}`)
    expect((await refusal(await logIn({}, '10.1.0.9'))).code).toBe('login-blocked')
  })

  test('three failures block an address for everyone, and no other address', async () => {
    for (const name of ['maya', 'ben', 'nobody']) await wrong(name, '10.1.0.1')
    expect((await refusal(await logIn({ username: 'ana' }, '10.1.0.1'))).code).toBe('login-blocked')
    expect((await refusal(await logInWithPin('112233', '10.1.0.1'))).code).toBe('login-blocked')
    await session(await logIn({ username: 'ana' }, '10.1.0.2'))
  })

  test('a name that nobody has is blocked in the same words', async () => {
    const story = async (name: string, subnet: string) => {
      const told = []
      for (let attempt = 0; attempt < 4; attempt++) told.push(await refusal(await wrong(name, `${subnet}.${attempt}`)))
      return told
    }
    expect(await story('nobody', '10.2.0')).toEqual(await story('maya', '10.3.0'))
  })

  test('a success forgives what came before', async () => {
    for (let round = 0; round < 3; round++) {
      await wrong('maya', '10.1.0.1')
      await wrong('maya', '10.1.0.1')
      await session(await logIn({}, '10.1.0.1'))
    }
  })

  test('after a block the count starts anew', async () => {
    for (let failure = 0; failure < 3; failure++) await wrong('maya', '10.1.0.1')
    server.clock.advance(60_000)
    expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
    expect((await wrong('maya', '10.1.0.1')).status).toBe(401)
    await session(await logIn({}, '10.1.0.1'))
  })

  test('two slips in the morning are forgotten at noon', async () => {
    await wrong('maya', '10.1.0.1')
    await wrong('maya', '10.1.0.1')
    server.clock.advance(3 * 60 * 60_000)
    await wrong('maya', '10.1.0.1')
    await session(await logIn({}, '10.1.0.1'))
  })

  test('twenty guesses sent at once are three guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong('maya', '10.1.0.1')))
    const codes = answers.map((answer) => answer.status)
    expect(codes.filter((status) => status === 401)).toHaveLength(3)
    expect(codes.filter((status) => status === 429)).toHaveLength(17)
  })

  test('a crowd that signs in at once from one address is let in', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => logIn({ username: index % 2 ? 'ben' : 'maya' })))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 12 }, () => 200))
  })

  test('one’s own PIN does not buy endless guesses at those of others', async () => {
    let guesses = 0
    for (let round = 0; round < 20; round++) {
      for (const pin of ['900001', '900002']) if ((await logInWithPin(pin)).status === 401) guesses += 1
      if ((await logInWithPin('135790')).status !== 200) break
    }
    expect(guesses).toBe(12)
    expect((await refusal(await logInWithPin('135790'))).code).toBe('login-blocked')
  })

  test('what was typed as a name is not kept readable', async () => {
    await wrong('my-secret-typed-in-the-wrong-field', '10.1.0.1')
    const rows = await server.db.reads.selectFrom('sign_in_failures').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/my-secret|10\.1\.0\.1/)
  })
})

describe('the risk assessment', () => {
  test.each(['', 'development:login:', 'development:other:x', 'anything'])(
    'the token %j is refused before the password is looked at',
    async (token) => {
      expect(await refusal(await logIn({ recaptcha_token: token }))).toMatchObject({ status: 403, code: 'risk-refused' })
      expect(await server.db.reads.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
    },
  )

  test('the app is told which provider there is, and the log says once that it is the one for development', async () => {
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
    // Nobody listens there: a sign-in that was not assessed is refused.
    const body = { username: 'maya', password: seedPassword, recaptcha_token: riskToken }
    const refused = await refusal(await guarded.request('POST', '/api/auth/login', { body }))
    await guarded.close()
    expect(await answer.json()).toEqual({ provider: 'recaptcha', site_key: 'site-key', script_url: 'https://risk.example/api.js' })
    expect(refused.code).toBe('risk-refused')
  })
})
