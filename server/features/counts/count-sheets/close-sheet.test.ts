import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CountLine, wholeStore } from '#contract/counts/count-sheets.ts'
import { countSumOf } from '#contract/counts/count-sum.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Receipt } from '#contract/sync/sync.ts'
import { closedCountsAddUp } from '#server/platform/db/migrations/0053-closed-counts-add-up.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('closing a count sheet', () => {
  let server: TestServer
  let manager: WireTablet
  let clerk: WireTablet
  let sheet: string

  beforeAll(async () => {
    server = await startTestServer()
    manager = new WireTablet(server, "Maya's tablet")
    clerk = new WireTablet(server, "Ben's tablet")
  })
  afterAll(() => server.close())

  /** Resets the store's frames before each count. */
  beforeEach(async () => {
    server.clock.advance(3_600_000)
    await server.db.write(['chain'], async ({ trx, revision }) => {
      for (const frame of [...server.seed.frames.downtown, ...server.seed.frames.eastside]) {
        await trx
          .updateTable('frames')
          .set({ status: frame.status, store_id: frame.store_id, revision: revision('chain') })
          .where('id_inventory', '=', frame.id_inventory)
          .execute()
      }
    })
    await manager.signIn('maya')
    await clerk.signIn('ben')
    sheet = await clerk.createSheet()
    server.clock.advance(1000)
  })

  const downtown = () => server.seed.frames.downtown
  const expected = () => downtown().filter((frame) => frame.status === 'Ready for Sale' || frame.status === 'Defective')
  const frameNow = (id: number) => server.db.pool.selectFrom('frames').selectAll().where('id_inventory', '=', id).executeTakeFirstOrThrow()
  const change = async (id: number, to: { status?: InventoryStatus; store_id?: number }) => {
    const changed_at = new Date(server.clock.now()).toISOString()
    await server.db.write(['chain'], async ({ trx, revision }) => {
      await trx
        .updateTable('frames')
        .set({ ...to, changed_at, revision: revision('chain') })
        .where('id_inventory', '=', id)
        .execute()
    })
  }
  const scan = async (codes: string[]) => {
    const receipts = await clerk.push(codes.map((code) => clerk.scan(sheet, code)))
    expect(receipts.map((receipt) => receipt.outcome)).toEqual(codes.map(() => 'applied'))
    server.clock.advance(1000)
    return receipts.map((receipt) => receipt.rows![0]!.row)
  }
  const decide = (what: { id_inventory?: number; id_scan?: string }, decision: 'apply' | 'skip') =>
    clerk.push([
      clerk.command('count.decide', { id_count_sheet: sheet, id_inventory: null, id_scan: null, reason: 'seen', ...what, decision }),
    ])
  const close = async (missing: number, override: string[] | null = null): Promise<Receipt> => {
    const body = { id_count_sheet: sheet, confirmed_missing: missing, override_devices: override, searched: true }
    const [receipt] = await manager.push([manager.command('count.close', body)])
    return receipt!
  }
  const resultOf = (receipt: Receipt) => receipt.rows![0]!.row

  it('marks the frames that were not found as Missing, and adds that to their history', async () => {
    const all = expected()
    const lost = all.slice(0, 2)
    await scan(all.slice(2).map((frame) => frame.serial))
    const before = await frameNow(lost[0]!.id_inventory)
    const closed = resultOf(await close(2))
    expect(closed).toMatchObject({
      phase: 'closed',
      closed_by_name: 'Maya Okonjo',
      result: { counted: all.length - 2, expected: all.length, missing: 2, override_devices: null },
    })
    const now = await frameNow(lost[0]!.id_inventory)
    expect(now).toMatchObject({ status: 'Missing', version: before.version + 1, last_count_sheet_id: sheet })
    expect(now.revision).toBeGreaterThan(before.revision)
    const history = await server.db.pool
      .selectFrom('frame_history')
      .selectAll()
      .where('id_inventory', '=', lost[0]!.id_inventory)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(history).toMatchObject({
      rep: 'Maya Okonjo',
      action: 'Item is missing',
      status_before: 'Ready for Sale',
      status: 'Missing',
      stock: 'Out of stock',
      from_store_id: null,
      to_store_id: null,
      extra: `Count #${String(closed.number)}`,
      id_count_sheet: sheet,
    })
    const token = manager.session.access_token
    const record = await server.request('GET', `/api/inventory/lookup?sku=${lost[0]!.serial}`, { token })
    expect(await record.json()).toMatchObject({ status: 'Missing', notes: [] })
    const seen = await frameNow(all[2]!.id_inventory)
    expect(seen.last_seen_at).not.toBeNull()
    const lines = await server.db.pool.selectFrom('count_lines').select('line').where('id_count_sheet', '=', sheet).execute()
    expect(lines).toHaveLength(all.length)
  })

  it('needs the typed number to match the current one', async () => {
    await scan(
      expected()
        .slice(3)
        .map((frame) => frame.serial),
    )
    const refused = await close(2)
    expect(refused.error).toMatchObject({ code: 'count-number-wrong', status: 422, details: { missing: 3 } })
    expect((await frameNow(expected()[0]!.id_inventory)).status).toBe('Ready for Sale')
    expect(await server.db.pool.selectFrom('count_lines').selectAll().where('id_count_sheet', '=', sheet).execute()).toEqual([])
    expect((await close(3)).outcome).toBe('applied')
  })

  it('explains a frame that was sold, moved or removed during the count, and leaves it alone', async () => {
    const [sold, moved, removed, soldAfterScan, handled, ...rest] = expected()
    await scan([soldAfterScan!, ...rest].map((frame) => frame.serial))
    await change(sold!.id_inventory, { status: 'Sold' })
    await change(moved!.id_inventory, { store_id: server.seed.stores.eastside.store_id })
    await change(removed!.id_inventory, { status: 'Removed' })
    await change(soldAfterScan!.id_inventory, { status: 'Sold' })
    // Sent to the lab and back during the count: in stock again, but nobody could have seen it on the board.
    await change(handled!.id_inventory, { status: 'Ready for Sale' })
    const closed = resultOf(await close(0))
    expect(closed).toMatchObject({ result: { missing: 0, explained: 4, counted: rest.length + 1 } })
    expect((await frameNow(sold!.id_inventory)).status).toBe('Sold')
    expect((await frameNow(moved!.id_inventory)).status).toBe('Ready for Sale')
  })

  it('returns a found Missing frame to stock and receives one in transit, once a user has decided so', async () => {
    const found = downtown().find((frame) => frame.status === 'Missing')!
    const [inTransit, ...rest] = expected()
    await change(inTransit!.id_inventory, { status: 'ICT' })
    const rows = await scan([found, inTransit!, ...rest].map((frame) => frame.serial))
    expect(rows.slice(0, 2).map((row) => [row.finding, row.finding_detail])).toEqual([
      ['set-aside', 'Was Missing'],
      ['set-aside', 'In transit'],
    ])
    expect((await close(0)).error).toMatchObject({ code: 'count-exceptions-open', details: { undecided: 2 } })
    await decide({ id_inventory: found.id_inventory }, 'apply')
    await decide({ id_inventory: inTransit!.id_inventory }, 'apply')
    expect(resultOf(await close(0))).toMatchObject({ result: { found: 1, received: 1, missing: 0 } })
    expect((await frameNow(found.id_inventory)).status).toBe('Ready for Sale')
    expect((await frameNow(inTransit!.id_inventory)).status).toBe('Ready for Sale')
  })

  it('leaves skipped frames for the next count, and keeps unknown codes', async () => {
    const found = downtown().find((frame) => frame.status === 'Missing')!
    const [left, ...rest] = expected()
    const rows = await scan([found.serial, 'NOBODY-KNOWS', ...rest.map((frame) => frame.serial)])
    await decide({ id_inventory: found.id_inventory }, 'skip')
    await decide({ id_inventory: left!.id_inventory }, 'skip')
    const [decided] = await decide({ id_scan: String(rows[1]!.id) }, 'apply')
    expect(decided!.outcome).toBe('applied')
    expect(resultOf(await close(0))).toMatchObject({ result: { found: 0, missing: 0, skipped: 2, unknown: 1 } })
    expect((await frameNow(found.id_inventory)).status).toBe('Missing')
    expect((await frameNow(left!.id_inventory)).status).toBe('Ready for Sale')
  })

  it('keeps a frame that was set aside out of the counted frames, in the record and in its figures', async () => {
    const [outOfScope] = expected()
    const id = uuidv7()
    const scope = { ...wholeStore, statuses: ['Defective' as const] }
    await clerk.push([clerk.command('count.create', { id_count_sheet: id, scope, notes: '', blind: false })])
    server.clock.advance(1000)
    sheet = id
    const inScope = downtown().filter((frame) => frame.status === 'Defective')
    const [row] = await scan([outOfScope!.serial, ...inScope.map((frame) => frame.serial)])
    expect(row).toMatchObject({ finding: 'set-aside', finding_detail: 'Not part of this count' })
    await decide({ id_inventory: outOfScope!.id_inventory }, 'apply')
    expect(resultOf(await close(0))).toMatchObject({ result: { counted: inScope.length, expected: inScope.length, missing: 0 } })
    const token = manager.session.access_token
    const lines = async () => {
      const answer = await server.request('GET', `/api/inventory/count_sheets/items?id_count_sheet=${id}`, { token })
      return ((await answer.json()) as { items: CountLine[] }).items
    }
    const ofTheOne = async () => (await lines()).find((line) => line.item_id === outOfScope!.id_inventory)
    expect(await ofTheOne()).toMatchObject({ outcome: 'set-aside', effect: 'none', expected: false })

    // An older version stored the frame among the counted ones.
    const before = await server.db.pool.selectFrom('count_sheets').selectAll().where('id_count_sheet', '=', id).executeTakeFirstOrThrow()
    await server.db.write(['store:1'], async ({ trx }) => {
      await sql`update count_lines set line = jsonb_set(line, '{outcome}', '"counted"') where id_count_sheet = ${id}::uuid`.execute(trx)
      const result = JSON.stringify({ ...before.result, counted: inScope.length + 1 })
      await trx.updateTable('count_sheets').set({ result }).where('id_count_sheet', '=', id).execute()
    })
    await server.db.write(['store:1'], ({ trx }) => closedCountsAddUp.up(trx))
    expect(await ofTheOne()).toMatchObject({ outcome: 'set-aside' })
    expect(countSumOf(await lines())).toMatchObject({ counted: inScope.length, exceptions: 1 })
    expect((await clerk.pull('count_sheets')).rows).toContainEqual(
      expect.objectContaining({ id_count_sheet: id, result: expect.objectContaining({ counted: inScope.length }) }),
    )
    const after = await server.db.pool.selectFrom('count_sheets').selectAll().where('id_count_sheet', '=', id).executeTakeFirstOrThrow()
    expect(after.revision).toBeGreaterThan(before.revision)
  })

  it("never moves another store's frame", async () => {
    const foreign = server.seed.frames.eastside[0]!
    const [row] = await scan([foreign.serial, ...expected().map((frame) => frame.serial)])
    expect(row).toMatchObject({ finding: 'set-aside', finding_detail: 'Belongs to Eastside' })
    await decide({ id_inventory: foreign.id_inventory }, 'apply')
    expect((await close(0)).outcome).toBe('applied')
    expect(await frameNow(foreign.id_inventory)).toMatchObject({ status: 'Ready for Sale', store_id: foreign.store_id })
  })

  it('waits for a tablet with unsent scans, or one that went silent with the sheet open', async () => {
    await clerk.push(
      expected().map((frame) => clerk.scan(sheet, frame.serial)),
      { holds: [{ lane: `count:${sheet}`, unsent: 3 }], open_sheets: [sheet] },
    )
    const unsent = await close(0)
    expect(unsent.error).toMatchObject({ code: 'count-devices-unsent', status: 409 })
    expect(unsent.error!.message).toContain("Ben's tablet (3 unsent)")

    await clerk.push([], { open_sheets: [sheet] })
    server.clock.advance(31_000)
    expect((await close(0)).error).toMatchObject({ code: 'count-devices-unsent' })
    // Tablets with the same name are different tablets.
    const twin = new WireTablet(server, clerk.name)
    await twin.signIn('ana')
    await twin.push([], { open_sheets: [sheet] })
    expect((await close(0, [twin.deviceId])).error).toMatchObject({ code: 'count-devices-unsent' })
    expect(resultOf(await close(0, [clerk.deviceId]))).toMatchObject({ result: { override_devices: ["Ben's tablet"] } })
  })

  it('believes only a tablet’s own report about it', async () => {
    await clerk.push(
      expected().map((frame) => clerk.scan(sheet, frame.serial)),
      { holds: [{ lane: `count:${sheet}`, unsent: 3 }], open_sheets: [sheet] },
    )
    const ana = new WireTablet(server, 'Another tablet')
    await ana.signIn('ana')
    // Another tablet can report neither that this one has nothing unsent, nor a later place in its lane.
    const forged = ana.scan(sheet, 'X', { device_id: clerk.deviceId, lane_seq: 900 })
    await ana.push([forged], { device_id: clerk.deviceId })
    expect((await close(0)).error).toMatchObject({ code: 'count-devices-unsent', details: { devices: [{ device_id: clerk.deviceId }] } })
    const lane = await server.db.pool
      .selectFrom('device_lanes')
      .select('last_seq')
      .where('lane', '=', `count:${sheet}`)
      .where('device_id', '=', clerk.deviceId)
      .executeTakeFirstOrThrow()
    expect(lane.last_seq).toBe(expected().length + 1)
  })

  it('does not wait for the closing user’s tablet, nor for one that has left the sheet', async () => {
    await clerk.push(
      expected().map((frame) => clerk.scan(sheet, frame.serial)),
      { open_sheets: [sheet] },
    )
    await manager.push([], { open_sheets: [sheet] })
    await clerk.push([])
    server.clock.advance(60_000)
    expect((await close(0)).outcome).toBe('applied')
  })

  it('accepts no scan after closing, and closes once', async () => {
    await scan(expected().map((frame) => frame.serial))
    await close(0)
    const [late] = await clerk.push([clerk.scan(sheet, 'LATE')])
    expect(late!.error).toMatchObject({ code: 'count-closed', status: 409 })
    expect((await close(0)).error).toMatchObject({ code: 'count-closed' })
  })

  it('counts only the last walk after a recount, including scans captured before the recount arrived', async () => {
    const all = expected()
    await scan(all.map((frame) => frame.serial))
    const recount = manager.command('count.recount', { id_count_sheet: sheet })
    server.clock.advance(1000)
    const [early] = await scan([all[0]!.serial])
    expect(early).toMatchObject({ walk: 1 })
    const [answer] = await manager.push([recount])
    expect(resultOf(answer!)).toMatchObject({ walk: 2, phase: 'recounting' })
    const [again] = await scan([all[1]!.serial])
    expect(again).toMatchObject({ walk: 2 })
    expect((await close(0)).error).toMatchObject({ details: { missing: all.length - 2 } })
  })

  it('lets users undo their own scan and a manager any scan', async () => {
    const [mine] = await scan([expected()[0]!.serial])
    const ana = new WireTablet(server, "Ana's tablet")
    await ana.signIn('ana')
    const undo = (tablet: WireTablet) => tablet.push([tablet.command('count.undo', { id_count_sheet: sheet, negates: String(mine!.id) })])
    expect((await undo(ana))[0]!.error).toMatchObject({ code: 'scan-foreign', status: 403 })
    expect((await undo(clerk))[0]!.rows![0]!.row).toMatchObject({ negates: mine!.id, author_name: 'Ben Halvorsen' })
    expect((await undo(manager))[0]!.outcome).toBe('applied')
    expect((await close(0)).error).toMatchObject({ details: { missing: expected().length } })
  })

  it('counts no piece by a UPC, unless a user picked it, and finds a piece by the end of its code', async () => {
    const frame = downtown().find((one) => one.upc !== null && one.status === 'Ready for Sale')!
    const [model] = await scan([`0${frame.upc!}`])
    expect(model).toMatchObject({ finding: 'model-only', id_inventory: null })
    const read = (raw_code: string, via: 'picked' | 'typed' | 'scanner') =>
      clerk.command('count.scan', { id_count_sheet: sheet, raw_code, id_inventory: frame.id_inventory, via, previous_scan: null })
    const receipts = await clerk.push([
      read(frame.upc!, 'picked'),
      read(frame.serial.slice(-5), 'typed'),
      read(frame.serial.slice(-5), 'scanner'),
    ])
    expect(receipts.map((receipt) => receipt.rows![0]!.row.finding)).toEqual(['expected', 'expected', 'unknown'])
  })

  it('is deleted by its maker while empty, and then by a manager only', async () => {
    const remove = (tablet: WireTablet, id: string) => tablet.push([tablet.command('count.delete', { id_count_sheet: id })])
    const empty = await clerk.createSheet()
    expect((await remove(clerk, empty))[0]!.outcome).toBe('applied')
    await scan(['ANYTHING'])
    expect((await remove(clerk, sheet))[0]!.error).toMatchObject({ code: 'count-not-empty' })
    expect((await remove(manager, sheet))[0]!.outcome).toBe('applied')
    const [gone] = await clerk.push([clerk.scan(sheet, 'X')])
    expect(gone!.error).toMatchObject({ code: 'count-unknown' })
    expect((await clerk.pull('count_sheets')).removed).toEqual(expect.arrayContaining([sheet, empty]))
  })

  it('counts only the frames of its scope', async () => {
    const brand = server.seed.brands[0]!
    const scope = {
      brand_ids: [brand.brand_id],
      vendor_ids: [],
      statuses: ['Missing' as const, 'Ready for Sale' as const],
      price_min_cents: 9900,
      price_max_cents: 15_000,
    }
    const id = uuidv7()
    await clerk.push([clerk.command('count.create', { id_count_sheet: id, scope, notes: 'sun wall', blind: false })])
    const items = await server.db.pool
      .selectFrom('count_items')
      .innerJoin('frames', 'frames.id_inventory', 'count_items.id_inventory')
      .selectAll('frames')
      .where('id_count_sheet', '=', id)
      .execute()
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) {
      expect(item).toMatchObject({ brand_id: brand.brand_id, store_id: 1 })
      expect(item.pb_selling_price).toBeLessThanOrEqual(15_000)
    }
  })
})
