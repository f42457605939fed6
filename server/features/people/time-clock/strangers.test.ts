import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import { sealPunchPassword } from '#src/sync/session/seal.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const { punchReview } = timeCardEndpoints
const tablet = '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01'
let server: TestServer
let publicKey = { key_id: '', public_key: '' }
/** Proof of the tablet on which Maya signed in. */
let proof: Record<string, string> = {}
let managerToken = ''

beforeAll(async () => {
  server = await startTestServer({ config: { accessTokenSeconds: 7 * 86_400 } })
  publicKey = await (await server.request('GET', '/api/timecard/sealing-key')).json()
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const table of ['punch_reviews', 'receipts', 'punches'] as const) await server.db.pool.deleteFrom(table).execute()
  await forgetSignIns(server)
  const maya = await server.signIn('maya', tablet)
  managerToken = maya.access_token
  proof = { 'lorgnette-tablet': maya.device_token ?? '' }
})

/** A queued punch. `isUnread`: sealed to a key that the server does not have. */
async function queued({ username = 'ben', password = seedPassword, isUnread = false } = {}) {
  const id = randomUUID()
  return {
    id,
    version: 1,
    username,
    direction: 'in',
    sealed_password: isUnread
      ? Buffer.alloc(120, 7).toString('base64url')
      : await sealPunchPassword(password, publicKey.public_key, { id, username, direction: 'in' }),
    key_id: publicKey.key_id,
    store_id: 1,
    lane_seq: 1,
    device_id: tablet,
    author: { id_user: null, name: username },
    captured: {
      wall: new Date(server.clock.now()).toISOString(),
      time_zone: 'America/New_York',
      server_offset_ms: 0,
      monotonic_ms: 5,
    },
    live: false,
  }
}
const send = (body: unknown, address: string, headers: Record<string, string> = {}) =>
  server.request('POST', '/api/timecard/check', { body, address, headers })
const statuses = async (count: number, punch: () => Promise<unknown>, address: (at: number) => string, headers = {}) => {
  const told: number[] = []
  for (let at = 0; at < count; at++) told.push((await send(await punch(), address(at), headers)).status)
  return told
}
const accepted = (told: readonly number[]) => told.filter((status) => status === 200).length
const waiting = async () => await server.db.pool.selectFrom('punch_reviews').select('punch_id').where('resolved_at', 'is', null).execute()

describe('unproven punches', () => {
  test('a stranger gets three punches per person and ten in all into the list within an hour, and then has to wait', async () => {
    const unread = (username: string) => async () => await queued({ username, isUnread: true })
    expect(accepted(await statuses(12, unread('ben'), () => '10.5.0.1'))).toBe(3)
    expect(accepted(await statuses(5, unread('ana'), () => '10.5.0.1'))).toBe(3)
    let names = 0
    expect(
      accepted(
        await statuses(
          20,
          async () => await queued({ username: `nobody ${names++}`, isUnread: true }),
          () => '10.5.0.1',
        ),
      ),
    ).toBe(4)
    const refused = await send(await queued({ isUnread: true }), '10.5.0.1')
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(await refused.json()).toMatchObject({ code: 'login-blocked', error: expect.stringContaining('kept on the tablet') })
    server.clock.advance(3_600_000)
    expect((await send(await queued({ isUnread: true }), '10.5.0.1')).status).toBe(200)
  })

  test('all strangers together get twenty into the list in an hour and sixty in a day', async () => {
    let day = 0
    for (let hour = 0; hour < 5; hour++) {
      const told = await statuses(
        40,
        async () => await queued({ username: `n${randomUUID()}`, isUnread: true }),
        (at) => `10.${hour}.${at}.1`,
      )
      day += accepted(told)
      expect(accepted(told)).toBeLessThanOrEqual(20)
      server.clock.advance(3_600_000)
    }
    expect(day).toBe(60)
    expect(await waiting()).toHaveLength(60)
  })

  test('a known tablet still has its own limit, ten per person in an hour', async () => {
    await statuses(
      40,
      async () => await queued({ username: `n${randomUUID()}`, isUnread: true }),
      (at) => `10.1.${at}.1`,
    )
    expect(
      accepted(
        await statuses(
          14,
          async () => await queued({ isUnread: true }),
          () => '10.1.0.1',
          proof,
        ),
      ),
    ).toBe(10)
    expect((await send(await queued({ username: 'ana', isUnread: true }), '10.1.0.1', proof)).status).toBe(200)
  })

  test('a punch with the right password is accepted during all that, even from an app without device tokens', async () => {
    await statuses(
      20,
      async () => await queued({ isUnread: true }),
      () => '10.5.0.1',
    )
    expect((await send(await queued(), '10.5.0.1')).status).toBe(200)
    expect((await send(await queued({ username: 'ana' }), '10.5.0.1', proof)).status).toBe(200)
  })

  test('a stranger’s wrong passwords delay nobody’s punches on a known tablet', async () => {
    await statuses(
      8,
      async () => await queued({ password: 'wrong' }),
      () => '10.5.0.1',
    )
    for (let slip = 0; slip < 8; slip++) await send({ username: 'ben', password: 'wrong' }, '10.5.0.1')
    expect((await send({ username: 'ben', password: seedPassword }, '10.5.0.1')).status).toBe(429)
    expect((await send({ username: 'ben', password: seedPassword }, '10.5.0.1', proof)).status).toBe(200)
    expect((await send({ username: 'ben', password: seedPassword }, '10.6.0.1')).status).toBe(200)
    expect((await send(await queued(), '10.5.0.1', proof)).status).toBe(200)
  })

  test('the server refuses a body larger than any punch', async () => {
    const answer = await send({ ...(await queued()), note: 'x'.repeat(9000) }, '10.5.0.1', proof)
    expect(answer.status).toBe(413)
  })
})

