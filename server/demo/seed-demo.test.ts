import { sql } from 'kysely'
import * as v from 'valibot'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { gtin14, isGtin, normaliseCode } from '#contract/core/codes.ts'
import { countLine, countSheet } from '#contract/counts/count-sheets.ts'
import { type DemoSize, seedDemo } from '#server/demo/seed-demo.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import { totalsCheck, vendorInvoiceStatuses } from '#contract/receiving/vendor-invoice-rules.ts'
import { notePassword, verifyPin } from '#server/domain/people/known-tablets.ts'
import { verifyPassword } from '#server/domain/people/passwords.ts'
import type { Services } from '#server/platform/services.ts'
import { closeClinics, emptyClinic, now, opened } from '#tests/support/empty-clinic.ts'

afterEach(closeClinics)

const tablet = '0199f0a0-0000-7000-8000-000000000001'

const small: DemoSize = { framesPerStore: 150, patients: 300 }

const tables = [
  'stores',
  'users',
  'user_stores',
  'vendors',
  'brands',
  'frames',
  'frame_history',
  'label_request',
  'pcps',
  'pcp_letters',
  'patients',
  'appointments',
  'messages',
  'invoices',
  'invoice_items',
  'invoice_payments',
  'patient_files',
  'insurance_companies',
  'insurance_plans',
  'insurances',
  'insurance_holders',
  'count_sheets',
  'count_items',
  'count_scans',
  'count_decisions',
  'count_lines',
  'punches',
  'punch_reviews',
  'scope_revisions',
]
async function everything(services: Services): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of tables) {
    const found = await sql<{ row: string }>`select (to_jsonb(t) - 'password_hash')::text as row from ${sql.table(table)} t`.execute(
      services.db.pool,
    )
    rows[table] = found.rows.map(({ row }) => row).sort()
  }
  return rows
}

