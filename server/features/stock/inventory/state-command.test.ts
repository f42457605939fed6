import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandBody } from '#contract/sync/commands.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
let tablet: WireTablet

beforeAll(async () => {
  server = await startTestServer()
  tablet = new WireTablet(server, 'Tablet A')
  await tablet.signIn('ana')
  await tablet.signIn('ben')
})
afterAll(() => server.close())

type Change = CommandBody<'frame.change-state'>

const pieceAt = (place: number) => server.seed.frames.downtown[place]!
const wish = (place: number, more: Partial<Change> = {}): Change => ({
  id_inventory: pieceAt(place).id_inventory,
  action: 'state_remove',
  note: '',
  seen: { status: 'Ready for Sale', store_id: 1 },
  ...more,
})
const standing = (place: number) =>
  server.db.pool.selectFrom('frames').selectAll().where('id_inventory', '=', pieceAt(place).id_inventory).executeTakeFirstOrThrow()
const history = (place: number) =>
  server.db.pool.selectFrom('frame_history').selectAll().where('id_inventory', '=', pieceAt(place).id_inventory).execute()

describe('an action that waited for a connection', () => {
  test('is done once, however often it comes, at the time of the action, and the history names person and tablet', async () => {
    const before = await standing(0)
    const command = tablet.command('frame.change-state', wish(0, { action: 'state_defective', note: `hinge 'loose"` }))
    const at = command.captured.wall
    server.clock.advance(3_600_000)
    await tablet.signIn('ben')
    await Promise.all([tablet.push([command]), tablet.push([command]), tablet.push([command])])
    expect(await standing(0)).toMatchObject({ status: 'Defective', note: 'hinge loose', version: before.version + 1 })
    expect((await standing(0)).revision).toBeGreaterThan(before.revision)
    const rows = await history(0)
    expect(rows).toMatchObject([{ rep: 'Ben Halvorsen', action: 'Defective', extra: 'hinge loose', device_id: tablet.deviceId }])
    expect(new Date(rows[0]!.at).toISOString()).toBe(at)
  })

  test('counts although the frame’s price changed in the meantime, and is refused when its state changed', async () => {
    const [fine, late] = [tablet.command('frame.change-state', wish(1)), tablet.command('frame.change-state', wish(2))]
    await server.db.pool
      .updateTable('frames')
      .set({ version: 9, pb_selling_price: 1 })
      .where('id_inventory', '=', pieceAt(1).id_inventory)
      .execute()
    await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', pieceAt(2).id_inventory).execute()
    const receipts = await tablet.push([fine, late])
    expect(receipts).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'refused', error: { code: 'frame-changed', details: { status: 'Sold' } } },
    ])
    expect((await standing(1)).status).toBe('Missing')
    expect((await standing(2)).status).toBe('Sold')
    expect(await history(2)).toEqual([])
  })

  test('changes nothing when the frame has the wanted state already', async () => {
    const [one, other] = [tablet.command('frame.change-state', wish(3)), tablet.command('frame.change-state', wish(3))]
    const receipts = await tablet.push([one, other])
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
    expect(await history(3)).toHaveLength(1)
  })

  test('is refused in words when it is impossible, lacks its note, or the frame is unknown', async () => {
    const receipts = await tablet.push([
      tablet.command('frame.change-state', wish(4, { action: 'state_return_in_stock' })),
      tablet.command('frame.change-state', wish(5, { action: 'state_defective', note: ` '" ` })),
      tablet.command('frame.change-state', { ...wish(6), id_inventory: 2_000_000 }),
      tablet.command('frame.change-state', wish(7), { store_id: null }),
    ])
    expect(receipts.map((receipt) => (receipt.outcome === 'refused' ? receipt.error?.code : receipt.outcome))).toEqual([
      'control-not-allowed',
      'control-note-missing',
      'frame-unknown',
      'request-invalid',
    ])
    for (const place of [4, 5, 6, 7]) expect(await history(place)).toEqual([])
  })

  test('on a frame of a foreign store is refused, unless the action takes the frame into this store', async () => {
    const [away, missing] = server.seed.frames.eastside
    await server.db.pool.updateTable('frames').set({ status: 'Missing' }).where('id_inventory', '=', missing!.id_inventory).execute()
    const receipts = await tablet.push([
      tablet.command(
        'frame.change-state',
        { ...wish(0), id_inventory: away!.id_inventory, seen: { status: 'Ready for Sale', store_id: 2 } },
        { by: 'ana' },
      ),
      tablet.command(
        'frame.change-state',
        { id_inventory: missing!.id_inventory, action: 'state_return_in_stock', note: '', seen: { status: 'Missing', store_id: 2 } },
        { by: 'ana' },
      ),
    ])
    expect(receipts).toMatchObject([{ outcome: 'refused', error: { code: 'store-foreign' } }, { outcome: 'applied' }])
    const found = server.db.pool.selectFrom('frames').select(['status', 'store_id']).where('id_inventory', '=', missing!.id_inventory)
    expect(await found.executeTakeFirstOrThrow()).toEqual({ status: 'Ready for Sale', store_id: 1 })
  })

  test('of a user who has lost the right waits for a manager', async () => {
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['front_desk'] })
      .where('username', '=', 'ana')
      .execute()
    const [receipt] = await tablet.push([tablet.command('frame.change-state', wish(8), { by: 'ana' })])
    expect(receipt).toMatchObject({ outcome: 'refused', error: { code: 'work-held' } })
    expect((await standing(8)).status).toBe('Ready for Sale')
  })
})
