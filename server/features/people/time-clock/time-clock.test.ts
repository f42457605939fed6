import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Receipt } from '#contract/sync/sync.ts'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import { sealPunchPassword } from '#src/sync/session/seal.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { startTestServer, testClock, type TestServer } from '#tests/support/test-server.ts'

const morning = '2026-11-20T14:00:00.000Z'
const clock = testClock(morning)
let server: TestServer
let publicKey = { key_id: '', public_key: '' }
let managerToken = ''
let deviceToken = ''

beforeAll(async () => {
  server = await startTestServer({ clock, config: { accessTokenSeconds: 7 * 86_400 } })
  publicKey = await (await server.request('GET', '/api/timecard/sealing-key')).json()
})
afterAll(() => server.close())
beforeEach(async () => {
  const { pool } = server.db
  for (const table of ['punch_reviews', 'receipts', 'sign_in_failures'] as const) await pool.deleteFrom(table).execute()
  await pool.updateTable('punches').set({ supersedes: null }).execute()
  await pool.deleteFrom('punches').execute()
  clock.set(morning)
  const maya = await server.signIn('maya', '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01')
  managerToken = maya.access_token
  deviceToken = maya.device_token ?? ''
})

type Made = {
  username?: string
  password?: string
  direction?: 'in' | 'out'
  live?: boolean
  wall?: string
  offset?: number | null
  id?: string
}

/** A punch as a tablet sends it. */
async function sealed({ username = 'ben', password = seedPassword, direction = 'in', live = false, wall, offset = 0, id }: Made = {}) {
  const punchId = id ?? randomUUID()
  return {
    id: punchId,
    version: 1,
    username,
    direction,
    sealed_password: await sealPunchPassword(password, publicKey.public_key, { id: punchId, username, direction }),
    key_id: publicKey.key_id,
    store_id: 1,
    lane_seq: 1,
    device_id: '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01',
    author: { id_user: null, name: username },
    captured: {
      wall: wall ?? new Date(clock.now()).toISOString(),
      time_zone: 'America/New_York',
      server_offset_ms: offset,
      monotonic_ms: 5,
    },
    live,
  }
}

async function send(body: unknown, headers: Record<string, string> = {}, address = '10.0.0.1') {
  const answer = await server.request('POST', '/api/timecard/check', { body, headers, address })
  return { status: answer.status, body: await answer.json() }
}

async function status(username: string) {
  const headers = { 'lorgnette-tablet': deviceToken }
  return await (await server.request('GET', `/api/timecard/session_status?username=${encodeURIComponent(username)}`, { headers })).json()
}

async function review(resolved = 'no'): Promise<ReviewEntry[]> {
  const answer = await server.request('GET', `/api/timecard/review?resolved=${resolved}`, { token: managerToken })
  return (await answer.json()).entries
}

async function resolve(id: string, body: Record<string, unknown>) {
  const answer = await server.request('POST', `/api/timecard/review/${id}`, { token: managerToken, body: { reason: 'asked Ben', ...body } })
  return { status: answer.status, body: await answer.json() }
}

async function rows() {
  return await server.db.pool.selectFrom('punches').selectAll().orderBy('at').orderBy('received_at').execute()
}

const hour = 3_600_000

describe('the plain form', () => {
  test('the open session decides the direction, and times are in the store’s time zone', async () => {
    expect(await status('ben')).toEqual({ time: null, session: false, since: null })
    const into = await send({ username: 'Ben ', password: seedPassword })
    expect(into.body).toMatchObject({ time: '09:00 20-11-2026', session: true, first_name: 'Ben', direction: 'in', worked_minutes: null })
    expect(await status('ben@lorgnette.example')).toEqual({ time: '09:00 20-11-2026', session: true, since: morning })
    clock.advance(3 * hour + 59_000)
    const out = await send({ username: 'ben', password: seedPassword })
    expect(out.body).toMatchObject({ session: false, direction: 'out', worked_minutes: 180, already: false })
    expect(await status('ben')).toMatchObject({ session: false })
  })

  test('repeated with the same Idempotency-Key it counts once and gets the same answer', async () => {
    for (const key of [randomUUID(), 'punch-of-ben/1']) {
      const first = await send({ username: 'ben', password: seedPassword }, { 'idempotency-key': key })
      clock.advance(1000)
      const second = await send({ username: 'ben', password: seedPassword }, { 'idempotency-key': key })
      expect(second).toEqual(first)
      clock.advance(1000)
    }
    expect((await rows()).map((row) => row.direction)).toEqual(['in', 'out'])
  })

  test('a wrong password and an unknown name get the same answer, and the third failure blocks for a minute', async () => {
    const wrong = await send({ username: 'ben', password: 'no' })
    const unknown = await send({ username: 'nobody', password: 'no' }, {}, '10.0.0.2')
    expect(wrong).toEqual(unknown)
    expect(wrong).toMatchObject({ status: 401, body: { code: 'punch-wrong' } })
    await send({ username: 'ben', password: 'no' })
    await send({ username: 'ben', password: 'no' })
    const blocked = await send({ username: 'ben', password: seedPassword })
    expect(blocked).toMatchObject({ status: 429, body: { code: 'login-blocked', retry_after_s: 60 } })
    clock.advance(61_000)
    expect((await send({ username: 'ben', password: seedPassword })).status).toBe(200)
    expect(await rows()).toHaveLength(1)
  })

  test('after 16 hours a forgotten session does not block the next morning', async () => {
    await send({ username: 'ben', password: seedPassword })
    clock.advance(24 * hour)
    expect(await status('ben')).toMatchObject({ session: false })
    expect((await send({ username: 'ben', password: seedPassword })).body).toMatchObject({ direction: 'in', session: true })
  })
})

