import { v7 as uuidv7 } from 'uuid'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { WireCommand } from '#contract/sync/commands.ts'
import { type HeldCommand, heldWorkEndpoints } from '#contract/sync/held-work.ts'
import type { Role } from '#contract/core/roles.ts'
import type { SignedIn } from '#contract/people/session.ts'
import { verifyCaptureToken } from '#server/platform/http/tokens.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
/** Ana works on it, and then Ben signs in. */
let tablet: WireTablet
let ana: SignedIn
let maya: string
let sheet: string
const begun = '2026-11-20T14:00:00.000Z'
const day = 86_400_000

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  server.clock.set(begun)
  await server.db.pool.deleteFrom('held_commands').execute()
  await setPerson('ana', { role_ids: ['optician'], disabled_at: null })
  maya = (await server.signIn('maya')).access_token
  tablet = new WireTablet(server, 'Back room')
  ana = await tablet.signIn('ana')
  sheet = await tablet.createSheet()
  server.clock.advance(1000)
})
afterAll(() => server.close())

const setPerson = (username: string, change: { role_ids?: Role[]; disabled_at?: string | null }) =>
  server.db.pool.updateTable('users').set(change).where('username', '=', username).execute()
const codes = async (...commands: readonly WireCommand[]) =>
  (await tablet.push(commands)).map((receipt) => receipt.error?.code ?? receipt.outcome)
const revoke = (id: string) => server.request('POST', `/api/settings/tablets/${id}/revoke`, { token: maya })
const listHeld = async (token = maya): Promise<HeldCommand[]> =>
  v.parse(heldWorkEndpoints.listHeldWork.response, await (await server.request('GET', '/api/settings/held-work', { token })).json()).held
async function decide(decision: 'apply' | 'discard', commands: readonly { id: string }[], more: { token?: string; reason?: string } = {}) {
  const body = { ids: commands.map(({ id }) => id), decision, reason: more.reason ?? 'I asked Ana' }
  return await server.request('POST', '/api/settings/held-work/decide', { token: more.token ?? maya, body })
}
const decided = async (...asked: Parameters<typeof decide>) =>
  v.parse(heldWorkEndpoints.decideHeldWork.response, await (await decide(...asked)).json())
const anasScan = (code: string, more: Partial<WireCommand> = {}) => tablet.scan(sheet, code, { by: 'ana', ...more })

/** A token in the form of the former server. */
async function olderToken(person: SignedIn): Promise<string> {
  const now = Math.floor(server.clock.now() / 1000)
  return await new SignJWT({ dev: tablet.deviceId, store: person.store_id })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(person.id_user))
    .setAudience('lorgnette-capture')
    .setIssuedAt(now)
    .setExpirationTime(now + 30 * 86_400)
    .sign(server.services.secrets.captureKey)
}

describe('work that another person’s session delivers', () => {
  test('is its author’s when the tablet signed it, and the server stores both people', async () => {
    await tablet.signIn('ben')
    const scan = anasScan('DT-000001')
    expect(await codes(scan)).toEqual(['applied'])
    const receipt = await server.db.pool.selectFrom('receipts').selectAll().where('command_id', '=', scan.id).executeTakeFirstOrThrow()
    const { users } = server.seed
    expect(receipt).toMatchObject({ author_id: users.ana.id_user, deliverer_id: users.ben.id_user })
    expect(server.logged.findLast(({ msg }) => msg === 'push')).toMatchObject({
      id_user: users.ben.id_user,
      authors: [users.ana.id_user],
    })
  })

  test('is refused when it carries a copied proof and nobody signed it', async () => {
    await tablet.signIn('ben')
    const scan = anasScan('DT-000001')
    expect(await codes({ ...scan, signature: null })).toEqual(['capture-token-invalid'])
    const stranger = new WireTablet(server, 'Elsewhere')
    stranger.newKey()
    const forged = stranger.signed({ ...tablet.signed(scan), signature: 'A'.repeat(86) })
    expect(await codes(forged)).toEqual(['capture-token-invalid'])
    expect(await listHeld()).toEqual([])
  })

  test.each([
    ['body', (made: WireCommand) => ({ ...made, body: { ...made.body, raw_code: 'DT-000009' } })],
    ['place', (made: WireCommand) => ({ ...made, lane_seq: made.lane_seq + 1 })],
    ['lane', (made: WireCommand) => ({ ...made, lane: `count:${uuidv7()}` })],
    ['id', (made: WireCommand) => ({ ...made, id: uuidv7() })],
  ])('is refused when its %s is another than was signed', async (_, change) => {
    const made = tablet.signed(anasScan('DT-000001'))
    await tablet.signIn('ben')
    expect(await codes(change(made))).toEqual(['capture-token-invalid'])
  })

  test('waits for its author when the sign-in had no key', async () => {
    tablet = new WireTablet(server, 'Plain http')
    await tablet.signIn('ana', false)
    sheet = await tablet.createSheet()
    const scan = anasScan('DT-000001')
    await tablet.signIn('ben')
    expect(await codes(scan)).toEqual(['author-absent'])
    await tablet.signIn('ana', false)
    expect(await codes(scan)).toEqual(['applied'])
  })

  test('needs its author’s own session to close or delete, signed or not', async () => {
    const managed = await tablet.signIn('maya')
    const close = tablet.command('count.close', { id_count_sheet: sheet, confirmed_missing: 0, override_devices: null, searched: true })
    const remove = tablet.command('count.delete', { id_count_sheet: sheet })
    const older = { ...remove, id: uuidv7(), capture_token: await olderToken(managed), signature: null }
    await tablet.signIn('ben')
    expect(await codes(close, remove, older)).toEqual(['author-absent', 'author-absent', 'author-absent'])
    expect(await listHeld()).toEqual([])
    await tablet.signIn('maya')
    expect(await codes(remove)).toEqual(['applied'])
  })
})

