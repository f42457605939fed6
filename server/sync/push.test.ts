import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashedText } from '#contract/sync/command-hash.ts'
import { bodyHash } from '#server/platform/db/receipts.ts'
import { issueCaptureToken } from '#server/platform/http/tokens.ts'
import { turnsOf } from '#server/platform/http/turns.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('a push of a tablet', () => {
  let server: TestServer
  let tablet: WireTablet

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, 'Tablet A')
    await tablet.signIn('maya')
    await tablet.signIn('ben')
  })
  afterAll(() => server.close())

  const countOf = async (table: 'count_scans' | 'receipts' | 'count_sheets' | 'count_items' | 'discarded_commands') => {
    const row = await server.db.pool
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return row.n
  }

  it('is applied once, no matter how often and how simultaneously it arrives', async () => {
    const sheet = await tablet.createSheet()
    const scans = server.seed.frames.downtown.slice(0, 5).map((frame) => tablet.scan(sheet, frame.serial))
    const before = { scans: await countOf('count_scans'), receipts: await countOf('receipts') }
    const answers = await Promise.all(Array.from({ length: 20 }, () => tablet.push(scans)))
    expect(await countOf('count_scans')).toBe(before.scans + 5)
    expect(await countOf('receipts')).toBe(before.receipts + 5)
    for (const receipts of answers) expect(receipts).toEqual(answers[0])
    expect(answers[0]!.map((receipt) => receipt.outcome)).toEqual(Array(5).fill('applied'))
  })

  it.each(['largeBodies', 'pages'] as const)('waits for its turn: %s', async (which) => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const others = Array.from({ length: 4 }, () => turnsOf(server.services.db)[which].take(new AbortController().signal, () => ended))
    const answered: string[] = []
    const pushed = tablet.push([]).then(() => answered.push('push'))
    const pulled = tablet.pull('punches').then(() => answered.push('pull'))
    await (which === 'pages' ? pushed : pulled)
    // Light calls are answered meanwhile.
    expect((await server.request('GET', '/api/home/home', { token: tablet.session.access_token })).status).toBe(200)
    expect(answered).toEqual([which === 'pages' ? 'push' : 'pull'])
    end()
    await Promise.all([...others, pushed, pulled])
    expect(answered).toHaveLength(2)
  })

  it('gets the same answer byte for byte when the first answer was lost', async () => {
    const sheet = await tablet.createSheet()
    const scans = server.seed.frames.downtown.slice(0, 3).map((frame) => tablet.scan(sheet, frame.sku))
    const receiptsIn = (text: string) => text.slice(0, text.indexOf('"server_time"'))
    const lost = await (await tablet.pushRaw(scans)).text()
    server.clock.advance(86_400_000)
    await tablet.signIn('ben')
    expect(receiptsIn(await (await tablet.pushRaw(scans)).text())).toBe(receiptsIn(lost))
  })

  it('gets the hash of the received command, a number to quote, and the new row', async () => {
    const sheet = await tablet.createSheet()
    const scan = tablet.scan(sheet, server.seed.frames.downtown[0]!.serial)
    const [receipt] = await tablet.push([scan])
    expect(receipt!.body_hash).toBe(bodyHash(hashedText(scan)))
    expect(receipt!.number).toBeGreaterThan(0)
    expect(receipt!.rows![0]).toMatchObject({
      collection: 'count_scans',
      row: { id: scan.id, finding: 'expected', author_name: 'Ben Halvorsen' },
    })
  })

  it('is refused when its id was used for another command, in a later batch and in the same one', async () => {
    const sheet = await tablet.createSheet()
    const scan = tablet.scan(sheet, server.seed.frames.downtown[0]!.serial)
    const forged = { ...scan, body: { ...scan.body, raw_code: 'OTHER' } }
    const [first, twin, other] = await tablet.push([scan, scan, forged])
    expect(twin).toEqual(first)
    expect(other!.error).toMatchObject({ code: 'key-reused', status: 409 })
    const [later] = await tablet.push([forged])
    expect(later!.error).toMatchObject({ code: 'key-reused', status: 409 })
    const rows = await server.db.pool.selectFrom('count_scans').select('raw_code').where('id_count_sheet', '=', sheet).execute()
    expect(rows).toEqual([{ raw_code: scan.body.raw_code }])
  })

  it('leaves nothing of refused commands, and applies the rest of the batch', async () => {
    const sheet = await tablet.createSheet()
    const scope = { brand_ids: [999], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    const before = [await countOf('count_sheets'), await countOf('count_items'), await countOf('receipts')]
    const receipts = await tablet.push([
      tablet.command('count.create', { id_count_sheet: uuidv7(), scope, notes: '', blind: false }),
      { ...tablet.scan(sheet, 'X'), kind: 'count.teleport' },
      { ...tablet.scan(sheet, 'X'), version: 9 },
      { ...tablet.scan(sheet, 'X'), body: { id_count_sheet: sheet } },
      tablet.scan(uuidv7(), 'X'),
      tablet.command('count.undo', { id_count_sheet: sheet, negates: uuidv7() }),
      tablet.command('count.decide', { id_count_sheet: sheet, id_inventory: null, id_scan: uuidv7(), decision: 'apply', reason: '' }),
      tablet.command('count.close', { id_count_sheet: sheet, confirmed_missing: 0, override_devices: null, searched: true }),
    ])
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual([
      'count-scope-empty',
      'command-unknown',
      'command-unknown',
      'request-invalid',
      'count-unknown',
      'scan-unknown',
      'scan-unknown',
      'permission-missing',
    ])
    expect(receipts[3]!.error!.fields!.map((field) => field.path)).toContain('body.raw_code')
    expect([await countOf('count_sheets'), await countOf('count_items'), await countOf('receipts')]).toEqual(before)
  })

  it('leaves commands behind a refused creation untouched, so that the lane can wait for it', async () => {
    const id = uuidv7()
    const other = await tablet.createSheet()
    const scope = { brand_ids: [999], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    const create = tablet.command('count.create', { id_count_sheet: id, scope, notes: '', blind: false })
    const behind = [tablet.scan(id, 'A'), tablet.scan(id, 'B')]
    const beside = tablet.scan(other, server.seed.frames.downtown[0]!.serial)
    const receipts = await tablet.push([create, behind[0], beside, behind[1]])
    expect(receipts.map((receipt) => [receipt.id, receipt.outcome])).toEqual([
      [create.id, 'refused'],
      [beside.id, 'applied'],
    ])
  })

  it("cannot reach another store's sheets", async () => {
    const sheet = await tablet.createSheet()
    const foreign = tablet.scan(sheet, server.seed.frames.eastside[0]!.serial, { store_id: server.seed.stores.eastside.store_id })
    const ana = new WireTablet(server, 'Ana')
    await ana.signIn('ana')
    const notHers = ana.scan(sheet, 'X', { store_id: server.seed.stores.eastside.store_id })
    const [refused] = await tablet.push([foreign])
    expect(refused!.error).toMatchObject({ code: 'count-unknown', status: 404 })
    const [forbidden] = await ana.push([notHers])
    expect(forbidden!.error).toMatchObject({ code: 'store-foreign', status: 403 })
  })

  it('keeps its author, no matter who delivers it', async () => {
    const shared = new WireTablet(server, 'Shared')
    await shared.signIn('ana')
    await shared.signIn('ben')
    const sheet = await shared.createSheet()
    const anas = shared.scan(sheet, server.seed.frames.downtown[0]!.serial, {
      by: 'ana',
      author: { id_user: server.seed.users.ana.id_user, name: 'The Queen' },
    })
    const bens = shared.scan(sheet, server.seed.frames.downtown[1]!.serial, { by: 'ben' })
    await shared.signIn('maya')
    const receipts = await shared.push([anas, bens])
    expect(receipts.map((receipt) => receipt.rows![0]!.row.author_name)).toEqual(['Ana Teixeira', 'Ben Halvorsen'])
    const rows = await server.db.pool
      .selectFrom('count_scans')
      .select(['author_id', 'deliverer_id'])
      .where('id_count_sheet', '=', sheet)
      .orderBy('id')
      .execute()
    const { ana, ben, maya } = server.seed.users
    expect(rows).toEqual([
      { author_id: ana.id_user, deliverer_id: maya.id_user },
      { author_id: ben.id_user, deliverer_id: maya.id_user },
    ])
  })

  it('is refused with a forged, foreign, missing or expired capture token', async () => {
    const sheet = await tablet.createSheet()
    const { ana } = server.seed.users
    const by = { id_user: ana.id_user, name: 'Ana' }
    const key = tablet.newKey()
    const grant = { id_user: ana.id_user, device_id: tablet.deviceId, store_id: 1, key, roles: [], tabletRevokedAt: null }
    const good = await issueCaptureToken(server.services, grant)
    const tokens = [
      null,
      'nonsense',
      `${good.slice(0, -4)}AAAA`,
      tablet.session.access_token,
      tablet.session.capture_token,
      await issueCaptureToken(server.services, { ...grant, device_id: uuidv7() }),
    ]
    const receipts = await tablet.push(tokens.map((token) => tablet.scan(sheet, 'X', { author: by, capture_token: token })))
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual(Array(tokens.length).fill('capture-token-invalid'))

    const madeInTime = tablet.scan(sheet, 'IN-TIME', { author: by, capture_token: good })
    server.clock.advance(31 * 86_400_000)
    const madeTooLate = tablet.scan(sheet, 'LATE', { author: by, capture_token: good })
    await tablet.signIn('ben')
    const [inTime, late] = await tablet.push([madeInTime, madeTooLate])
    expect(inTime!.outcome).toBe('applied')
    expect(late!.error).toMatchObject({ code: 'capture-token-invalid', status: 403 })
  })

  it('stores a discarded command with any content', async () => {
    const discarded_id = uuidv7()
    const body = {
      discarded_id,
      discarded_kind: 'count.scan',
      discarded_body: { raw_code: 'a\u0000b \ud800 \\u0000' },
      reason: 'scanned by mistake',
    }
    const [receipt] = await tablet.push([tablet.command('command.discard', body)])
    expect(receipt!.outcome).toBe('applied')
    const row = await server.db.pool
      .selectFrom('discarded_commands')
      .selectAll()
      .where('discarded_id', '=', discarded_id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ reason: 'scanned by mistake', author_id: server.seed.users.ben.id_user })
    expect(row.discarded_body).toEqual({ raw_code: 'a\ufffdb \ufffd \\u0000' })
  })

  it('shows that a device lost commands', async () => {
    const sheet = await tablet.createSheet()
    await tablet.push([tablet.scan(sheet, 'A'), { ...tablet.scan(sheet, 'B'), lane_seq: 7 }])
    const lane = await server.db.pool.selectFrom('device_lanes').selectAll().where('lane', '=', `count:${sheet}`).executeTakeFirstOrThrow()
    expect(lane).toMatchObject({ device_id: tablet.deviceId, last_seq: 7, gap_count: 1 })
    expect(server.logged.some((line) => line.msg === 'a device skipped positions of a lane' && line.next === 7)).toBe(true)
  })

  it('gets the rows that a pull of the same revision brings, also when a recount moves the earlier scans', async () => {
    const sheet = await tablet.createSheet()
    server.clock.advance(10_000)
    const at = (ms: number) => ({
      captured: {
        wall: new Date(server.clock.now() - ms).toISOString(),
        time_zone: 'America/New_York',
        server_offset_ms: 0,
        monotonic_ms: 1,
      },
    })
    // Two tabs: the recount began before the scan, which took the earlier place in the lane.
    const scan = tablet.scan(sheet, server.seed.frames.downtown[0]!.serial, at(1000))
    const recount = tablet.command('count.recount', { id_count_sheet: sheet }, at(2000))
    const [made] = await tablet.push([scan, recount])
    const answered = made!.rows![0]!.row
    const pulled = (await tablet.pull('count_scans')).rows.find((row) => row['id'] === scan.id)
    expect(pulled).toMatchObject({ walk: 2 })
    expect(answered).toMatchObject({ walk: 1 })
    expect(Number(answered['revision'])).toBeLessThan(Number(pulled!['revision']))
  })

  it('is refused from an app that is too old, and nothing of it is stored', async () => {
    const sheet = await tablet.createSheet()
    const answer = await tablet.pushRaw([tablet.scan(sheet, 'A')], { protocol: 0 })
    expect(answer.status).toBe(426)
    expect(await answer.json()).toMatchObject({ code: 'app-outdated' })
  })

  it('may have 500 scans of one sheet', async () => {
    const sheet = await tablet.createSheet()
    const codes = [...server.seed.frames.downtown, ...server.seed.frames.eastside].flatMap((frame) => [frame.serial, frame.sku])
    const scans = Array.from({ length: 500 }, (_, place) => tablet.scan(sheet, codes[place % codes.length]!))
    const began = performance.now()
    const receipts = await tablet.push(scans)
    process.stdout.write(`500 scans pushed in ${Math.round(performance.now() - began)} ms on ${server.db.engine}\n`)
    expect(receipts.filter((receipt) => receipt.outcome === 'applied')).toHaveLength(500)
    expect(receipts.map((receipt) => receipt.id)).toEqual(scans.map((scan) => scan.id))
  })
})
