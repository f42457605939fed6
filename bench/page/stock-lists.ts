import type { Frame } from '#contract/stock/frame.ts'
import { inOneGo } from '#src/db/indexed/slices.ts'
import { everything, passing, stockOrders, type StockFilters, type StockOrderKey } from '#src/features/stock/inventory/model/filters.ts'
import { listOnDevice, modelsOf, type Store } from '#src/features/stock/inventory/model/stock-list.ts'
import { inOrder } from '#src/features/stock/inventory/model/stock-order.ts'
import { openOurs } from './our-store.ts'
import { readAll } from './raw-store.ts'
import { breathe, inTurn, timed } from './timing.ts'

export type ListQuestion = { name: string; view: 'frames' | 'models'; filters: Partial<StockFilters>; order: StockOrderKey }
export type ListTimes = { ours: number[][]; raw: number[][]; rows: number; longestTask: number }

/**
 * The lists of the inventory screen, from the mirror, beside raw IndexedDB that reads all its rows for each list.
 * @returns for each question ms by block, the number of rows, and ms of the longest task that blocked the page
 */
export async function listStock(questions: ListQuestion[], stores: Store[], blocks: number): Promise<Record<string, ListTimes>> {
  const ours = await openOurs()
  const now = Date.now()
  const found: Record<string, ListTimes> = {}
  for (const question of questions) {
    const { view, order } = question
    const filters = { ...everything, ...question.filters }
    const times: ListTimes = { ours: [], raw: [], rows: 0, longestTask: 0 }
    const contestants = [
      {
        into: times.ours,
        list: async () => {
          times.rows = (await listOnDevice({ frames: ours.mirror }, { view, filters, order, stores, now })).total
        },
      },
      { into: times.raw, list: async () => void (await listRaw(question, filters, stores, now)) },
    ]
    // The first one warms everything up and is thrown away.
    for (let block = -1; block < blocks; block++) {
      for (const { into, list } of inTurn(contestants, block + 1)) {
        const { took, longest } = await watched(list)
        if (block >= 0) into.push([took])
        if (block >= 0 && into === times.ours) times.longestTask = Math.max(times.longestTask, longest)
        await breathe()
      }
    }
    found[question.name] = times
  }
  await ours.close()
  return found
}

/** The same lists, by the same rules, in a page that keeps plain rows in IndexedDB. */
async function listRaw({ view, order }: ListQuestion, filters: StockFilters, stores: Store[], now: number): Promise<unknown> {
  const all: Frame[] = await readAll('bench-raw')
  const rows = all.filter(passing(filters, now))
  if (view === 'models') return inOneGo(modelsOf(rows, stores))
  const nameOf = new Map(stores.map((store) => [store.store_id, store.store_name]))
  return inOneGo(inOrder(rows, stockOrders[order], (id) => nameOf.get(id) ?? ''))
}

/** The time of `work`, and its longest task; ms. */
async function watched(work: () => Promise<void>): Promise<{ took: number; longest: number }> {
  let longest = 0
  let isOver = false
  const { port1, port2 } = new MessageChannel()
  let last = performance.now()
  port1.onmessage = () => {
    const turn = performance.now()
    longest = Math.max(longest, turn - last)
    last = turn
    if (isOver) port1.close()
    else port2.postMessage(null)
  }
  port2.postMessage(null)
  const took = await timed(work)
  isOver = true
  return { took, longest: Math.max(longest, performance.now() - last) }
}