describe('the demo clinic', () => {
  let services: Services
  beforeAll(async () => {
    services = await emptyClinic()
    opened.pop()
    await seedDemo(services, { patients: 300 })
    return () => services.db.close()
  })

  test('has its stores, and its users can sign in with the printed passwords and PINs', async () => {
    const stores = await services.db.pool
      .selectFrom('stores')
      .select(['store_name', 'short_name', 'is_warehouse'])
      .orderBy('store_id')
      .execute()
    expect(stores).toEqual([
      { store_name: 'Downtown Eye Care', short_name: 'Downtown', is_warehouse: false },
      { store_name: 'Eastside Eye Care', short_name: 'Eastside', is_warehouse: false },
      { store_name: 'Central Warehouse', short_name: 'Warehouse', is_warehouse: true },
    ])
    for (const [username, pin, role] of [
      ['maya', '246810', 'manager'],
      ['ben', '135790', 'stock_clerk'],
      ['ana', '112233', 'optician'],
      ['iris', '314159', 'doctor'],
      ['leo', '271828', 'front_desk'],
    ] as const) {
      const person = await verifyPassword(services, `${username}@lorgnette.example`, 'lorgnette-demo')
      expect(person).toMatchObject({ username, role_ids: [role], store_id: 1 })
      await notePassword(services, person!, tablet)
      expect((await verifyPin(services, pin, tablet))?.username).toBe(username)
      expect(await services.db.pool.selectFrom('user_stores').selectAll().where('id_user', '=', person!.id_user).execute()).toHaveLength(3)
    }
    expect(await services.db.pool.selectFrom('server_state').select('is_demo').executeTakeFirst()).toEqual({ is_demo: true })
  })

  test('has frames like a real stockroom', async () => {
    const frames = await services.db.pool.selectFrom('frames').selectAll().execute()
    const inStore = (id: number) => frames.filter((frame) => frame.store_id === id).length
    expect([inStore(1), inStore(2), inStore(3)]).toEqual([1000, 1000, 200])

    const shareOf = (status: string) => frames.filter((frame) => frame.status === status).length / frames.length
    expect(shareOf('Ready for Sale')).toBeGreaterThan(0.8)
    for (const status of ['Sold', 'Defective', 'Missing', 'On Hold', 'ICT', 'Removed']) expect(shareOf(status)).toBeGreaterThan(0.002)

    const upcs = new Map<string, number>()
    for (const frame of frames) {
      // Code 128 prints ASCII, and a scanner must read exactly the stored text.
      expect(frame.sku).toMatch(/^(DT|ES|WH)-\d{6}$/)
      expect(frame.serial).toMatch(/^F\d{7}$/)
      expect(normaliseCode(frame.sku)).toBe(frame.sku)
      if (frame.upc === null) continue
      expect(frame.upc).toMatch(/^\d{12}$/)
      expect(isGtin(frame.upc)).toBe(true)
      expect(frame.gtin).toBe(gtin14(frame.upc))
      upcs.set(frame.upc, (upcs.get(frame.upc) ?? 0) + 1)
    }
    expect(frames.some((frame) => frame.upc === null)).toBe(true)
    expect([...upcs.keys()].some((upc) => upc.startsWith('00'))).toBe(true)
    expect([...upcs.values()].filter((pieces) => pieces > 1).length / upcs.size).toBeGreaterThan(0.5)
    // A UPC is one model in one color and size.
    const models = new Map(
      frames
        .filter((frame) => frame.upc)
        .map((frame) => [`${frame.upc} ${frame.title_product} ${frame.title_variant} ${frame.size_lens_width}`, frame.upc]),
    )
    expect(models.size).toBe(upcs.size)

    for (const frame of frames) {
      expect(frame.item_net).toBe(netCost(frame.item_list_cost, frame.item_discount))
      expect(frame.pb_selling_price!).toBeGreaterThan(frame.item_list_cost!)
      expect(Date.parse(frame.last_seen_at!)).toBeLessThan(now)
    }
  })

  test('has a few frames in every store that wait for a label, with requests from the past', async () => {
    const rows = await services.db.pool
      .selectFrom('label_request')
      .innerJoin('frames', 'frames.id_inventory', 'label_request.id_inventory')
      .select(['store_id', 'status', 'state', 'asked_at'])
      .execute()
    for (const storeId of [1, 2, 3]) {
      const inStore = rows.filter(({ store_id }) => store_id === storeId)
      expect([inStore.length > 2, inStore.length < 10]).toEqual([true, true])
    }
    expect(new Set(rows.map(({ status, state }) => `${status} ${state}`))).toEqual(new Set(['Ready for Sale waiting']))
    expect(rows.every(({ asked_at }) => Date.parse(asked_at) < now)).toBe(true)
  })

  test('has two to six rows of history for each frame, in order, and the last one explains its status', async () => {
    const frames = await services.db.pool.selectFrom('frames').select(['id_inventory', 'status']).execute()
    const history = await services.db.pool.selectFrom('frame_history').selectAll().orderBy('at').orderBy('id').execute()
    const rowsOf = groupByFrame(history)
    for (const frame of frames) {
      const rows = rowsOf.get(frame.id_inventory) ?? []
      expect(rows.length).toBeGreaterThanOrEqual(2)
      expect(rows.length).toBeLessThanOrEqual(6)
      expect(rows[0]?.action).toBe('Received')
      expect(rows.at(-1)?.status).toBe(frame.status)
      expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort((a, b) => a - b))
    }
  })

  test('has history that names stores only where a piece moved, and uses the app’s two words for stock', async () => {
    const rows = await services.db.pool.selectFrom('frame_history').selectAll().execute()
    expect(new Set(rows.map((row) => row.stock))).toEqual(new Set(['In stock', 'Out of stock']))
    const moved = rows.filter((row) => row.from_store_id !== null || row.to_store_id !== null)
    expect(new Set(moved.map((row) => row.action))).toEqual(new Set(['Received', 'Transfer sent']))
    for (const row of moved) expect(row.from_store_id).not.toBe(row.to_store_id)
  })

  test('has two closed counts whose numbers agree with their lines, and one open count', async () => {
    const { pool } = services.db
    const sheets = await pool.selectFrom('count_sheets').selectAll().orderBy('number').execute()
    expect(sheets.map((sheet) => [sheet.number, sheet.phase])).toEqual([
      [1, 'closed'],
      [2, 'closed'],
      [3, 'counting'],
    ])
    for (const sheet of sheets) {
      v.parse(countSheet, { ...sheet, created_by_name: '', closed_by_name: '' })
      expect(sheet.expected_count).toBeGreaterThan(5)
      const items = await pool.selectFrom('count_items').select('id_inventory').where('id_count_sheet', '=', sheet.id_count_sheet).execute()
      expect(items).toHaveLength(sheet.expected_count)
      const scans = await pool.selectFrom('count_scans').selectAll().where('id_count_sheet', '=', sheet.id_count_sheet).execute()
      for (const scan of scans) if (scan.id_inventory !== null) expect(items.map((item) => item.id_inventory)).toContain(scan.id_inventory)
      if (!sheet.result) {
        expect(scans.length).toBeGreaterThan(0)
        expect(scans.length).toBeLessThan(items.length)
        continue
      }
      const stored = await pool
        .selectFrom('count_lines')
        .select('line')
        .where('id_count_sheet', '=', sheet.id_count_sheet)
        .orderBy('position')
        .execute()
      const lines = stored.map(({ line }) => v.parse(countLine, line))
      const outcome = (name: string) => lines.filter((line) => line.outcome === name).length
      expect(sheet.result).toMatchObject({
        expected: items.length,
        counted: outcome('counted'),
        missing: outcome('missing'),
        unknown: outcome('unknown'),
      })
      expect(sheet.result.counted + sheet.result.missing).toBe(items.length)
      expect(scans).toHaveLength(outcome('counted') + outcome('unknown'))
    }
  })

  test('has a week of punches: in and out in turn, nobody still clocked in, and one punch waits for the manager', async () => {
    const punches = await services.db.pool.selectFrom('punches').selectAll().orderBy('at').execute()
    for (const username of ['maya', 'ben', 'ana']) {
      const theirs = punches.filter((punch) => punch.username === username && !punch.in_review)
      expect(theirs.length).toBeGreaterThanOrEqual(20)
      theirs.forEach((punch, index) => expect(punch.direction).toBe(index % 2 === 0 ? 'in' : 'out'))
      expect(theirs.at(-1)?.direction).toBe('out')
    }
    for (const punch of punches) expect(Date.parse(punch.received_at)).toBeLessThan(now)
    const reviews = await services.db.pool.selectFrom('punch_reviews').selectAll().execute()
    expect(reviews.map((review) => review.reasons)).toEqual([['double']])
    expect(punches.filter((punch) => punch.in_review).map((punch) => punch.id)).toEqual(reviews.map((review) => review.punch_id))
  })

  test('has vendor invoices in every state, which agree with their pieces where their state requires it', async () => {
    const invoices = await services.db.pool
      .selectFrom('vendor_invoices as invoice')
      .selectAll('invoice')
      .select([
        sql<number>`(select count(*) from frames where frames.id_vendor_invoice = invoice.id_vendor_invoice)`.as('pieces'),
        sql<number>`(select coalesce(sum(item_net), 0) from frames where frames.id_vendor_invoice = invoice.id_vendor_invoice)`.as('cost'),
        sql<number>`(select coalesce(sum(qty_invoiced), 0) from vendor_invoice_lines line where line.id_vendor_invoice = invoice.id_vendor_invoice)`.as(
          'invoiced',
        ),
      ])
      .execute()
    expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(vendorInvoiceStatuses))
    for (const { status, pieces, cost, invoiced, ...amounts } of invoices) {
      const { out_by_cents } = totalsCheck(amounts, cost)
      if (status === 'draft' || status === 'void') expect([pieces, out_by_cents]).toEqual([0, null])
      else if (status === 'receiving') expect(pieces).toBe(invoiced - 1)
      else expect([pieces, out_by_cents === 0]).toEqual([invoiced, status !== 'discrepancy'])
    }
  })

  test('has returns to vendors, each with pieces of one vendor in the status that the return requires', async () => {
    const returns = await services.db.pool.selectFrom('vendor_returns').selectAll().execute()
    expect(returns.map(({ status }) => status).toSorted()).toEqual(['credited', 'draft', 'ra_requested', 'shipped'])
    for (const back of returns) {
      const pieces = await services.db.pool
        .selectFrom('vendor_return_lines as line')
        .innerJoin('frames', 'frames.id_inventory', 'line.id_inventory')
        .where('line.return_id', '=', back.return_id)
        .select(['frames.vendor_id', 'frames.store_id', 'frames.status', 'line.cost_cents', 'frames.item_net'])
        .execute()
      expect(pieces.length).toBeGreaterThan(0)
      const status = back.shipped_at === null ? 'Defective' : 'Removed'
      for (const piece of pieces) {
        expect(piece).toMatchObject({ vendor_id: back.vendor_id, store_id: back.store_id, status, cost_cents: piece.item_net })
      }
    }
  })

  test('gives new rows ids after those of the demo', async () => {
    const vendor = await services.db.pool.insertInto('vendors').values({ name: 'New' }).returning('vendor_id').executeTakeFirstOrThrow()
    expect(vendor.vendor_id).toBe(13)
  })
})

