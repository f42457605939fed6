import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoints } from '#contract/core/endpoints.ts'
import { errorBody, errorCatalog } from '#contract/core/errors.ts'
import { issueCaptureToken } from '#server/platform/http/tokens.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  token = (await server.signIn('maya')).access_token
})
afterAll(() => server.close())

async function refusalOf(answer: Response) {
  return { status: answer.status, ...v.parse(errorBody, await answer.json()) }
}
const logIn = { username: 'maya', password: 'wrong-hunter2', recaptcha_token: 'development:login:x' }

describe('a request that the server cannot read', () => {
  test('is refused when it is not JSON', async () => {
    const answer = await server.request('POST', '/api/auth/login', { body: '{"username": ' })
    expect(await refusalOf(answer)).toMatchObject({ status: 400, code: 'request-unreadable' })
  })

  test('is refused when it is not UTF-8', async () => {
    const answer = await server.request('POST', '/api/auth/login', { body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) })
    expect(await refusalOf(answer)).toMatchObject({ status: 400, code: 'request-unreadable' })
  })

  test('is refused when it is nested too deep', async () => {
    const answer = await server.request('POST', '/api/auth/login', { body: '['.repeat(30_000) })
    expect(await refusalOf(answer)).toMatchObject({ status: 400, code: 'request-unreadable' })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=latin1', ''])(
    'is refused as %s',
    async (contentType) => {
      const answer = await server.request('POST', '/api/auth/login', { body: '{}', headers: { 'content-type': contentType } })
      expect(await refusalOf(answer)).toMatchObject({ status: 415, code: 'content-type-wrong' })
    },
  )

  test('is refused when its header announces too many bytes', async () => {
    const answer = await server.request('POST', '/api/auth/login', { body: 'x', headers: { 'content-length': '10485760' } })
    expect(await refusalOf(answer)).toMatchObject({ status: 413, code: 'request-too-large' })
  })

  test('is refused while it arrives, without reading all of it', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 16_384
        if (sent > 10_485_760) controller.close()
        else controller.enqueue(new Uint8Array(16_384).fill(0x20))
      },
    })
    const answer = await server.request('POST', '/api/auth/login', { body: endless })
    expect(await refusalOf(answer)).toMatchObject({ status: 413, code: 'request-too-large' })
    expect(sent).toBeLessThan(200_000)
  })
})

describe('a request with wrong fields', () => {
  test('names every field and never repeats what was typed', async () => {
    const answer = await server.request('POST', '/api/auth/login', { body: { username: '', password: 4711, recaptcha_token: {} } })
    const text = await answer.clone().text()
    const refused = await refusalOf(answer)
    expect(refused).toMatchObject({ status: 422, code: 'request-invalid' })
    expect(refused.fields).toEqual([
      { path: 'body.username', message: 'Email or username is required' },
      { path: 'body.password', message: 'must be string' },
      { path: 'body.recaptcha_token', message: 'must be string' },
    ])
    expect(text).not.toContain('4711')
  })

  test('says which field is missing', async () => {
    const refused = await refusalOf(await server.request('POST', '/api/auth/login', { body: { username: 'maya', recaptcha_token: '' } }))
    expect(refused.fields).toEqual([{ path: 'body.password', message: 'This field is required' }])
  })

  test.each([
    ['a NUL', 'a\u0000b'],
    ['a lone surrogate', 'a\ud800'],
    ['ten thousand letters', 'x'.repeat(10_000)],
  ])('refuses %s', async (_, username) => {
    expect(await refusalOf(await server.request('POST', '/api/auth/login', { body: { ...logIn, username } }))).toMatchObject({
      status: 422,
    })
  })

  test.each(["' or 1=1 --", '<script>alert(1)</script>', '../../etc/passwd', '%00', '{{7*7}}', '\u202egnp.exe', '💥'.repeat(20)])(
    'takes %s for the text that it is',
    async (username) => {
      const refused = await refusalOf(
        await server.request('POST', '/api/auth/login', { body: { ...logIn, username }, address: '192.0.2.9' }),
      )
      expect([401, 429]).toContain(refused.status)
      expect(JSON.stringify(refused)).not.toContain(username)
    },
  )

  test('does not take a prototype for a field', async () => {
    const body = '{"__proto__": {"username": "maya"}, "constructor": {"password": "x"}}'
    expect(await refusalOf(await server.request('POST', '/api/auth/login', { body }))).toMatchObject({ status: 422 })
  })
})