describe('a live sealed punch', () => {
  test('clocks in, and an hour later out', async () => {
    const into = await send(await sealed({ live: true }))
    expect(into.body).toMatchObject({ direction: 'in', session: true, first_name: 'Ben', already: false })
    expect(into.body.receipt).toMatchObject({ outcome: 'applied', rows: [] })
    clock.advance(hour)
    expect((await send(await sealed({ live: true, direction: 'out' }))).body).toMatchObject({ session: false, worked_minutes: 60 })
  })

  test('counts when it arrives, regardless of the tablet’s clock', async () => {
    await send(await sealed({ live: true, wall: '2020-01-01T00:00:00.000Z', offset: null }))
    expect((await rows()).map((row) => [row.at, row.in_review])).toEqual([[morning, false]])
    expect(await review()).toEqual([])
  })

  test('in while in changes nothing and returns the start of the session, and so does out while out', async () => {
    await send(await sealed({ live: true }))
    clock.advance(hour)
    const again = await send(await sealed({ live: true }))
    expect(again.body).toMatchObject({ already: true, session: true, time: '09:00 20-11-2026', worked_minutes: null })
    await send(await sealed({ live: true, direction: 'out' }))
    clock.advance(hour)
    expect((await send(await sealed({ live: true, direction: 'out' }))).body).toMatchObject({ already: true, session: false })
    expect(await rows()).toHaveLength(2)
    expect(await review()).toEqual([])
  })

  test('with a wrong password leaves nothing behind', async () => {
    const punch = await sealed({ live: true, password: 'wrong' })
    expect(await send(punch)).toMatchObject({ status: 401, body: { code: 'punch-wrong' } })
    expect(await rows()).toEqual([])
    expect(await server.db.pool.selectFrom('receipts').selectAll().execute()).toEqual([])
  })

  test('a seal that was moved to another name or direction does not open', async () => {
    const punch = await sealed({ live: true })
    for (const forged of [
      { ...punch, username: 'ana' },
      { ...punch, direction: 'out' },
      { ...punch, id: randomUUID() },
      { ...punch, sealed_password: 'AAAA' },
    ]) {
      expect(await send(forged)).toMatchObject({ status: 422, body: { code: 'punch-sealed-unreadable' } })
    }
  })

  test('whose answer was lost, and that comes again from the queue, is one punch', async () => {
    const punch = await sealed({ live: true })
    const first = await send(punch)
    clock.advance(hour)
    const again = await send({ ...punch, live: false, lane_seq: 7 }, { 'idempotency-key': punch.id })
    expect(again.status).toBe(200)
    expect(again.body.receipt).toEqual(first.body.receipt)
    expect(await rows()).toHaveLength(1)
  })

  test('without effect, whose answer was lost, goes to a manager when it comes from the queue', async () => {
    const punch = await sealed({ live: true, direction: 'out' })
    const first = await send(punch)
    expect(first.body.already).toBe(true)
    expect(await rows()).toEqual([])
    clock.advance(60_000)
    for (let times = 0; times < 2; times += 1) {
      const again = await send({ ...punch, live: false, lane_seq: 7 })
      expect(again.body.receipt).toEqual(first.body.receipt)
    }
    expect((await rows()).map(({ id, at, in_review }) => [id, at, in_review])).toEqual([[punch.id, morning, true]])
    expect((await review()).map(({ reasons }) => reasons)).toEqual([['double']])
  })

  test('sent twenty times at once is one punch with one receipt', async () => {
    const punch = await sealed({ live: true })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(punch)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.receipt))).size).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  test('from two tablets at once clocks in once, and the other tablet learns of it', async () => {
    const answers = await Promise.all([send(await sealed({ live: true })), send(await sealed({ live: true }))])
    expect(new Set(answers.map((answer) => answer.body.already))).toEqual(new Set([false, true]))
    expect(await rows()).toHaveLength(1)
  })

  test('with the id of another punch is refused', async () => {
    const punch = await sealed({ live: true })
    await send(punch)
    const other = await sealed({ live: true, direction: 'out', id: punch.id })
    expect(await send(other)).toMatchObject({ status: 409, body: { code: 'key-reused' } })
    expect(await send(punch, { 'idempotency-key': randomUUID() })).toMatchObject({ status: 422, body: { code: 'request-invalid' } })
  })
})

