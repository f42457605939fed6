import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandVersions, upcasts } from '#contract/sync/commands.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import { reportLimit } from '#contract/sync/sync.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('a push with faults', () => {
  let server: TestServer
  let tablet: WireTablet

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, 'Tablet A')
    await tablet.signIn('ben')
  })
  afterAll(() => server.close())

  const codesOf = async (sheet: string) => {
    const rows = await server.db.pool
      .selectFrom('count_scans')
      .select('raw_code')
      .where('id_count_sheet', '=', sheet)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.raw_code)
  }

  it('one command that the database refuses spoils neither earlier commands nor other lanes', async () => {
    const sheet = await tablet.createSheet()
    const beside = await tablet.createSheet()
    const taken = tablet.scan(sheet, 'TAKEN')
    await tablet.push([taken])
    // Its receipt is gone, and its row is still there: a fault that no check foresees.
    await server.db.pool.deleteFrom('receipts').where('command_id', '=', taken.id).execute()
    const [first, last, elsewhere] = [tablet.scan(sheet, 'FIRST'), tablet.scan(sheet, 'LAST'), tablet.scan(beside, 'ELSEWHERE')]
    const receipts = await tablet.push([first, taken, last, elsewhere])
    expect(receipts.map((receipt) => [receipt.id, receipt.error?.code])).toEqual([
      [first.id, undefined],
      [taken.id, 'server-failed'],
      [elsewhere.id, undefined],
    ])
    expect(await codesOf(sheet)).toEqual(['TAKEN', 'FIRST'])
    expect(await codesOf(beside)).toEqual(['ELSEWHERE'])
  })

  it('a clock that is years off neither stops a scan nor moves it to another walk', async () => {
    const sheet = await tablet.createSheet()
    const captured = (wall: string, server_offset_ms: number | null) => ({ wall, server_offset_ms, time_zone: 'UTC', monotonic_ms: 0 })
    const receipts = await tablet.push([
      tablet.scan(sheet, 'FUTURE', { captured: captured('2999-01-01T00:00:00.000Z', null) }),
      tablet.scan(sheet, 'PAST', { captured: captured('1970-01-01T00:00:00.000Z', null) }),
      tablet.scan(sheet, 'ABSURD', { captured: captured('2026-01-01T00:00:00.000Z', 1e300) }),
      tablet.scan(sheet, 'MEASURED', {
        captured: captured('2001-01-01T00:00:00.000Z', server.clock.now() - Date.parse('2001-01-01T00:00:05.000Z')),
      }),
    ])
    expect(receipts.map((receipt) => receipt.outcome)).toEqual(Array(4).fill('applied'))
    const rows = receipts.map((receipt) => receipt.rows![0]!.row)
    expect(rows.map((row) => row.walk)).toEqual([1, 1, 1, 1])
    const now = new Date(server.clock.now()).toISOString()
    expect([rows[0]!.captured_at, rows[2]!.captured_at]).toEqual([now, now])
    expect(Date.parse(String(rows[3]!.captured_at))).toBe(server.clock.now() - 5000)
  })

  it('names with control characters do not stop the work', async () => {
    const sheet = await tablet.createSheet()
    const scan = tablet.scan(sheet, 'X', { lane: `count:${sheet}\u0000` })
    const [receipt] = await tablet.push([scan], { device_name: 'a\u0000b', open_sheets: [sheet] })
    expect(receipt!.outcome).toBe('applied')
    const device = await server.db.pool
      .selectFrom('count_devices')
      .select('device_name')
      .where('id_count_sheet', '=', sheet)
      .executeTakeFirstOrThrow()
    expect(device.device_name).toBe('ab')
  })

  it('codes that would be dangerous elsewhere are stored unchanged', async () => {
    const sheet = await tablet.createSheet()
    const codes = [`'; drop table frames; --`, '<script>alert(1)</script>', '=HYPERLINK("x")', '\u202etxt', '%_\\', '🤓'.repeat(60)]
    const receipts = await tablet.push(codes.map((code) => tablet.scan(sheet, code)))
    expect(receipts.map((receipt) => receipt.rows![0]!.row.raw_code)).toEqual(codes)
  })

  it('work from before an account was disabled waits for a manager, and later work is refused', async () => {
    const ana = await tablet.signIn('ana')
    const sheet = await tablet.createSheet()
    const before = tablet.scan(sheet, 'BEFORE', { by: 'ana' })
    server.clock.advance(60_000)
    const disabled_at = new Date(server.clock.now()).toISOString()
    await server.db.pool.updateTable('users').set({ disabled_at }).where('id_user', '=', ana.id_user).execute()
    server.clock.advance(60_000)
    const after = tablet.scan(sheet, 'AFTER', { by: 'ana' })
    await tablet.signIn('ben')
    const receipts = await tablet.push([before, after])
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual(['work-held', 'permission-missing'])
    await server.db.pool.updateTable('users').set({ disabled_at: null }).where('id_user', '=', ana.id_user).execute()
  })

  it('a punch in a batch needs no capture token, and a wrong password goes to the manager’s list', async () => {
    const punch = tablet.command(
      'punch.record',
      { username: 'ana', direction: 'in', sealed_password: 'bm90IHNlYWxlZA', key_id: 'none', store_id: 1 },
      { author: { id_user: null, name: 'ana' }, capture_token: null },
    )
    const [receipt] = await tablet.push([punch])
    expect(receipt!.outcome).toBe('applied')
    const row = await server.db.pool.selectFrom('punches').selectAll().where('id', '=', punch.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ username: 'ana', in_review: true, deliverer_id: server.seed.users.ben.id_user })
    expect(await tablet.push([punch])).toEqual([receipt])
  })

  it('a command without a scope to wait in is applied once too', async () => {
    const body = { discarded_id: uuidv7(), discarded_kind: 'count.scan', discarded_body: {}, reason: 'twice' }
    const discard = tablet.command('command.discard', body)
    const answers = await Promise.all(Array.from({ length: 10 }, () => tablet.push([discard])))
    for (const receipts of answers) expect(receipts).toEqual(answers[0])
    expect(answers[0]![0]!.outcome).toBe('applied')
  })

  it('a command of an older version of the app is upcast and applied', async () => {
    const sheet = await tablet.createSheet()
    commandVersions['count.note'] = 2
    upcasts['count.note'] = {
      1: (body: { id_count_sheet: string; text: string }) => ({ id_count_sheet: body.id_count_sheet, notes: body.text }),
    }
    try {
      const old = {
        ...tablet.command('count.note', { id_count_sheet: sheet, notes: '' }),
        version: 1,
        body: { id_count_sheet: sheet, text: 'of old' },
      }
      const [receipt] = await tablet.push([old])
      expect(receipt!.rows![0]!.row).toMatchObject({ notes: 'of old' })
    } finally {
      commandVersions['count.note'] = 1
      delete upcasts['count.note']
    }
  })

  it('no scanned, typed or written text reaches the log, even when everything fails', async () => {
    const sheet = await tablet.createSheet()
    const { db } = server
    await sql`alter table count_scans add constraint no_secret check (raw_code <> 'SECRET-CODE')`.execute(db.pool)
    await sql`alter table count_devices add constraint no_secret check (device_name <> 'Secret tablet')`.execute(db.pool)
    server.logged.length = 0
    const [refused] = await tablet.push([tablet.scan(sheet, 'SECRET-CODE')], { device_name: 'Secret tablet', open_sheets: [sheet] })
    expect(refused!.error).toMatchObject({ code: 'server-failed' })
    const punch = (lane_seq: number) =>
      tablet.command(
        'punch.record',
        { username: 'secret.name', direction: 'in', sealed_password: 'bm90IHNlYWxlZA', key_id: 'none', store_id: 1 },
        { lane: 'punch:secret.name', lane_seq, author: { id_user: null, name: 'secret.name' }, capture_token: null },
      )
    await tablet.push([punch(1), punch(9)])
    await sql`alter table count_scans drop constraint no_secret`.execute(db.pool)
    await sql`alter table count_devices drop constraint no_secret`.execute(db.pool)

    const messages = server.logged.map((line) => line.msg)
    expect(messages).toEqual(
      expect.arrayContaining(['a command failed', 'the books of a push could not be kept', 'a device skipped positions of a lane']),
    )
    const text = JSON.stringify(server.logged)
    expect(text).toContain('"constraint":"no_secret"')
    for (const secret of [/secret.code/i, /secret.tablet/i, /secret\.name/i, /Halvorsen/]) expect(text).not.toMatch(secret)
  })

  it('endless lists are refused with a reason', async () => {
    const sheet = await tablet.createSheet()
    const many = <T>(length: number, make: (place: number) => T) => Array.from({ length }, (_, place) => make(place + 1))
    for (const more of [
      { holds: many(reportLimit + 1, (n) => ({ lane: `count:${n}`, unsent: 1 })) },
      { open_sheets: many(reportLimit + 1, () => uuidv7()) },
    ]) {
      const answer = await tablet.pushRaw([], more)
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ code: 'request-invalid' })
    }
    const scopes = [{ brand_ids: many(1001, Number) }, { vendor_ids: many(1001, Number) }, { statuses: many(8, () => 'Sold' as const) }]
    await tablet.signIn('maya')
    const receipts = await tablet.push([
      ...scopes.map((scope) =>
        tablet.command('count.create', { id_count_sheet: uuidv7(), scope: { ...wholeStore, ...scope }, notes: '', blind: false }),
      ),
      tablet.command('count.close', {
        id_count_sheet: sheet,
        confirmed_missing: 0,
        override_devices: many(201, () => uuidv7()),
        searched: true,
      }),
    ])
    await tablet.signIn('ben')
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual(Array(4).fill('request-invalid'))
  })

  it('a batch without a session is refused whole', async () => {
    const sheet = await tablet.createSheet()
    const answer = await server.request('POST', '/api/sync/push', { body: { commands: [tablet.scan(sheet, 'X')] } })
    expect(answer.status).toBe(401)
    expect(await codesOf(sheet)).toEqual([])
  })

  it('presence does not cover sheets of stores in which the person does not work', async () => {
    await tablet.signIn('maya')
    const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    const id = uuidv7()
    const [made] = await tablet.push([
      tablet.command('count.create', { id_count_sheet: id, scope, notes: '', blind: false }, { store_id: 2 }),
    ])
    expect(made!.outcome).toBe('applied')
    const ana = new WireTablet(server, 'Ana')
    await ana.signIn('ana')
    await ana.push([], { open_sheets: [id, uuidv7()], holds: [{ lane: `count:${id}`, unsent: 9 }] })
    expect(await server.db.pool.selectFrom('count_devices').selectAll().where('id_count_sheet', '=', id).execute()).toEqual([])
  })
})