describe('an older tablet', () => {
  test('delivers its work until its proof has expired; later work waits for a manager', async () => {
    const proof = { capture_token: await olderToken(ana), signature: null }
    const [soon, late] = [anasScan('DT-000001', proof), anasScan('DT-000002', proof)]
    await tablet.signIn('ben')
    expect(await codes(soon)).toEqual(['applied'])
    server.clock.advance(31 * day)
    await tablet.signIn('ben')
    maya = (await server.signIn('maya')).access_token
    expect(await codes(late)).toEqual(['work-held'])
    expect(await listHeld()).toMatchObject([{ id: late.id, reason: 'proof-old' }])
  })

  test('gets a key with its next refresh, and its former work stays proven', async () => {
    tablet = new WireTablet(server, 'Updated')
    const before = await tablet.signIn('ana', false)
    const key = tablet.newKey()
    const body = { refresh_token: before.refresh_token, device_id: tablet.deviceId, signing_key: key }
    const answer = await (await server.request('POST', '/api/auth/token/refresh', { body })).json()
    expect((await verifyCaptureToken(server.services, answer.capture_token)).key).toEqual(key)
    const home = await (await server.request('GET', `/api/home/home?device_id=${tablet.deviceId}`, { token: answer.access_token })).json()
    expect((await verifyCaptureToken(server.services, home.capture_token)).key).toEqual(key)
  })

  test('gets an error at the field when its key is invalid', async () => {
    const key = { x: 'A'.repeat(43), y: 'A'.repeat(43) }
    const body = { username: 'ana', password: 'lorgnette-demo', recaptcha_token: 'development:login:test', signing_key: key }
    const answer = await server.request('POST', '/api/auth/login', { body })
    expect([answer.status, (await answer.json()).fields[0].path]).toEqual([422, 'body.signing_key'])
  })
})