describe('a queued sealed punch', () => {
  test('counts when it happened, by the server’s clock', async () => {
    clock.advance(10 * hour)
    const into = await sealed({ wall: '2026-11-20T13:59:00.000Z', offset: 60_000 })
    await send(into)
    await send(await sealed({ direction: 'out', wall: '2026-11-20T16:59:00.000Z', offset: 60_000 }))
    const made = await rows()
    expect(made.map((row) => [row.direction, row.at, row.offline_captured, row.in_review])).toEqual([
      ['in', morning, true, false],
      ['out', '2026-11-20T17:00:00.000Z', true, false],
    ])
    expect(await review()).toEqual([])
  })

  test('gets the same answer whether or not name and password are right', async () => {
    const answers = await Promise.all([sealed(), sealed({ password: 'wrong', username: 'ana' }), sealed({ username: 'nobody' })])
    const bodies = []
    for (const punch of answers) {
      const { status: code, body } = await send(punch)
      const { receipt, ...rest } = body
      const { id: _id, body_hash: _hash, number: _number, ...same } = receipt as Receipt
      bodies.push({ code, rest, same })
    }
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
    expect((await review()).map((entry) => [entry.username, entry.person_name, entry.reasons])).toEqual(
      expect.arrayContaining([
        ['ana', 'Ana Teixeira', ['wrong-password']],
        ['nobody', null, ['unknown-person']],
      ]),
    )
  })

  test('never shows its password: not in the database, not in the log', async () => {
    await send(await sealed({ password: 'Tr0ub4dor-secret' }))
    const everything = JSON.stringify([
      await rows(),
      await server.db.pool.selectFrom('receipts').selectAll().execute(),
      await review(),
      server.logged,
    ])
    expect(everything).not.toContain('Tr0ub4dor')
  })

  test('from a clock that is off or was never compared goes to a manager', async () => {
    clock.advance(2 * hour)
    await send(await sealed({ wall: '2026-11-20T13:55:00.000Z', offset: 300_000 }))
    await send(await sealed({ username: 'ana', wall: morning, offset: null }))
    const entries = await review()
    expect(entries.map((entry) => [entry.username, entry.reasons, entry.skew_ms])).toEqual(
      expect.arrayContaining([
        ['ben', ['skewed'], 300_000],
        ['ana', ['skewed'], null],
      ]),
    )
    // The server corrects a measured error and counts the punch. An unmeasured one waits.
    expect(
      (await rows()).map((row) => [row.username, row.at, row.in_review]).toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    ).toEqual([
      ['ana', morning, true],
      ['ben', morning, false],
    ])
  })

  test('from a clock ahead of the server waits, and so does one with a senseless clock', async () => {
    await send(await sealed({ wall: '2031-01-01T00:00:00.000Z', offset: 0 }))
    await send(await sealed({ username: 'ana', wall: morning, offset: 1e300 }))
    expect((await rows()).map((row) => row.in_review)).toEqual([true, true])
  })

  test('that is late and out of order is inserted where it happened, and shown to a manager', async () => {
    clock.advance(3 * hour)
    await send(await sealed({ live: true, direction: 'in' }))
    clock.advance(hour)
    await send(await sealed({ direction: 'in', wall: '2026-11-20T14:00:00.000Z' }))
    await send(await sealed({ direction: 'out', wall: '2026-11-20T15:00:00.000Z' }))
    expect((await review()).map((entry) => entry.reasons)).toEqual([['late'], ['late']])
    expect((await rows()).every((row) => !row.in_review)).toBe(true)
    expect(await status('ben')).toMatchObject({ session: true, since: '2026-11-20T17:00:00.000Z' })
  })

  test('that is a double goes to the list, and a clock-out after a held clock-in does not', async () => {
    await send(await sealed({ live: true }))
    clock.advance(2 * hour)
    await send(await sealed({ wall: '2026-11-20T15:00:00.000Z' }))
    expect((await review()).map((entry) => entry.reasons)).toEqual([['double']])
    await send(await sealed({ username: 'ana', wall: '2026-11-20T14:10:00.000Z', offset: null }))
    await send(await sealed({ username: 'ana', direction: 'out', wall: '2026-11-20T15:10:00.000Z', offset: 0 }))
    const ofAna = (await review()).filter((entry) => entry.username === 'ana')
    expect(ofAna.map((entry) => [entry.direction, entry.reasons])).toEqual([['in', ['skewed']]])
  })

  test('of a person with three wrong passwords waits, and neither others nor live punches do', async () => {
    for (let n = 0; n < 3; n++) await send(await sealed({ password: 'wrong', username: 'ben' }))
    const waiting = await sealed({ username: 'ben' })
    expect(await send(waiting)).toMatchObject({ status: 429, body: { code: 'login-blocked' } })
    expect((await send(await sealed({ username: 'ana' }))).status).toBe(200)
    expect((await send({ username: 'ben', password: seedPassword })).status).toBe(200)
    clock.advance(61_000)
    expect((await send(waiting)).status).toBe(200)
  })

  test('an invalid body is refused field by field', async () => {
    const punch = await sealed()
    for (const wrong of [
      {},
      { ...punch, direction: 'sideways' },
      { ...punch, id: 'one' },
      { ...punch, captured: null },
      { username: '', password: '' },
    ]) {
      expect((await send(wrong)).status).toBe(422)
    }
    expect(await send({ ...punch, version: 99 })).toMatchObject({ body: { code: 'command-unknown' } })
    expect(await rows()).toEqual([])
  })
})