describe('an address that nobody answers', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/auth/login/',
    '/api/%2e%2e%2f%2e%2e%2fetc/passwd%00',
    '/api/inventory/count_sheets/%ff%fe/x',
  ])('%s is unknown', async (path) =>
    expect(await refusalOf(await server.request('GET', path))).toMatchObject({ status: 404, code: 'call-unknown' }),
  )

  test('a known call with another method names the methods that the call knows', async () => {
    const answer = await server.request('DELETE', '/api/auth/login')
    expect(answer.headers.get('allow')).toBe('POST')
    expect(await refusalOf(answer)).toMatchObject({ status: 405, code: 'method-wrong' })
  })

  test('the server never reads a fixed word in a path as an id', async () => {
    const answer = await server.request('PUT', '/api/inventory/count_sheets/items', { body: { notes: '' }, token })
    expect(await refusalOf(answer)).toMatchObject({ status: 405, code: 'method-wrong' })
  })
})

describe('the session gate', () => {
  const home = (options: { token?: string; headers?: Record<string, string> }) => server.request('GET', '/api/home/home', options)

  test('lets a request with a valid token in', async () => {
    expect((await home({ token })).status).toBe(200)
  })

  test.each(['', 'Basic bWF5YTp4', 'Bearer', 'Bearer '])('asks for the header when it is "%s"', async (authorization) => {
    const refused = await refusalOf(await home(authorization ? { headers: { authorization } } : {}))
    expect(refused).toMatchObject({ status: 401, error: 'Missing Authorization Header' })
  })

  test('says when the token has expired', async () => {
    const early = server.clock.now()
    const { access_token } = await server.signIn('maya')
    server.clock.advance(906_000)
    expect(await refusalOf(await home({ token: access_token }))).toMatchObject({ status: 401, error: 'Token has expired' })
    server.clock.set(early)
  })

  test('says when the session was ended', async () => {
    const { access_token } = await server.signIn('maya')
    expect((await server.request('POST', '/api/auth/logout', { token: access_token })).status).toBe(200)
    expect(await refusalOf(await home({ token: access_token }))).toMatchObject({ status: 401, error: 'Token has been revoked' })
  })

  test('says when the account was disabled', async () => {
    const { access_token } = await server.signIn('ana')
    const { id_user } = server.seed.users.ana
    const disable = (at: string | null) =>
      server.db.pool.updateTable('users').set({ disabled_at: at }).where('id_user', '=', id_user).execute()
    await disable('2026-11-01T00:00:00.000Z')
    expect(await refusalOf(await home({ token: access_token }))).toMatchObject({ error: 'Token has been revoked' })
    await disable(null)
  })

  test('refuses tokens that are forged, from another server or of another kind', async () => {
    const other = await startTestServer()
    const foreign = (await other.signIn('maya')).access_token
    await other.close()
    const capture = await issueCaptureToken(server.services, {
      id_user: 1,
      device_id: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f01',
      store_id: 1,
      key: null,
      roles: [],
      tabletRevokedAt: null,
    })
    const [head, payload, signature] = token.split('.') as [string, string, string]
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    const raised = `${head}.${Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: '2' })).toString('base64url')}.${signature}`
    for (const wrong of [foreign, capture, none, raised, 'x', `${token}x`, 'a.b.c', (await server.signIn('maya')).refresh_token]) {
      expect(await refusalOf(await home({ token: wrong }))).toMatchObject({ status: 401, error: 'Token mismatch' })
    }
  })

  test('still accepts a token that was signed before the key changed', async () => {
    const { secrets } = server.services
    const key = secrets.tokenKey
    secrets.previousTokenKey = key
    secrets.tokenKey = new Uint8Array(32).fill(7)
    expect((await home({ token })).status).toBe(200)
    secrets.previousTokenKey = null
    expect(await refusalOf(await home({ token }))).toMatchObject({ error: 'Token mismatch' })
    secrets.tokenKey = key
  })

  test('refuses what a role may not do', async () => {
    const { access_token } = await server.signIn('ben')
    const refused = await refusalOf(await server.request('GET', '/api/timecard/people', { token: access_token }))
    expect(refused).toMatchObject({ status: 403, code: 'permission-missing' })
  })

  test('guards every call that is not public', async () => {
    for (const { method, path, access } of Object.values(endpoints)) {
      if (access === 'public') continue
      const refused = await refusalOf(await server.request(method, path.replaceAll(/\{\w+\}/g, 'x')))
      expect({ path, method, ...refused }).toMatchObject({ status: 401, code: 'token-missing' })
    }
  })
})