describe('the review list', () => {
  const review = async () =>
    v.parse(punchReview.response, await (await server.request('GET', '/api/timecard/review?resolved=no', { token: managerToken })).json())
      .entries

  test('shows many unproven punches of one name as one, and a manager rejects them together', async () => {
    for (let hour = 0; hour < 2; hour++) {
      await statuses(
        10,
        async () => await queued({ isUnread: true }),
        () => '10.1.0.1',
        proof,
      )
      server.clock.advance(3_600_000)
    }
    await send(await queued({ username: 'ana', isUnread: true }), '10.1.0.1', proof)
    const listed = await review()
    expect(listed.map(({ username, repeats }) => [username, repeats?.ids.length])).toEqual([
      ['ben', 19],
      ['ana', undefined],
    ])
    const [first] = listed
    const body = { resolution: 'rejected', reason: 'Nobody here made them', repeats: first?.repeats?.ids }
    const answer = await server.request('POST', `/api/timecard/review/${first?.id}`, { token: managerToken, body })
    expect(answer.status).toBe(200)
    expect((await review()).map(({ username }) => username)).toEqual(['ana'])
  })

  test('does not group a shift or two with a wrong password', async () => {
    for (let at = 0; at < 3; at++) await send(await queued({ isUnread: true }), '10.1.0.1', proof)
    expect((await review()).map(({ repeats }) => repeats)).toEqual([undefined, undefined, undefined])
  })
})

describe('the question whether somebody is clocked in', () => {
  const ask = (username: string, address: string, headers = {}) =>
    server.request('GET', `/api/timecard/session_status?username=${username}`, { address, headers })

  test('is limited to six a minute for a stranger, about all users together', async () => {
    const told = []
    for (const name of ['maya', 'ben', 'ana', 'nobody', 'ben', 'ana', 'maya', 'ben']) told.push((await ask(name, '10.7.0.1')).status)
    expect(told).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    expect((await ask('ben', '10.7.0.1')).headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('is always answered for a known tablet, even while strangers ask', async () => {
    for (let at = 0; at < 10; at++) await ask('ben', '10.7.0.2')
    for (let at = 0; at < 20; at++) expect((await ask('ben', '10.7.0.2', proof)).status).toBe(200)
  })

  test('gets one answer for an unknown name and a clocked-out person', async () => {
    expect(await (await ask('nobody', '10.7.0.3')).json()).toEqual(await (await ask('ben', '10.7.0.3')).json())
  })
})

test('the manager’s access token is no device token', async () => {
  const headers = { 'lorgnette-tablet': managerToken }
  expect(
    accepted(
      await statuses(
        5,
        async () => await queued({ isUnread: true }),
        () => '10.8.0.1',
        headers,
      ),
    ),
  ).toBe(3)
})
