import * as v from 'valibot'
import type { CountDecision, CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { Collection } from '#contract/sync/sync.ts'
import type { Punch } from '#contract/people/time-card.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'

/** Collections with rows in the hot database. Frames and patients have databases of their own. */
export type HotCollection = Exclude<Collection, 'frames' | 'patients'>
export type Row = Record<string, unknown>

/** Expected pieces in one record. */
const itemsPerPage = 128

/** The tables of the mirrors: a transaction that changes a mirror must span them. */
export function mirrorTables(hot: HotDatabase) {
  return [hot.sheets, hot.items, hot.scans, hot.decisions, hot.punches]
}

/** The key of the row with a collection's cursor in a scope: `store:{id}`, `user:{id}`. */
export function cursorKey(collection: HotCollection, scope: string): string {
  return `${collection} ${scope}`
}

// Checks only the fields that keys and order need: a newer server may send more fields.
const revised = { revision: v.number() }
const shapes = {
  count_sheets: v.looseObject({ id_count_sheet: v.string(), store_id: v.number(), ...revised }),
  count_items: v.looseObject({ id_count_sheet: v.string(), id_inventory: v.number(), ...revised }),
  count_scans: v.looseObject({ id: v.string(), id_count_sheet: v.string(), ...revised }),
  count_decisions: v.looseObject({ id_count_sheet: v.string(), key: v.string(), ...revised }),
  punches: v.looseObject({ id: v.string(), id_user: v.number(), at: v.string(), ...revised }),
}

/** Whether the mirror can keep a row. */
export function isRowOf(collection: HotCollection, row: Row): row is Row & { revision: number } {
  return v.is(shapes[collection], row)
}

// The server made these rows by the contract's shapes, and their keys were just checked.
function rowsAs<T>(collection: HotCollection, rows: readonly Row[]): T[] {
  if (!rows.every((row) => isRowOf(collection, row))) throw new Error(`The server sent ${collection} that this version cannot keep`)
  return rows as unknown as T[]
}

type RowTable<T, K> = { bulkGet(keys: K[]): PromiseLike<(T | undefined)[]>; bulkPut(rows: T[]): PromiseLike<unknown> }

async function putNewer<T extends { revision: number }, K>(table: RowTable<T, K>, rows: readonly T[], keyOf: (row: T) => K): Promise<void> {
  const present = await table.bulkGet(rows.map(keyOf))
  await table.bulkPut(rows.filter((row, index) => (present[index]?.revision ?? -1) <= row.revision))
}

/**
 * Puts server rows into the mirror, inside a transaction over `mirrorTables`. An older row never replaces a newer one.
 * @throws Error when a row cannot be kept: the cursor must not move past a missing row
 */
export async function putRows(hot: HotDatabase, collection: HotCollection, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  switch (collection) {
    case 'count_sheets':
      return await putNewer<CountSheet, string>(hot.sheets, rowsAs(collection, rows), (sheet) => sheet.id_count_sheet)
    case 'count_items':
      return await putItems(hot, rowsAs<CountItem>(collection, rows))
    case 'count_scans':
      return await putNewer<CountScan, string>(hot.scans, rowsAs(collection, rows), (scan) => scan.id)
    case 'count_decisions':
      return await putNewer<CountDecision, [string, string]>(hot.decisions, rowsAs(collection, rows), (row) => [
        row.id_count_sheet,
        row.key,
      ])
    case 'punches':
      return await putNewer<Punch, string>(hot.punches, rowsAs(collection, rows), (punch) => punch.id)
  }
}

/** A piece can come with a receipt and with a pull, and must be here once. */
async function putItems(hot: HotDatabase, items: readonly CountItem[]): Promise<void> {
  const bySheet = new Map<string, Map<number, CountItem>>()
  for (const item of items) {
    const sheet = bySheet.get(item.id_count_sheet) ?? new Map<number, CountItem>()
    bySheet.set(item.id_count_sheet, sheet.set(item.id_inventory, item))
  }
  for (const [sheet, fresh] of bySheet) {
    const pages = await hot.items.where('[id_count_sheet+first]').between([sheet, 0], [sheet, Infinity]).toArray()
    for (const page of pages) {
      if (!page.items.some((item) => fresh.has(item.id_inventory))) continue
      const merged = page.items.map((item) => {
        const newer = fresh.get(item.id_inventory)
        fresh.delete(item.id_inventory)
        return newer && newer.revision >= item.revision ? newer : item
      })
      await hot.items.put({ ...page, items: merged })
    }
    const added = [...fresh.values()]
    const last = pages.at(-1)
    let first = last ? last.first + last.items.length : 0
    for (let from = 0; from < added.length; from += itemsPerPage) {
      const part = added.slice(from, from + itemsPerPage)
      await hot.items.put({ id_count_sheet: sheet, first, items: part })
      first += part.length
    }
  }
}

/**
 * Resets the revisions after the server's history changed: any later row then replaces the one here. Call it inside a
 * transaction over `mirrorTables`.
 */
export async function forgetRevisions(hot: HotDatabase): Promise<void> {
  const revision = 0
  await hot.sheets.toCollection().modify({ revision })
  await hot.scans.toCollection().modify({ revision })
  await hot.decisions.toCollection().modify({ revision })
  await hot.punches.toCollection().modify({ revision })
  await hot.items.toCollection().modify((page) => void (page.items = page.items.map((item) => ({ ...item, revision }))))
}

/** Deletes rows. Parts of a sheet are named `sheet/part`, as in the pull. */
export async function removeRows(hot: HotDatabase, collection: HotCollection, removed: readonly (string | number)[]): Promise<void> {
  for (const id of removed.map(String)) {
    const [sheet = '', ...rest] = id.split('/')
    const part = rest.join('/')
    switch (collection) {
      case 'count_sheets':
        await dropSheet(hot, id)
        break
      case 'count_items': {
        const pages = await hot.items.where('[id_count_sheet+first]').between([sheet, 0], [sheet, Infinity]).toArray()
        for (const page of pages) {
          const items = page.items.filter((item) => String(item.id_inventory) !== part)
          if (items.length < page.items.length) await hot.items.put({ ...page, items })
        }
        break
      }
      case 'count_scans':
        await hot.scans.delete(id)
        break
      case 'count_decisions':
        await hot.decisions.delete([sheet, part])
        break
      case 'punches':
        await hot.punches.delete(id)
    }
  }
}

async function dropSheet(hot: HotDatabase, id: string): Promise<void> {
  await Promise.all([
    hot.sheets.delete(id),
    hot.items.where('[id_count_sheet+first]').between([id, 0], [id, Infinity]).delete(),
    hot.scans.where('[id_count_sheet+revision]').between([id, 0], [id, Infinity]).delete(),
    hot.decisions.where('[id_count_sheet+key]').between([id, ''], [id, '\uffff']).delete(),
  ])
}

/** Rows that receipts wrote here since a pull was requested: its answer may not have them yet. */
export type JustReceived = { ids: ReadonlySet<string>; sheets: ReadonlySet<string> }

/**
 * The highest receipt number on this device; 0 before the first. The server did all work with lower numbers before now,
 * so any later answer includes it. This does not use a clock: a corrected clock would make rows vanish.
 */
export async function newestReceipt(hot: HotDatabase): Promise<number> {
  return (await hot.settled.orderBy('number').last())?.number ?? 0
}

export async function receivedAfter(hot: HotDatabase, number: number): Promise<JustReceived> {
  const settled = await hot.settled.where('number').above(number).toArray()
  return {
    ids: new Set(settled.map(({ id }) => id)),
    sheets: new Set(settled.flatMap(({ lane }) => (lane.startsWith('count:') ? [lane.slice('count:'.length)] : []))),
  }
}

/** Drops a mirror's rows of one collection and scope (`store:{id}`, `user:{id}`), to load them again. */
export async function clearScope(hot: HotDatabase, collection: HotCollection, scope: string, keep: JustReceived): Promise<void> {
  const number = Number(scope.split(':')[1])
  if (collection === 'punches') {
    await hot.punches.filter((punch) => punch.id_user === number && !keep.ids.has(punch.id)).delete()
    return
  }
  if (collection === 'count_sheets') {
    await hot.sheets
      .where('store_id')
      .equals(number)
      .filter((sheet) => !keep.sheets.has(sheet.id_count_sheet))
      .delete()
    return
  }
  // Parts of an unknown sheet belong to no store, and are dropped too.
  const others = new Set(await hot.sheets.where('store_id').notEqual(number).primaryKeys())
  // Expected pieces are always dropped: the next user may not be allowed to see them.
  if (collection === 'count_items') await hot.items.filter((page) => !others.has(page.id_count_sheet)).delete()
  else if (collection === 'count_scans')
    await hot.scans.filter((scan) => !others.has(scan.id_count_sheet) && !keep.ids.has(scan.id)).delete()
  else await hot.decisions.filter(({ id_count_sheet: id }) => !others.has(id) && !keep.sheets.has(id)).delete()
}