describe('every answer', () => {
  test('carries the security headers, also when it refuses', async () => {
    for (const path of ['/api/health', '/api/nothing', '/api/home/home']) {
      const { headers } = await server.request('GET', path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('permissions-policy')).toContain('camera=(self)')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('is compressed for a client that accepts gzip', async () => {
    const answer = await server.request('GET', '/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
  })

  test('leaves a line in the log without anything personal', async () => {
    server.logged.length = 0
    await server.request('GET', `/api/inventory/count_sheets/5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f01?secret=hunter2`, {
      token,
      address: '203.0.113.7',
    })
    await server.request('POST', '/api/auth/login', { body: { ...logIn, username: 'private.name' }, address: '203.0.113.7' })
    const text = JSON.stringify(server.logged)
    expect(text).toContain('"route":"/api/inventory/count_sheets/{id}"')
    for (const secret of ['hunter2', '5b0e9a3c', 'private.name', '203.0.113.7', 'Maya', token]) expect(text).not.toContain(secret)
  })

  test('has the request id and no details after an unexpected error', async () => {
    const broken = await startTestServer()
    await broken.db.pool.deleteFrom('server_state').execute()
    const answer = await broken.request('GET', '/api/health')
    const refused = await refusalOf(answer)
    expect(refused).toMatchObject({ status: 500, code: 'server-failed', error: errorCatalog['server-failed'].message })
    expect(refused.details).toEqual({ request_id: answer.headers.get('x-request-id') })
    await broken.close()
    expect(await refusalOf(await broken.request('GET', '/api/health'))).toMatchObject({ status: 503 })
  })
})

describe('the number of requests', () => {
  test('from one address is bounded, and other addresses never wait for it', async () => {
    const busy = await startTestServer({ rateLimits: { burst: 5, perSecond: 0.001 } })
    const statuses: number[] = []
    for (let call = 0; call < 7; call++) statuses.push((await busy.request('GET', '/api/health', { address: '198.51.100.1' })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const answer = await busy.request('GET', '/api/health', { address: '198.51.100.1' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await busy.request('GET', '/api/health', { address: '198.51.100.2' })).status).toBe(200)
    await busy.close()
  })
})

describe('a server that stops', () => {
  test('answers new calls with a request to come back in a moment', async () => {
    const ending = await startTestServer()
    ending.stopping.abort()
    const answer = await ending.request('GET', '/api/health')
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(await refusalOf(answer)).toMatchObject({ status: 503, code: 'server-stopping' })
    await ending.close()
  })
})

describe('the document of all calls', () => {
  test('lists every call of the contract', async () => {
    const document = v.parse(
      v.object({
        openapi: v.literal('3.1.0'),
        paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
      }),
      await (await server.request('GET', '/api/openapi.json')).json(),
    )
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(name)
    }
  })
})
