import type { Frame } from '#contract/stock/frame.ts'
import { stockEndpoints, type ListedFrame, type StockedModel } from '#contract/stock/stock.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { inSteps } from '#src/db/indexed/slices.ts'
import type { Device } from '#src/sync/device/device.ts'
import { passing, queryOf, type StockFilters, type StockOrderKey, stockOrders } from './filters.ts'
import { inOrder, modelKey } from './stock-order.ts'

export type Store = { store_id: number; store_name: string; short_name: string }

/**
 * A line of the list. It holds the server's frame; without one, the device reads the frame when the line is in view.
 */
export type FrameLine = { id: number; listed: ListedFrame | null }

export type StockRows = { view: 'frames'; lines: FrameLine[] } | { view: 'models'; lines: StockedModel[] }
export type StockPage = { rows: StockRows; total: number; page: number }

export type StockQuestion = {
  view: 'frames' | 'models'
  filters: StockFilters
  order: StockOrderKey
  stores: readonly Store[]
  now: number
}

const timeoutMs = 30_000
const rowsPerStep = 500

/**
 * Returns the complete list from this device.
 * @throws when its frames cannot be read
 */
export async function listOnDevice(device: Pick<Device, 'frames'>, question: StockQuestion): Promise<StockPage> {
  await device.frames.ready()
  const { view, order, stores } = question
  // The list by model shows stock only, like the server's, unless the user filters by status.
  const isStock = view === 'models' && question.filters.status === ''
  const filters: StockFilters = isStock ? { ...question.filters, status: 'in-stock' } : question.filters
  const frames = await device.frames.readStore(filters.store === '' ? null : Number(filters.store))
  const found = await inSteps(filtering(frames, passing(filters, question.now)))
  if (view === 'models') {
    const models = await inSteps(modelsOf(found, stores))
    return { rows: { view, lines: models }, total: models.length, page: 1 }
  }
  const nameOf = new Map(stores.map((store) => [store.store_id, store.store_name]))
  const ordered = await inSteps(inOrder(found, stockOrders[order], (id) => nameOf.get(id) ?? ''))
  return { rows: { view, lines: ordered.map((frame) => ({ id: frame.id_inventory, listed: null })) }, total: ordered.length, page: 1 }
}

function* filtering(frames: readonly Frame[], passes: (frame: Frame) => boolean): Generator<undefined, Frame[]> {
  const found: Frame[] = []
  for (let from = 0; from < frames.length; from += rowsPerStep) {
    for (const frame of frames.slice(from, from + rowsPerStep)) if (passes(frame)) found.push(frame)
    yield
  }
  return found
}

/** Returns the models by name, with the number of pieces in each store. Works in small steps. */
export function* modelsOf(frames: readonly Frame[], stores: readonly Store[]): Generator<undefined, StockedModel[]> {
  const models = new Map<string, { frame: Frame; counts: Map<number, number> }>()
  for (const [at, frame] of frames.entries()) {
    const key = modelKey(frame)
    const model = models.get(key) ?? { frame, counts: new Map<number, number>() }
    models.set(key, model)
    model.counts.set(frame.store_id, (model.counts.get(frame.store_id) ?? 0) + 1)
    if (at % rowsPerStep === rowsPerStep - 1) yield
  }
  const keys = [...models.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  yield
  const listed: StockedModel[] = []
  for (const key of keys) {
    const model = models.get(key)
    if (!model) continue
    const { brand_id, brand_name, title_product, title_variant } = model.frame
    const locations = [...model.counts]
      .map(([store_id, quantity]) => ({ ...storeOf(stores, store_id), quantity }))
      .toSorted((a, b) => a.store_name.localeCompare(b.store_name))
    listed.push({ brand_id, id_model: null, model_id: null, brand_name, model: title_product, title_variant, locations })
    if (listed.length % rowsPerStep === 0) yield
  }
  return listed
}

function storeOf(stores: readonly Store[], id: number): Store {
  return stores.find(({ store_id }) => store_id === id) ?? { store_id: id, store_name: `Store ${id}`, short_name: String(id) }
}

/** Returns one page of the server's list. */
export async function listAtServer(
  device: Pick<Device, 'call'>,
  { view, filters, order, now }: StockQuestion,
  page: number,
  signal: AbortSignal,
): Promise<Outcome<StockPage>> {
  const query = { ...queryOf(filters, now), page: String(page) }
  if (view === 'models') {
    const answer = await device.call(stockEndpoints.listModels, { query }, { signal, timeoutMs })
    if (!answer.ok) return answer
    return { ok: true, value: { rows: { view, lines: answer.value.models }, total: answer.value.total, page } }
  }
  const { by, order: direction } = stockOrders[order]
  const answer = await device.call(stockEndpoints.allFilters, { query: { ...query, sort: by, order: direction } }, { signal, timeoutMs })
  if (!answer.ok) return answer
  const lines = answer.value.items.map((listed) => ({ id: listed.id_inventory, listed }))
  return { ok: true, value: { rows: { view, lines }, total: answer.value.total, page } }
}

/** Replaces the list with page 1, or appends a later page. A piece that moved between two pages appears once. */
export function withPage(before: StockPage | null, next: StockPage): StockPage {
  if (next.page === 1 || !before) return next
  if (before.rows.view === 'frames' && next.rows.view === 'frames') {
    const known = new Set(before.rows.lines.map(({ id }) => id))
    const fresh = next.rows.lines.filter(({ id }) => !known.has(id))
    return { ...next, rows: { view: 'frames', lines: [...before.rows.lines, ...fresh] } }
  }
  if (before.rows.view === 'models' && next.rows.view === 'models') {
    return { ...next, rows: { view: 'models', lines: [...before.rows.lines, ...next.rows.lines] } }
  }
  return next
}