describe('the manager', () => {
  test('accepts: the punch counts unchanged', async () => {
    const punch = await sealed({ offset: null })
    await send(punch)
    clock.advance(hour)
    expect(await status('ben')).toMatchObject({ session: false })
    const resolved = await resolve(punch.id, { resolution: 'accepted' })
    expect(resolved.body).toMatchObject({ resolution: 'accepted', resolved_by_name: 'Maya Okonjo', resolution_reason: 'asked Ben' })
    expect(await status('ben')).toMatchObject({ session: true, since: morning })
    expect(await review()).toEqual([])
    expect((await review('recent')).map((entry) => entry.id)).toEqual([punch.id])
  })

  test('corrects: a new row supersedes the raw punch, which stays', async () => {
    const punch = await sealed({ offset: null })
    await send(punch)
    await resolve(punch.id, { resolution: 'corrected', direction: 'in', at: '2026-11-20T13:30:00.000Z' })
    const made = await rows()
    expect(made.map((row) => [row.at, row.supersedes, row.edit_reason])).toEqual([
      ['2026-11-20T13:30:00.000Z', punch.id, 'asked Ben'],
      [morning, null, null],
    ])
    expect(await status('ben')).toMatchObject({ since: '2026-11-20T13:30:00.000Z' })
  })

  test('rejects: a new row makes the punch void', async () => {
    const punch = await sealed({ password: 'wrong' })
    await send(punch)
    await resolve(punch.id, { resolution: 'rejected' })
    expect((await rows()).map((row) => [row.direction, row.in_review])).toEqual([
      ['in', false],
      ['void', false],
    ])
    expect(await status('ben')).toMatchObject({ session: false })
  })

  test('assigns the punch of an unknown name to a person, or rejects it', async () => {
    const first = await sealed({ username: 'bne' })
    const second = await sealed({ username: 'xyz' })
    await send(first)
    await send(second)
    expect(await resolve(first.id, { resolution: 'accepted' })).toMatchObject({ status: 422 })
    expect((await resolve(first.id, { resolution: 'accepted', id_user: server.seed.users.ben.id_user })).status).toBe(200)
    expect(await status('ben')).toMatchObject({ session: true })
    expect((await resolve(second.id, { resolution: 'rejected' })).body).toMatchObject({ resolution: 'rejected', person_name: null })
    expect(await review()).toEqual([])
  })

  test('sees sessions open for more than 16 hours and adds the clock-out', async () => {
    const into = await sealed({ live: true })
    await send(into)
    clock.advance(15 * hour)
    expect(await review()).toEqual([])
    clock.advance(2 * hour)
    expect((await review()).map((entry) => [entry.id, entry.reasons])).toEqual([[into.id, ['open-16-hours']]])
    await resolve(into.id, { resolution: 'corrected', direction: 'out', at: '2026-11-20T22:00:00.000Z' })
    expect(await review()).toEqual([])
    expect((await rows()).map((row) => [row.direction, row.at])).toEqual([
      ['in', morning],
      ['out', '2026-11-20T22:00:00.000Z'],
    ])
  })

  test('who decides second gets a refusal', async () => {
    const punch = await sealed({ offset: null })
    await send(punch)
    const answers = await Promise.all([resolve(punch.id, { resolution: 'accepted' }), resolve(punch.id, { resolution: 'rejected' })])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]))
  })

  test('who decides second on a punch of an unknown name gets a refusal too', async () => {
    const punch = await sealed({ username: 'xyz' })
    await send(punch)
    const answers = await Promise.all([resolve(punch.id, { resolution: 'rejected' }), resolve(punch.id, { resolution: 'rejected' })])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]))
  })

  test('corrects any punch with a reason, once, and never into another session', async () => {
    const into = await sealed({ live: true })
    await send(into)
    clock.advance(4 * hour)
    await send(await sealed({ live: true, direction: 'out' }))
    const correct = async (body: Record<string, unknown>) => {
      const answer = await server.request('POST', '/api/timecard/corrections', { token: managerToken, body })
      return { status: answer.status, body: await answer.json() }
    }
    const ben = server.seed.users.ben.id_user
    const base = {
      id: randomUUID(),
      supersedes: into.id,
      id_user: ben,
      direction: 'in',
      at: '2026-11-20T13:45:00.000Z',
      reason: 'was in earlier',
    }
    expect((await correct({ ...base, reason: ' ' })).status).toBe(422)
    const first = await correct(base)
    expect(first.body).toMatchObject({ edited_by_name: 'Maya Okonjo', edit_reason: 'was in earlier', supersedes: into.id })
    expect(await correct(base)).toEqual(first)
    expect(await correct({ ...base, at: morning })).toMatchObject({ status: 409, body: { code: 'key-reused' } })
    expect(await correct({ ...base, id: randomUUID() })).toMatchObject({ status: 409, body: { code: 'punch-overlap' } })
    const inside = { ...base, id: randomUUID(), supersedes: null, at: '2026-11-20T15:00:00.000Z' }
    expect(await correct(inside)).toMatchObject({ status: 409, body: { code: 'punch-overlap' } })
    expect(await correct({ ...base, id: randomUUID(), supersedes: randomUUID() })).toMatchObject({ body: { code: 'punch-unknown' } })
    expect((await correct({ ...base, id: randomUUID(), supersedes: null, at: '2027-01-01T00:00:00.000Z' })).status).toBe(422)

    const query = `id_user=${ben}&from=2026-11-20T00:00:00.000Z&to=2026-11-21T00:00:00.000Z`
    const entries = await (await server.request('GET', `/api/timecard/entries?${query}`, { token: managerToken })).json()
    expect(entries.punches).toHaveLength(3)
  })

  test('reviews the people of their own stores, and other roles review nobody', async () => {
    const { people } = await (await server.request('GET', '/api/timecard/people', { token: managerToken })).json()
    expect(people.map((person: { username: string }) => person.username)).toEqual(['ana', 'ben', 'maya'])
    const clerk = (await server.signIn('ben')).access_token
    for (const path of [
      '/api/timecard/people',
      '/api/timecard/review',
      '/api/timecard/entries?id_user=1&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z',
    ]) {
      expect((await server.request('GET', path, { token: clerk })).status).toBe(403)
    }
    const ben = server.seed.users.ben.id_user
    await server.db.pool
      .deleteFrom('user_stores')
      .where('id_user', '=', server.seed.users.maya.id_user)
      .where('store_id', '<>', 3)
      .execute()
    await server.db.pool
      .updateTable('user_stores')
      .set({ store_id: 2 })
      .where('id_user', '=', ben)
      .where('store_id', '=', 3)
      .execute()
      .catch(() => undefined)
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', ben).where('store_id', '=', 3).execute()
    managerToken = (await server.signIn('maya')).access_token
    const punch = await sealed({ password: 'wrong' })
    await send(punch)
    expect(await review()).toEqual([])
    expect(await resolve(punch.id, { resolution: 'accepted' })).toMatchObject({ status: 404, body: { code: 'punch-unknown' } })
  })
})
