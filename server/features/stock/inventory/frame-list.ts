import { sql, type Kysely } from 'kysely'
import { type CsvColumn, csvHead, csvMoney, csvRows } from '#contract/core/csv.ts'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { Refusal } from '#contract/core/errors.ts'
import { inventoryStatuses, type InventoryStatus } from '#contract/stock/frames.ts'
import { framePageSize, type FrameSort, type ListedFrame } from '#contract/stock/stock.ts'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { containing } from '#server/features/stock/inventory/frame-record.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { turnsOf } from '#server/platform/http/turns.ts'
import type { Services } from '#server/platform/services.ts'
import { selectFrames, toFrame, type FrameWithNames } from '#server/domain/stock/frame-rows.ts'

export type FrameFilters = ParsedRequestOf<Endpoints['allFilters']>['query']

/** Rows that a download holds in memory at once. */
const chunkSize = 1_000

/** One page of the frames that match the filters, in a total order, so that pages never overlap. */
export async function listFrames(
  db: Kysely<Schema>,
  filters: FrameFilters,
): Promise<{ items: ListedFrame[]; page: number; page_size: number; total: number }> {
  const [items, counted] = await Promise.all([
    inOrder(filteredFrames(db, filters), filters)
      .limit(framePageSize)
      .offset((filters.page - 1) * framePageSize)
      .execute(),
    filteredFrames(db, filters)
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    items: items.map((row) => ({ ...toFrame(row), receipt_at: row.receipt_at })),
    page: filters.page,
    page_size: framePageSize,
    total: counted.total,
  }
}

/**
 * Returns all frames that match the filters as `data.csv`. A byte order mark makes spreadsheets read UTF-8, and cells
 * that look like formulas are made harmless. It reads rows as the download asks for them, and each part of the file
 * waits for its turn. Costs are only for users who may see them.
 * @throws Refusal request-too-frequent when too many downloads are open or wait
 */
export async function downloadFrames(
  { db, log }: Pick<Services, 'db' | 'log'>,
  scope: Scope,
  filters: FrameFilters,
  signal: AbortSignal,
): Promise<Response> {
  const columns = scope.permissions.has('frame.see-cost') ? [...csvColumns, ...costColumns] : csvColumns
  const { exports, openExports } = turnsOf(db)
  exports.assertRoom()
  const ended = openExports.begin(scope.session_id)
  signal.addEventListener('abort', ended, { once: true })
  const parts = csvParts(db.pool, filters, columns)
  try {
    // Reads the first part now, so that a wrong query is refused before the download begins.
    const first = await exports.take(signal, () => parts.next())
    return download(first.value ?? Buffer.alloc(0))
  } catch (error) {
    ended()
    throw error
  }

  function download(first: Buffer): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(first),
      async pull(controller) {
        try {
          const { done, value } = await exports.take(signal, () => parts.next(), true)
          if (!done) return controller.enqueue(value)
          ended()
          controller.close()
        } catch (error) {
          // A failure in the middle aborts the download, so that it cannot look complete.
          ended()
          if (!signal.aborted) log.error({ err: error }, 'a download of frames broke off')
          controller.error(error)
        }
      },
      cancel: ended,
    })
    return new Response(body, {
      headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="data.csv"' },
    })
  }
}

const csvColumns: readonly CsvColumn<FrameWithNames>[] = [
  ['id_inventory', (row) => row.id_inventory],
  ['sku', (row) => row.sku],
  ['serial', (row) => row.serial],
  ['upc', (row) => row.upc],
  ['status', (row) => row.status],
  ['store', (row) => row.store_name],
  ['brand_name', (row) => row.brand_name],
  ['title_product', (row) => row.title_product],
  ['title_variant', (row) => row.title_variant],
  ['size_lens_width', (row) => row.size_lens_width],
  ['size_bridge_width', (row) => row.size_bridge_width],
  ['size_temple_length', (row) => row.size_temple_length],
  ['pb_selling_price', (row) => csvMoney(row.pb_selling_price)],
  ['board_location', (row) => row.board_location],
  ['received_at', (row) => row.receipt_at],
  ['last_seen_at', (row) => row.last_seen_at],
]
const costColumns: readonly CsvColumn<FrameWithNames>[] = [
  ['item_list_cost', (row) => csvMoney(row.item_list_cost)],
  ['item_discount', (row) => row.item_discount],
  ['item_net', (row) => csvMoney(row.item_net)],
]

