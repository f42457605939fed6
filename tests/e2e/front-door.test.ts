import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { HomeInfo, SignedIn } from '#contract/people/session.ts'
import { officeOf, openClinic, pageOf, people, signIn, type Person } from '#tests/e2e/clinic.ts'
import { openFromSidebar } from '#tests/e2e/screen.ts'
import { openTablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

// Checks of the built product from outside: few, and each on the real server.
let server: LorgnetteServer
beforeAll(async () => {
  server = await openClinic()
})
afterAll(() => server?.remove())

const everyone = Object.keys(people) as Person[]

type Answer<T> = { status: number; headers: Headers; body: T }
type Refused = { code: string; error: string; fields?: { path: string; message: string }[] }

async function post<T>(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Answer<T>> {
  const answer = await fetch(server.origin + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T }
}

async function get<T>(path: string, headers: Record<string, string> = {}): Promise<Answer<T>> {
  const answer = await fetch(server.origin + path, { headers })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T }
}

describe('what the server says about itself', () => {
  test('it is healthy, and the log says that it listens', async () => {
    const { status, body } = await get<{ ok: boolean; server_time: string; epoch: string }>('/api/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, demo: true, epoch: expect.any(String) })
    expect(Math.abs(Date.parse(body.server_time) - Date.now())).toBeLessThan(60_000)
    expect(server.log()).toContain('listening')
  })

  test('it prints its address and the demo accounts', () => {
    const printed = server.log()
    expect(printed).toContain(`Lorgnette is at ${server.origin}`)
    expect(printed).toContain('all with the password lorgnette-demo')
    for (const { username, pin } of Object.values(people)) expect(printed).toMatch(new RegExp(`${username}\\s.*PIN ${pin}`))
  })

  test('the printed OpenAPI document has every call that the app makes', async () => {
    const { body } = await get<{ openapi: string; paths: Record<string, Record<string, unknown>> }>('/api/openapi.json')
    expect(body.openapi).toMatch(/^3\./)
    expect(body.paths['/api/auth/login']).toHaveProperty('post')
    expect(body.paths['/api/inventory/count_sheets/{id}']).toHaveProperty('put')
    expect(body.paths['/api/timecard/session_status']).toHaveProperty('get')
    expect(body.paths['/api/sync/push']).toHaveProperty('post')
  })

  test('the log says that sign-ins are not assessed for risk', () => {
    expect(server.log()).toMatch(/risk/i)
  })
})

describe('the demo accounts', () => {
  test.each(everyone)('%s signs in by password and by PIN, and is the same person', async (person) => {
    const { username, password, pin } = people[person]
    const recaptcha_token = 'development:login:front-door'
    const device_id = randomUUID()
    const byPassword = await post<SignedIn>('/api/auth/login', JSON.stringify({ username, password, recaptcha_token, device_id }))
    const proof = { 'lorgnette-tablet': byPassword.body.device_token ?? '' }
    const byPin = await post<SignedIn>(
      '/api/auth/login_with_pin',
      JSON.stringify({ express_login: pin, recaptcha_token, device_id }),
      proof,
    )
    const elsewhere = await post<Refused>('/api/auth/login_with_pin', JSON.stringify({ express_login: pin, recaptcha_token, device_id }))
    expect(elsewhere.body).toMatchObject({ code: 'pin-needs-password' })
    expect([byPassword.status, byPin.status]).toEqual([200, 200])
    expect(byPassword.body.username).toBe(username)
    expect(byPin.body.id_user).toBe(byPassword.body.id_user)
    const home = await get<HomeInfo>('/api/home/home', { authorization: `Bearer ${byPin.body.access_token}` })
    expect(home.body).toMatchObject({ username, store_name: 'Downtown Eye Care' })
    expect(home.body.locations.map((store) => store.store_name)).toEqual(['Downtown Eye Care', 'Eastside Eye Care', 'Central Warehouse'])
  })
})

describe('a caller without the right', () => {
  const forged = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.c2lnbmVk`
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.`

  test.each([
    ['no token', {}, 'token-missing', 'Missing Authorization Header'],
    ['a token that someone made up', { authorization: `Bearer ${forged}` }, 'token-mismatch', 'Token mismatch'],
    ['a token that nobody signed', { authorization: `Bearer ${unsigned}` }, 'token-mismatch', 'Token mismatch'],
  ])('%s opens nothing', async (_, headers: Record<string, string>, code, error) => {
    const answer = await get<Refused>('/api/home/home', headers)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ code, error })
  })

  test('a token ends with the sign-out', async () => {
    const office = await officeOf(server, 'ana')
    expect((await office.send('POST', '/api/auth/logout')).status).toBe(200)
    const answer = await get<Refused>('/api/home/home', { authorization: `Bearer ${office.token}` })
    expect(answer.status).toBe(401)
    expect(answer.body.error).toBe('Token has been revoked')
  })

  test('a user cannot read, note, close or delete a sheet of another store', async () => {
    const east = await officeOf(server, 'maya')
    await east.send('POST', '/api/home/set_store', { store_id: 2 })
    const made = await east.send<CountSheet>('POST', '/api/inventory/count_sheets', {})
    expect(made.status).toBe(200)
    const id = made.body.id_count_sheet

    const downtown = await officeOf(server, 'maya')
    const read = await get<Refused>(`/api/inventory/count_sheets/${id}`, { authorization: `Bearer ${downtown.token}` })
    const tries = [
      await downtown.send<Refused>('PUT', `/api/inventory/count_sheets/${id}`, { notes: 'not mine' }),
      await downtown.send<Refused>('POST', `/api/inventory/count_sheets/close/${id}`, { confirmed_missing: 0 }),
      await downtown.send<Refused>('DELETE', '/api/inventory/count_sheets', { id_count_sheet: id }),
    ]
    expect([read, ...tries].map(({ status, body }) => [status, body.code])).toEqual(Array.from({ length: 4 }, () => [404, 'count-unknown']))
    expect((await east.get<CountSheet>(`/api/inventory/count_sheets/${id}`)).notes).toBe('')
  })

  test('a user cannot choose a store that does not exist', async () => {
    const office = await officeOf(server, 'ben')
    const answer = await office.send<Refused>('POST', '/api/home/set_store', { store_id: 999 })
    expect([answer.status, answer.body.code]).toEqual([404, 'store-unknown'])
    expect((await office.get<HomeInfo>('/api/home/home')).store_id).toBe(1)
  })

  test('an optician cannot close counts, and a clerk cannot review time', async () => {
    const ana = await officeOf(server, 'ana')
    const ben = await officeOf(server, 'ben')
    const close = await ana.send<Refused>('POST', '/api/inventory/count_sheets/close/0199f0a0-0000-7000-8000-00000000dead', {})
    const review = await get<Refused>('/api/timecard/review', { authorization: `Bearer ${ben.token}` })
    expect([close.status, close.body.code]).toEqual([403, 'permission-missing'])
    expect([review.status, review.body.code]).toEqual([403, 'permission-missing'])
  })
})

