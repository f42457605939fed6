import * as v from 'valibot'
import type { CountDecision, CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { Collection } from '#contract/sync/sync.ts'
import type { Punch } from '#contract/people/time-card.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'

/** Collections whose rows lie in the hot database; frames and patients have databases of their own. */
export type HotCollection = Exclude<Collection, 'frames' | 'patients'>
export type Row = Record<string, unknown>

/** Expected pieces to a record. */
const itemsPerPage = 128

/** The tables that a change of a mirror touches: what the surrounding transaction must span. */
export function mirrorTables(hot: HotDatabase) {
  return [hot.sheets, hot.items, hot.scans, hot.decisions, hot.punches]
}

/** Of the row that says how far a collection has come in a scope: `store:{id}`, `user:{id}`. */
export function cursorKey(collection: HotCollection, scope: string): string {
  return `${collection} ${scope}`
}

// Only what keys and order depend on is checked: a newer server may say more, and must not be stopped by it.
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

// The server made these rows by the contract's shapes; their keys were just checked.
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
 * Puts server rows into the mirror. Inside a transaction over `mirrorTables`. An older row never replaces a newer one.
 * Throws when one of them cannot be kept: a cursor must not move past what is not there.
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

/** A piece comes by a receipt and by a pull, and must be there once. */
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
 * Revisions of a history that the server has left behind say nothing of what is newer: whatever comes from now on replaces
 * what is there. Inside a transaction over `mirrorTables`.
 */
export async function forgetRevisions(hot: HotDatabase): Promise<void> {
  const revision = 0
  await hot.sheets.toCollection().modify({ revision })
  await hot.scans.toCollection().modify({ revision })
  await hot.decisions.toCollection().modify({ revision })
  await hot.punches.toCollection().modify({ revision })
  await hot.items.toCollection().modify((page) => void (page.items = page.items.map((item) => ({ ...item, revision }))))
}

/** Forgets rows. Parts of a sheet are named `sheet/part`, as the pull names them. */
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

/** What receipts have put here since a pull was asked for: its answer may not know of it yet. */
export type JustReceived = { ids: ReadonlySet<string>; sheets: ReadonlySet<string> }

/**
 * The highest receipt number on this device; 0 before the first. Whatever has a lower one was done at the server before now, so
 * that what is asked for from now on knows of it. No clock is asked: a clock that is put right would let rows vanish.
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

/** Drops what the mirror has of one collection and scope (`store:{id}`, `user:{id}`), to be loaded anew. */
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
  // Parts of a sheet that is not known here are nobody's, and go too.
  const others = new Set(await hot.sheets.where('store_id').notEqual(number).primaryKeys())
  // What is expected goes in any case: it may be what the next person must not see.
  if (collection === 'count_items') await hot.items.filter((page) => !others.has(page.id_count_sheet)).delete()
  else if (collection === 'count_scans')
    await hot.scans.filter((scan) => !others.has(scan.id_count_sheet) && !keep.ids.has(scan.id)).delete()
  else await hot.decisions.filter(({ id_count_sheet: id }) => !others.has(id) && !keep.sheets.has(id)).delete()
}
