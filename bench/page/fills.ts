import * as v from 'valibot'
import { frame } from '#contract/stock/frames.ts'
import { pullLine } from '#contract/sync/sync.ts'
import { openDexie } from './dexie-store.ts'
import { openForage } from './forage-store.ts'
import { mirrorName, openOurs } from './our-store.ts'
import { openPouch } from './pouch-store.ts'
import { openRaw } from './raw-store.ts'
import { deleteDatabase, type RowStore, type Stock } from './row-store.ts'
import { openRx } from './rx-store.ts'
import { openSqlite } from './sqlite-store.ts'
import { timed } from './timing.ts'

export type Contestant = 'ours' | 'raw' | 'dexie' | 'pouchdb' | 'rxdb' | 'sqlite' | 'localforage'

export const openStore: Record<Contestant, () => Promise<RowStore>> = {
  ours: () => openOurs(),
  raw: () => openRaw(),
  dexie: () => openDexie(),
  pouchdb: () => openPouch(),
  rxdb: () => openRx(),
  sqlite: () => openSqlite(),
  localforage: () => openForage(),
}

/** The databases of each contestant; some choose the name. */
const databases: Record<Contestant, (name: string) => boolean> = {
  ours: (name) => name === mirrorName,
  raw: (name) => name === 'bench-raw',
  dexie: (name) => name === 'bench-dexie',
  pouchdb: (name) => name.startsWith('_pouch_bench'),
  rxdb: (name) => name.startsWith('rxdb-dexie-bench'),
  sqlite: () => false,
  localforage: (name) => name === 'bench-forage',
}

/** Fetches the chain and converts it to each contestant's input. */
export async function fetchStock(): Promise<Stock> {
  const lines = (await (await fetch('/stock')).text()).trim().split('\n')
  const stock: Stock = { columns: [], pages: [], frames: [] }
  for (const line of lines) {
    const said = v.parse(pullLine, JSON.parse(line))
    if (said.type === 'header') stock.columns = said.columns
    if (said.type === 'page') stock.pages.push(said.rows)
  }
  for (const row of stock.pages.flat()) {
    stock.frames.push(v.parse(frame, Object.fromEntries(stock.columns.map((column, index) => [column, row[index]]))))
  }
  return stock
}

async function forget(contestant: Contestant): Promise<void> {
  if (contestant === 'sqlite') {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry('.bench-sqlite', { recursive: true }).catch(() => undefined)
  }
  for (const { name } of await indexedDB.databases()) if (name && databases[contestant](name)) await deleteDatabase(name)
}

/** Takes all frames into an empty database and leaves them there; ms. */
export async function fill(contestant: Contestant): Promise<number> {
  const stock = await fetchStock()
  await forget(contestant)
  const store = await openStore[contestant]()
  const took = await timed(() => store.fill(stock))
  const count = await store.count()
  const probe = stock.frames[stock.frames.length >> 1]
  if (count !== stock.frames.length) throw new Error(`${contestant} has ${count} of ${stock.frames.length} frames`)
  if (probe && store.get && !(await store.get(probe.serial))) throw new Error(`${contestant} does not find ${probe.serial}`)
  if (probe && store.beginning && (await store.beginning(probe.serial.slice(0, 6))).length !== 20)
    throw new Error(`${contestant}: no prefix`)
  await store.close()
  return took
}

export async function isFilled(contestant: Contestant, total: number): Promise<boolean> {
  const store = await openStore[contestant]()
  const count = await store.count()
  await store.close()
  return count === total
}