describe('bad input', () => {
  test('the server refuses ten megabytes before it reads them', async () => {
    const big = JSON.stringify({ username: 'a'.repeat(10 * 1024 * 1024), password: 'x', recaptcha_token: 'x' })
    const answer = await post<Refused>('/api/auth/login', big)
    expect([answer.status, answer.body.code]).toEqual([413, 'request-too-large'])
  })

  test.each([
    ['another content type', 'username=maya', 'application/x-www-form-urlencoded', 415, 'content-type-wrong'],
    ['broken JSON', '{"username":', 'application/json', 400, 'request-unreadable'],
    ['the wrong fields', '{"username":7}', 'application/json', 422, 'request-invalid'],
  ])('%s is refused with a code', async (_, body, type, status, code) => {
    const answer = await post<Refused>('/api/auth/login', body, { 'content-type': type })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('an unknown call, a wrong method and a missing file each get their own answer', async () => {
    const unknown = await get<Refused>('/api/nothing/here')
    const method = await get<Refused>('/api/auth/login')
    const file = await fetch(`${server.origin}/assets/gone-1234.js`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'call-unknown'])
    expect([method.status, method.body.code]).toEqual([405, 'method-wrong'])
    expect(file.status).toBe(404)
    expect(await file.text()).not.toContain('<html')
  })
})

describe('the headers that protect a page', () => {
  test.each(['/', '/login', '/inventory/count-sheets', '/sw.js', '/manifest.webmanifest', '/api/health', '/api/home/home'])(
    '%s carries them',
    async (path) => {
      const { headers } = await fetch(server.origin + path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      // The policy names scripts and styles inside the page by their hash.
      expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')?;/)
      expect(policy).toMatch(/style-src 'self'( 'sha256-[\w+/=]+')?;/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('x-powered-by')).toBeNull()
    },
  )

  test('no cache keeps data or the page, and hashed files may be kept forever', async () => {
    const control = async (path: string) => (await fetch(server.origin + path)).headers.get('cache-control')
    const page = await (await fetch(`${server.origin}/`)).text()
    const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1]
    if (!script) throw new Error('The page names no script')
    expect(await control('/api/health')).toBe('no-store')
    expect(await control('/')).toBe('no-cache')
    expect(await control('/sw.js')).toBe('no-cache')
    expect(await control(script)).toBe('public, max-age=31536000, immutable')
  })

  test('the server compresses text', async () => {
    const answer = await fetch(`${server.origin}/`, { headers: { 'accept-encoding': 'br, gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(await answer.text()).toContain('<div id="app">')
  })

  test('the app runs under them without an error in the browser', async () => {
    const tablet = await openTablet()
    try {
      const page = await pageOf(tablet)
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await signIn(page, server, 'maya')
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      await openFromSidebar(page, 'Team', 'Time clock')
      await page.getByRole('region', { name: 'Week' }).waitFor()
      await openFromSidebar(page, 'Stock', 'Count sheets')
      await page.getByRole('heading', { name: 'Count sheets' }).waitFor()
      expect(complaints).toEqual([])
      // The browser refuses plain text wherever it could run as code.
      const tried = await page.evaluate(() => {
        const ways: Record<string, () => unknown> = {
          'text as markup': () => (document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>'),
          'an address as a script': () => (document.createElement('script').src = '/assets/other.js'),
          'an address as a worker': () => new Worker('/assets/other.js'),
        }
        return Object.entries(ways).map(([way, go]) => {
          try {
            go()
            return `${way}: allowed`
          } catch (error) {
            return `${way}: ${error instanceof TypeError ? 'refused' : String(error)}`
          }
        })
      })
      expect(tried).toEqual(['text as markup: refused', 'an address as a script: refused', 'an address as a worker: refused'])
    } finally {
      await tablet.close()
    }
  })
})