describe('making the demo clinic', () => {
  test('a second time changes nothing', async () => {
    const services = await emptyClinic()
    await seedDemo(services, small)
    const before = await everything(services)
    await seedDemo(services, { framesPerStore: 500 })
    expect(await everything(services)).toEqual(before)
  })

  test('by two servers at once makes it once', async () => {
    const services = await emptyClinic()
    await Promise.all([seedDemo(services, small), seedDemo(services, small)])
    expect((await everything(services)).frames).toHaveLength(330)
  })

  test('with the same size on the same day gives the same rows', async () => {
    const [first, second] = [await emptyClinic(), await emptyClinic()]
    await seedDemo(first, small)
    await seedDemo({ ...second, clock: { now: () => now + 3_600_000 } }, small)
    expect(await everything(second)).toEqual(await everything(first))
  })

  test('with a number of frames makes exactly that many', async () => {
    const services = await emptyClinic()
    await seedDemo(services, { totalFrames: 1001, patients: 7 })
    const rows = await everything(services)
    expect(rows.frames).toHaveLength(1001)
    expect(rows.patients).toHaveLength(7)
  })

  test('leaves nothing when it is killed at the end, and makes all of it the next time', async () => {
    const services = await emptyClinic()
    const dying: Services = {
      ...services,
      db: {
        ...services.db,
        write: (scopes, work) =>
          services.db.write(scopes, async (writing) => {
            await work(writing)
            throw new Error('killed')
          }),
      },
    }
    await expect(seedDemo(dying, small)).rejects.toThrow('killed')
    for (const rows of Object.values(await everything(services))) expect(rows).toEqual([])
    await seedDemo(services, small)
    expect((await everything(services)).frames).toHaveLength(330)
  })
})

function groupByFrame<R extends { id_inventory: number }>(rows: R[]): Map<number, R[]> {
  const groups = new Map<number, R[]>()
  for (const row of rows) groups.set(row.id_inventory, [...(groups.get(row.id_inventory) ?? []), row])
  return groups
}