describe('work that waits for a manager', () => {
  test('includes all work of a revoked tablet, under any session', async () => {
    const scans = [anasScan('DT-000001'), anasScan('DT-000002')]
    expect((await revoke(tablet.deviceId)).status).toBe(200)
    await tablet.signIn('ben')
    expect(await codes(...scans)).toEqual(['work-held', 'work-held'])
    await tablet.signIn('ana')
    expect(await codes(...scans)).toEqual(['work-held', 'work-held'])
    const held = await listHeld()
    expect(held.map(({ code }) => code)).toEqual(['DT-000001', 'DT-000002'])
    expect(held[0]).toMatchObject({
      kind: 'count.scan',
      author_name: 'Ana Teixeira',
      deliverer_name: 'Ben Halvorsen',
      tablet_name: 'Back room',
      store_name: 'Downtown',
      count_number: expect.any(Number),
      reason: 'tablet-revoked',
    })

    expect(await decided('apply', scans)).toEqual({ decided: scans.map(({ id }) => id), refused: [] })
    expect(await listHeld()).toEqual([])
    const rows = await server.db.pool.selectFrom('count_scans').select(['id', 'author_id']).where('id_count_sheet', '=', sheet).execute()
    expect(rows).toEqual(scans.map(({ id }) => ({ id, author_id: ana.id_user })))
    // The tablet sends again, and gets its receipts.
    expect(await codes(...scans)).toEqual(['applied', 'applied'])
  })

  test('does not include work on the tablet after the next sign-in there', async () => {
    await revoke(tablet.deviceId)
    await tablet.signIn('ana')
    const scan = anasScan('DT-000001')
    await tablet.signIn('ben')
    expect(await codes(scan)).toEqual(['applied'])
  })

  test('includes work of a person whose account has ended since', async () => {
    const scan = anasScan('DT-000001')
    server.clock.advance(60_000)
    await setPerson('ana', { disabled_at: new Date(server.clock.now()).toISOString() })
    await tablet.signIn('ben')
    expect(await codes(scan)).toEqual(['work-held'])
    expect(await listHeld()).toMatchObject([{ reason: 'author-disabled' }])
    expect((await decided('apply', [scan])).decided).toEqual([scan.id])
  })

  test('includes work that a person has lost the right to since, also in their own session', async () => {
    const scan = anasScan('DT-000001')
    await setPerson('ana', { role_ids: ['front_desk'] })
    expect(await codes(scan)).toEqual(['work-held'])
    expect(await listHeld()).toMatchObject([{ reason: 'right-lost' }])
    // Work without the right at the time is refused as before.
    await tablet.signIn('ana')
    expect(await codes(anasScan('DT-000002'))).toEqual(['permission-missing'])
  })

  test('is discarded with a reason, once and for all', async () => {
    const scan = anasScan('DT-000001')
    await revoke(tablet.deviceId)
    await tablet.signIn('ben')
    await codes(scan)
    expect((await decide('discard', [scan], { reason: '  ' })).status).toBe(422)
    expect((await decided('discard', [scan], { reason: 'The tablet was stolen' })).decided).toEqual([scan.id])
    expect(await listHeld()).toEqual([])
    expect(await codes(scan)).toEqual(['work-discarded'])
    expect((await decided('apply', [scan])).decided).toEqual([])
    const kept = await server.db.pool.selectFrom('held_commands').selectAll().where('command_id', '=', scan.id).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({
      decision: 'discarded',
      decided_because: 'The tablet was stolen',
      decided_by: server.seed.users.maya.id_user,
    })
  })

  test('says why it cannot be applied, and still waits', async () => {
    const scan = anasScan('DT-000001')
    await revoke(tablet.deviceId)
    await tablet.signIn('ben')
    await codes(scan)
    await server.db.pool.updateTable('count_sheets').set({ deleted_at: begun }).where('id_count_sheet', '=', sheet).execute()
    expect(await decided('apply', [scan])).toMatchObject({ decided: [], refused: [{ id: scan.id, code: 'count-unknown' }] })
    expect(await listHeld()).toMatchObject([{ id: scan.id }])
  })

  test('is for managers of the store', async () => {
    const scan = anasScan('DT-000001')
    await revoke(tablet.deviceId)
    const { access_token: token } = await tablet.signIn('ben')
    await codes(scan)
    expect((await server.request('GET', '/api/settings/held-work', { token })).status).toBe(403)
    expect((await decide('apply', [scan], { token })).status).toBe(403)
    const { maya: manager } = server.seed.users
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', manager.id_user).where('store_id', '=', 1).execute()
    const elsewhere = await server.db.pool
      .updateTable('sessions')
      .set({ store_id: 2 })
      .where('id_user', '=', manager.id_user)
      .returning('id')
      .execute()
    expect(elsewhere.length).toBeGreaterThan(0)
    expect(await listHeld()).toEqual([])
    expect((await decided('apply', [scan])).decided).toEqual([])
    await server.db.pool.insertInto('user_stores').values({ id_user: manager.id_user, store_id: 1 }).execute()
    expect(await listHeld()).toMatchObject([{ id: scan.id }])
  })
})

test('a tablet that has never reported is listed, and can be revoked at once', async () => {
  tablet = new WireTablet(server, 'Silent')
  const { access_token } = await tablet.signIn('ben')
  const list = await (await server.request('GET', '/api/settings/tablets', { token: maya })).json()
  expect(list.tablets).toContainEqual(expect.objectContaining({ id_tablet: tablet.deviceId, name: 'Unnamed tablet', session: 'open' }))
  expect((await revoke(tablet.deviceId)).status).toBe(200)
  expect((await server.request('GET', '/api/home/home', { token: access_token })).status).toBe(401)
})