/** Yields parts of many rows: compressing row by row takes five times as long. */
async function* csvParts(
  db: Kysely<Schema>,
  filters: FrameFilters,
  columns: readonly CsvColumn<FrameWithNames>[],
): AsyncGenerator<Buffer, void> {
  let head = csvHead(columns)
  let after = 0
  for (;;) {
    const rows = await filteredFrames(db, filters)
      .where('frames.id_inventory', '>', after)
      .orderBy('frames.id_inventory')
      .limit(chunkSize)
      .execute()
    yield Buffer.from(head + csvRows(columns, rows))
    head = ''
    const last = rows.at(-1)
    if (!last || rows.length < chunkSize) return
    after = last.id_inventory
  }
}

const sortColumns = {
  sku: ['frames.sku'],
  serial: ['frames.serial'],
  model: ['brands.name', 'frames.title_product', 'frames.title_variant'],
  status: ['frames.status'],
  store: ['stores.store_name'],
  price: ['frames.pb_selling_price'],
  last_seen: ['frames.last_seen_at'],
  received: ['frames.receipt_at'],
} as const satisfies Record<FrameSort, readonly string[]>

/** Unknown values come first in ascending order: a piece that was never seen is the longest unseen. */
function inOrder(query: ReturnType<typeof filteredFrames>, { sort, order = 'asc' }: FrameFilters) {
  let ordered = query
  for (const column of sort ? sortColumns[sort] : []) {
    ordered = ordered.orderBy(column, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
  }
  return ordered.orderBy('frames.id_inventory', order)
}

export type PlainFilters = Omit<FrameFilters, 'page' | 'sort' | 'order' | 'output'>

export function filteredFrames(db: Kysely<Schema>, filters: PlainFilters) {
  let query = selectFrames(db)
  if (filters.store_id) query = query.where('frames.store_id', 'in', known(filters.store_id))
  if (filters.brand_id) query = query.where('frames.brand_id', 'in', known(filters.brand_id))
  if (filters.vendor_id) query = query.where('frames.vendor_id', 'in', known(filters.vendor_id))
  if (filters.status) query = query.where('frames.status', 'in', statusesOf(filters.status))
  if (filters.price_min !== undefined) query = query.where('frames.pb_selling_price', '>=', filters.price_min)
  if (filters.price_max !== undefined) query = query.where('frames.pb_selling_price', '<=', filters.price_max)
  if (filters.not_seen_since !== undefined) {
    const { not_seen_since } = filters
    query = query.where((where) => where.or([where('frames.last_seen_at', 'is', null), where('frames.last_seen_at', '<', not_seen_since)]))
  }
  if (filters.received_before !== undefined) query = query.where('frames.receipt_at', '<', filters.received_before)
  const search = filters.search?.trim()
  if (search) {
    const asCode = containing(normaliseCode(search))
    query = query.where((where) =>
      where.or([
        where('frames.serial', 'like', asCode),
        where('frames.sku', 'like', asCode),
        where('frames.upc', 'like', asCode),
        where('frames.title_product', 'ilike', containing(search)),
        where('frames.title_variant', 'ilike', containing(search)),
        where('brands.name', 'ilike', containing(search)),
      ]),
    )
  }
  return query
}

/** Drops numbers beyond the database's range, which no frame has. */
function known(ids: readonly number[]): number[] {
  const fitting = ids.filter((id) => id <= 2_147_483_647)
  return fitting.length > 0 ? fitting : [0]
}

function statusesOf(list: string): InventoryStatus[] {
  const asked = list.split(',').map((one) => one.trim())
  return asked.map((one) => {
    const status = inventoryStatuses.find((known) => known === one)
    if (!status)
      throw new Refusal('request-invalid', { fields: [{ path: 'query.status', message: `must be of: ${inventoryStatuses.join(', ')}` }] })
    return status
  })
}
