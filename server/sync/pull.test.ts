import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import type { PullHeader, PullLine } from '#contract/sync/sync.ts'
import { writeCursor } from '#server/sync/cursor.ts'
import { pullPageRows } from '#server/sync/pull.ts'
import { pullSources } from '#server/sync/pull-sources.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('pulls of tablets', () => {
  let server: TestServer
  let tablet: WireTablet

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, 'Tablet A')
    await tablet.signIn('ben')
  })
  afterAll(() => server.close())

  it('bring every frame of the chain and no cost', async () => {
    const { header, rows, cursor } = await tablet.pull('frames')
    const all = Object.values(server.seed.frames).flat()
    const ids = (of: { id_inventory?: unknown }[]) => new Set(of.map((one) => one.id_inventory))
    expect(rows).toHaveLength(all.length)
    expect(ids(rows)).toEqual(ids(all))
    expect(header).toMatchObject({ collection: 'frames', scope: 'chain', replace: true, total: all.length })
    expect(header.columns.filter((column) => /cost|discount|net/.test(column))).toEqual([])
    const next = await tablet.pull('frames', cursor)
    expect(next).toMatchObject({ rows: [], removed: [], header: { replace: false, total: 0 } })
  })

  it('read no table again for a tablet that has missed nothing', async () => {
    const { cursor } = await tablet.pull('frames')
    const page = vi.spyOn(pullSources.frames, 'page')
    const next = await tablet.pull('frames', cursor)
    expect(next).toMatchObject({ rows: [], removed: [], cursor })
    expect(page).not.toHaveBeenCalled()
    await server.db.write(['chain'], async () => undefined)
    const later = await tablet.pull('frames', cursor)
    expect(page).toHaveBeenCalledOnce()
    expect(await tablet.pull('frames', later.cursor)).toMatchObject({ rows: [], cursor: later.cursor })
    expect(page).toHaveBeenCalledOnce()
    page.mockRestore()
  })

  it('bring changed rows, and the ids of removed ones', async () => {
    const { cursor } = await tablet.pull('frames')
    const [changed, gone] = server.seed.frames.warehouse
    await server.db.write(['chain'], async ({ trx, revision }) => {
      await trx
        .updateTable('frames')
        .set({ board_location: 'Z9', revision: revision('chain') })
        .where('id_inventory', '=', changed!.id_inventory)
        .execute()
      await trx
        .updateTable('frames')
        .set({ deleted_at: '2026-11-20T15:00:00.000Z', revision: revision('chain') })
        .where('id_inventory', '=', gone!.id_inventory)
        .execute()
    })
    const next = await tablet.pull('frames', cursor)
    expect(next.rows).toMatchObject([{ id_inventory: changed!.id_inventory, board_location: 'Z9' }])
    expect(next.removed).toEqual([gone!.id_inventory])
  })

  it('bring a sheet whole: the sheet, its items, scans and decisions', async () => {
    const sheet = await tablet.createSheet()
    const scan = tablet.scan(sheet, 'NOBODY')
    const decision = { id_count_sheet: sheet, id_inventory: null, id_scan: scan.id, decision: 'skip' as const, reason: 'a price tag' }
    await tablet.push([scan, tablet.command('count.decide', decision)])
    const of = async (collection: 'count_sheets' | 'count_items' | 'count_scans' | 'count_decisions') =>
      (await tablet.pull(collection)).rows.filter((row) => row.id_count_sheet === sheet)
    const [row] = await of('count_sheets')
    expect(await of('count_items')).toHaveLength(Number(row!.expected_count))
    expect(await of('count_scans')).toMatchObject([{ id: scan.id, raw_code: 'NOBODY', finding: 'unknown' }])
    expect(await of('count_decisions')).toMatchObject([{ key: `scan:${scan.id}`, decision: 'skip', decided_by_name: 'Ben Halvorsen' }])
  })

  it('answer for several collections at once, each as if it were requested alone', async () => {
    const sheet = await tablet.createSheet()
    await tablet.push([tablet.scan(sheet, 'NOBODY')])
    const names = ['count_sheets', 'punches', 'count_scans'] as const
    const ask = async (cursors: string) => {
      const query = new URLSearchParams({ collection: names.join(), cursor: cursors })
      const answer = await server.request('GET', `/api/sync/pull?${query}`, { token: tablet.session.access_token })
      return answer.status === 200
        ? (await answer.text())
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : await answer.json()
    }
    const first = await ask(',,')
    expect(first.filter(({ type }: PullLine) => type === 'header').map(({ collection }: PullHeader) => collection)).toEqual(names)
    const cursors = first.filter(({ type }: PullLine) => type === 'end').map(({ cursor }: { cursor: string }) => cursor)
    for (const [place, name] of names.entries()) expect(await tablet.pull(name, cursors[place])).toMatchObject({ rows: [], removed: [] })

    const scan = tablet.scan(sheet, 'NOBODY')
    await tablet.push([scan])
    const next = await ask(cursors.join())
    expect(next.filter(({ type }: PullLine) => type === 'end')).toHaveLength(names.length)
    expect(JSON.stringify(next)).toContain(scan.id)
    expect(await ask(`${cursors.join()},${cursors[0]}`)).toMatchObject({ code: 'cursor-invalid' })
  })

  it('name each collection once', async () => {
    const twice = await server.request('GET', '/api/sync/pull?collection=frames,frames', { token: tablet.session.access_token })
    expect(await twice.json()).toMatchObject({ code: 'request-invalid' })
  })

  it('bring the same row as a receipt', async () => {
    const sheet = await tablet.createSheet()
    const { cursor } = await tablet.pull('count_scans')
    const [receipt] = await tablet.push([tablet.scan(sheet, server.seed.frames.downtown[0]!.serial)])
    const { rows } = await tablet.pull('count_scans', cursor)
    expect(rows).toEqual(receipt!.rows!.map(({ row }) => row))
  })

  it('start over for another store, and order the device to drop its rows', async () => {
    const { cursor } = await tablet.pull('count_sheets')
    await server.request('POST', '/api/home/set_store', {
      token: tablet.session.access_token,
      body: { store_id: server.seed.stores.eastside.store_id },
    })
    const elsewhere = await tablet.pull('count_sheets', cursor)
    expect(elsewhere.header).toMatchObject({ replace: true, scope: 'store:2' })
    expect(elsewhere.rows).toEqual([])
    await server.request('POST', '/api/home/set_store', {
      token: tablet.session.access_token,
      body: { store_id: server.seed.stores.downtown.store_id },
    })
  })

  it('hide a blind sheet’s expected pieces from a counter, and start over for a person with other rights', async () => {
    const manager = new WireTablet(server, 'Maya')
    await manager.signIn('maya')
    const sheet = await manager.createSheet({ blind: true })
    const own = (rows: Record<string, unknown>[]) => rows.filter((row) => row.id_count_sheet === sheet)
    const seen = await manager.pull('count_items')
    expect(own(seen.rows)).toHaveLength(28)
    const hidden = await tablet.pull('count_items')
    expect(own(hidden.rows)).toEqual([])
    expect(own((await tablet.pull('count_sheets')).rows)).toMatchObject([{ expected_count: 0, blind: true }])
    expect(own((await manager.pull('count_sheets')).rows)).toMatchObject([{ expected_count: 28 }])
    // The manager's cursor on a tablet that a counter takes over, and the other way around.
    expect((await tablet.pull('count_items', seen.cursor)).header.replace).toBe(true)
    const back = await manager.pull('count_items', hidden.cursor)
    expect(back.header.replace).toBe(true)
    expect(own(back.rows)).toHaveLength(28)
  })

  it('leave the parts of long closed sheets out of a first pull only', async () => {
    const sheet = await tablet.createSheet()
    const { cursor } = await tablet.pull('count_scans')
    await tablet.push([tablet.scan(sheet, 'OLD')])
    const long = new Date(server.clock.now() - 31 * 86_400_000).toISOString()
    await server.db.pool.updateTable('count_sheets').set({ phase: 'closed', closed_at: long }).where('id_count_sheet', '=', sheet).execute()
    const codes = (rows: Record<string, unknown>[]) => rows.map((row) => row.raw_code)
    expect(codes((await tablet.pull('count_scans')).rows)).not.toContain('OLD')
    expect(codes((await tablet.pull('count_scans', cursor)).rows)).toContain('OLD')
    expect((await tablet.pull('count_sheets')).rows.map((row) => row.id_count_sheet)).toContain(sheet)
  })

  it('refuse invalid cursors, with 400', async () => {
    const epoch = (await tablet.pull('frames')).header.epoch
    const wrong = { epoch, view: 'store:1', revision: 5, id: 'not an id', firstSince: null }
    for (const cursor of ['garbage', 'WzFd', Buffer.from('null').toString('base64url'), writeCursor(wrong)]) {
      const answer = await tablet.pullRaw('count_scans', cursor)
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'cursor-invalid' }])
    }
  })

  it('answer 410 to a cursor from before a restore', async () => {
    const { cursor, header } = await tablet.pull('frames')
    const before = header.epoch
    await server.db.pool.updateTable('server_state').set({ epoch: uuidv7() }).execute()
    const answer = await tablet.pullRaw('frames', cursor)
    expect([answer.status, await answer.json()]).toMatchObject([410, { code: 'cursor-stale' }])
    expect((await tablet.pull('frames')).header).toMatchObject({ replace: true })
    expect((await tablet.pull('frames')).header.epoch).not.toBe(before)
  })

  it('start over when the server was put back without saying so', async () => {
    const { header, rows } = await tablet.pull('count_sheets')
    const ahead = writeCursor({ epoch: header.epoch, view: 'store:1 blind', revision: 1_000_000, id: uuidv7(), firstSince: null })
    const again = await tablet.pull('count_sheets', ahead)
    expect(again.header.replace).toBe(true)
    expect(again.rows).toEqual(rows)
  })

  it('equal the table, page by page, while others write', async () => {
    const count = pullPageRows * 2 + 37
    await server.db.write(['chain'], async ({ trx, revision }) => {
      await sql`
        insert into frames (sku, serial, status, store_id, brand_id, vendor_id, title_product, title_variant, changed_at, revision)
        select 'BULK-' || n, 'BULKS-' || n, 'Ready for Sale', 2, 1, 1, 'Bulk', '', now(), ${revision('chain')}::bigint
        from generate_series(1, ${count}::int) as n
      `.execute(trx)
    })
    let writing = true
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 25; n++) {
        await server.db.write(['chain'], async ({ trx, revision }) => {
          const number = ((n * 97 + writer * 13) % count) + 1
          await trx
            .updateTable('frames')
            .set({ board_location: `W${writer}-${n}`, revision: revision('chain') })
            .where('sku', '=', `BULK-${number}`)
            .execute()
        })
      }
    })
    const mirror = new Map<unknown, Record<string, unknown>>()
    let cursor: string | undefined
    const pullOnce = async () => {
      const pulled = await tablet.pull('frames', cursor)
      for (const row of pulled.rows) mirror.set(row.id_inventory, row)
      cursor = pulled.cursor
    }
    const reader = (async () => {
      while (writing) await pullOnce()
    })()
    await Promise.all(writers)
    writing = false
    await reader
    await pullOnce()
    const table = await server.db.pool
      .selectFrom('frames')
      .select(['id_inventory', 'board_location', 'revision'])
      .where('deleted_at', 'is', null)
      .execute()
    expect(mirror.size).toBe(table.length)
    for (const row of table) expect(mirror.get(row.id_inventory)).toMatchObject(row)
  })

  it('continue from the cursor of any stored page', async () => {
    const whole = await tablet.pull('frames')
    expect(whole.cursors.length).toBeGreaterThan(1)
    const rest = await tablet.pull('frames', whole.cursors[0])
    expect(rest.header.replace).toBe(false)
    expect(rest.rows).toEqual(whole.rows.slice(-rest.rows.length))
    expect(rest.rows.length + pullPageRows).toBeGreaterThanOrEqual(whole.rows.length)
  })
})
