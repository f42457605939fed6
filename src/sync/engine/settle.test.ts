import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HotDatabase } from '#src/db/hot/hot.ts'
import { mirrorTables, putRows } from '#src/sync/device/mirror-tables.ts'
import { adoptEpoch } from '#src/sync/engine/settle.ts'

let hot: HotDatabase
beforeEach(async () => {
  hot = new HotDatabase('settle', { indexedDB: new IDBFactory(), IDBKeyRange })
  await hot.open()
})
afterEach(() => hot.close())

const put = (collection: 'count_sheets' | 'count_scans' | 'count_items', row: Record<string, unknown>) =>
  hot.transaction('rw', mirrorTables(hot), () => putRows(hot, collection, [row]))

test('after a restored backup the server’s rows replace those of the former history, even with lower revisions', async () => {
  const id_count_sheet = '01890000-0000-7000-8000-000000000001'
  const sheet = (revision: number, phase: string) => put('count_sheets', { id_count_sheet, store_id: 1, phase, revision })
  const scan = (revision: number) => put('count_scans', { id: 'scan', id_count_sheet, revision })
  const item = (revision: number) => put('count_items', { id_count_sheet, id_inventory: 7, revision })
  await adoptEpoch(hot, 'before')
  await Promise.all([sheet(9, 'closed'), scan(8), item(7)])

  expect(await adoptEpoch(hot, 'restored')).toBe(true)
  await Promise.all([sheet(2, 'counting'), scan(3), item(4)])

  expect(await hot.sheets.get(id_count_sheet)).toMatchObject({ phase: 'counting', revision: 2 })
  expect(await hot.scans.get('scan')).toMatchObject({ revision: 3 })
  expect((await hot.items.toArray()).flatMap((page) => page.items)).toMatchObject([{ id_inventory: 7, revision: 4 }])
})
