import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/core/endpoints.ts'
import { createMetrics, metricsContentType } from '#server/platform/metrics/metrics.ts'
import { type Family, parseOpenMetrics, valueOf } from '#tests/support/open-metrics.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

const token = 'a-token-of-the-operator'
let server: TestServer
let tablet: WireTablet

beforeAll(async () => {
  server = await startTestServer({ config: { metricsToken: token } })
  tablet = new WireTablet(server, 'Back room iPad of Ben')
  await tablet.signIn('ben')
})
afterAll(() => server.close())

const textOf = async () => await (await server.request('GET', '/metrics', { token })).text()
const read = async () => parseOpenMetrics(await textOf())

describe('the metrics', () => {
  test('are OpenMetrics, of this process too', async () => {
    const answer = await server.request('GET', '/metrics', { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const families = parseOpenMetrics(await answer.text())
    expect([...families.values()].filter(({ help, type }) => help === '' || type === 'unknown')).toEqual([])
    const ofProcess = parseOpenMetrics(
      await createMetrics({ ofProcess: true }).text({ tablets: 0, holding: 0, unsent: 0, oldestUnsentSeconds: 0 }),
    )
    expect(valueOf(ofProcess, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
    expect(metricsContentType).toContain('openmetrics')
  })

  test('count requests by pattern, method and status, and how long they took', async () => {
    const before = await read()
    const id = randomUUID()
    await server.request('GET', `/api/inventory/count_sheets/${id}`, { token: tablet.session.access_token })
    await server.request('GET', '/api/no/such/call')
    await server.request('BREW', '/api/health')
    const after = await read()
    const raised = (name: string, labels: Record<string, string>) => valueOf(after, name, labels) - valueOf(before, name, labels)
    const sheet = { method: 'GET', route: '/api/inventory/count_sheets/{id}' }
    expect(raised('lorgnette_http_requests_total', { ...sheet, status: '404' })).toBe(1)
    expect(raised('lorgnette_http_request_seconds_count', sheet)).toBe(1)
    expect(raised('lorgnette_http_requests_total', { method: 'GET', route: 'other', status: '404' })).toBe(1)
    expect(raised('lorgnette_http_requests_total', { method: 'other', route: '/api/health', status: '405' })).toBe(1)
    expect(valueOf(after, 'lorgnette_database_query_seconds_count')).toBeGreaterThan(
      valueOf(before, 'lorgnette_database_query_seconds_count'),
    )
    expect(valueOf(after, 'lorgnette_database_connections', { state: 'open' })).toBeGreaterThan(0)
  })

  test('a push raises what it brought, what was done, brought again and refused', async () => {
    const sheet = await tablet.createSheet()
    const before = await read()
    const scans = [tablet.scan(sheet, 'A'), tablet.scan(sheet, 'B')]
    await tablet.push(scans)
    await tablet.push([scans[0], tablet.scan(uuidv7(), 'C'), { ...scans[1], body: { ...scans[1]?.body, raw_code: 'other' } }])
    // The same twice in one batch: once done, once a repeat.
    const twin = tablet.scan(sheet, 'D')
    await tablet.push([twin, twin])
    const after = await read()
    const raised = (name: string, labels?: Record<string, string>) => valueOf(after, name, labels) - valueOf(before, name, labels)
    expect({
      pushes: raised('lorgnette_push_commands_count'),
      commands: raised('lorgnette_push_commands_sum'),
      applied: raised('lorgnette_commands_applied_total', { kind: 'count.scan' }),
      replayed: raised('lorgnette_receipts_replayed_total'),
      unknown: raised('lorgnette_commands_refused_total', { code: 'count-unknown' }),
      reused: raised('lorgnette_commands_refused_total', { code: 'key-reused' }),
    }).toEqual({ pushes: 3, commands: 7, applied: 3, replayed: 2, unknown: 1, reused: 1 })
    expect(raised('lorgnette_push_bytes_sum')).toBeGreaterThan(7 * 200)
  })

  test('a pull raises its rows and bytes, by collection', async () => {
    const before = await read()
    const { rows } = await tablet.pull('frames')
    const after = await read()
    const frames = { collection: 'frames' }
    expect(valueOf(after, 'lorgnette_pull_rows_sum', frames) - valueOf(before, 'lorgnette_pull_rows_sum', frames)).toBe(rows.length)
    expect(valueOf(after, 'lorgnette_pull_bytes_sum', frames)).toBeGreaterThan(rows.length * 20)
  })

  test('a stream of events is open until it ends', async () => {
    const hangUp = new AbortController()
    const open = async () => valueOf(await read(), 'lorgnette_event_streams')
    const answer = await server.app.request(
      new Request('http://clinic/api/sync/events', {
        headers: { authorization: `Bearer ${tablet.session.access_token}` },
        signal: hangUp.signal,
      }),
    )
    expect(await open()).toBe(1)
    hangUp.abort()
    await answer.body?.cancel().catch(() => undefined)
    expect(await open()).toBe(0)
  })

  test('tell the oldest unsent work, as tablets report it', async () => {
    await tablet.push([], { holds: [{ lane: 'count:x', unsent: 3 }], oldest_unsent_s: 600 })
    server.clock.advance(30_000)
    const families = await read()
    expect(valueOf(families, 'lorgnette_oldest_unsent_age_seconds')).toBe(630)
    expect(valueOf(families, 'lorgnette_unsent_commands')).toBe(3)
    expect(valueOf(families, 'lorgnette_tablets_holding')).toBe(1)
    await tablet.push([])
    expect(valueOf(await read(), 'lorgnette_oldest_unsent_age_seconds')).toBe(0)
  })

  test('hold nothing of people, tablets, stores or work', async () => {
    const sheet = await tablet.createSheet()
    await tablet.push([tablet.scan(sheet, 'SECRET-CODE')], { open_sheets: [sheet], device_name: 'Secret tablet' })
    await server.request('GET', '/api/inventory/lookup?code=SECRET-CODE', { token: tablet.session.access_token })
    await server.request('POST', '/api/auth/login', { body: { username: 'nobody@secret.example', password: 'x', recaptcha_token: 'x' } })
    await server.request('GET', '/patients/secret-name/rx')
    const text = await textOf()
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/i)
    expect(text).not.toMatch(/secret|halvorsen|okonjo|maya|\bben\b|ipad|downtown|eastside|example/i)
  })

  test('have only labels that are known beforehand', async () => {
    const allowed: Record<string, (value: string) => boolean> = {
      method: (value) => /^([A-Z]+|other)$/.test(value),
      route: (value) =>
        Object.values(endpoints).some(({ path }) => path === value) || ['other', '/metrics', 'app file', 'missing file'].includes(value),
      status: (value) => /^[1-5]\d\d$/.test(value),
      kind: (value) => /^[a-z]+\.[a-z-]+$/.test(value),
      code: (value) => /^[a-z-]+$/.test(value),
      collection: (value) => /^[a-z_]+$/.test(value),
      state: (value) => ['open', 'idle', 'waiting'].includes(value),
      le: () => true,
    }
    const odd = [...(await read()).values()].flatMap(({ samples }: Family) =>
      samples.flatMap(({ name, labels }) =>
        Object.entries(labels)
          .filter(([label, value]) => !allowed[label]?.(value))
          .map((pair) => [name, ...pair]),
      ),
    )
    expect(odd).toEqual([])
  })
})

describe('who may read them', () => {
  const statusOf = async (asked: TestServer, options: Parameters<TestServer['request']>[2] = {}) =>
    (await asked.request('GET', '/metrics', options)).status

  test('with a configured token, who brings it and nobody else: not even this machine, nor a signed-in manager', async () => {
    expect(await statusOf(server, { token })).toBe(200)
    expect(await statusOf(server, { token, address: '203.0.113.9' })).toBe(200)
    expect(await statusOf(server)).toBe(404)
    expect(await statusOf(server, { token: `${token}x` })).toBe(404)
    expect(await statusOf(server, { token: (await server.signIn('maya')).access_token })).toBe(404)
  })

  test('without one this machine, unless something is passed on by it', async () => {
    const demo = await startTestServer({ config: { mode: 'demo' } })
    try {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8']) expect(await statusOf(demo, { address })).toBe(200)
      for (const address of ['203.0.113.9', '10.0.0.1', '::2', '128.0.0.1']) expect(await statusOf(demo, { address })).toBe(404)
      expect(await statusOf(demo, { headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(404)
      expect(await statusOf(demo, { headers: { forwarded: 'for=127.0.0.1' } })).toBe(404)
    } finally {
      await demo.close()
    }
  })

  test('in production nobody without one', async () => {
    const production = await startTestServer({ config: { mode: 'production' } })
    try {
      const answer = await production.request('GET', '/metrics')
      expect([answer.status, await answer.text()]).toEqual([404, 'Not found'])
    } finally {
      await production.close()
    }
  })
})
