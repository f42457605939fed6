import { Refusal } from '#contract/errors.ts'
import { closedSheetDays, type pull, type PullLine } from '#contract/sync.ts'
import type { RevisionScope } from '#server/db/database.ts'
import type { Handler } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'
import { type Cursor, readCursor, writeCursor } from '#server/sync/cursor.ts'
import { type PageRequest, type PulledRow, pullSources } from '#server/sync/pull-sources.ts'
import { readEpoch } from '#server/sync/server-epoch.ts'

export const pullPageRows = 2000

/**
 * Streams what changed after a cursor, a page at a time and only as fast as it is read, so that memory does not grow with
 * the collection. Each page is a read of its own: revisions are raised before anything is written, so the order of
 * revisions is the order of commits and nothing can appear behind a cursor.
 */
export const pullHandler: Handler<typeof pull> = async ({ query, services, scope, signal }) => {
  const { reads } = services.db
  const source = pullSources[query.collection]
  const epoch = await readEpoch(services)
  const known = query.cursor === undefined ? null : readCursor(query.cursor)
  if (known && known.epoch !== epoch) throw new Refusal('cursor-stale')

  const revisionScope = source.scope(scope)
  const isBlind = source.hasBlindView && !scope.permissions.has('count.see-expected-while-blind')
  const view = isBlind ? `${revisionScope} blind` : revisionScope
  // Ahead of the server is only a cursor of a history that a restore has undone: what follows must not be missed.
  const isForeign = known !== null && (known.view !== view || known.revision > (await revisionOf(services, revisionScope)))
  let place: Cursor
  if (known && !isForeign) place = known
  else {
    const since = new Date(services.clock.now() - closedSheetDays * 86_400_000).toISOString()
    place = { epoch, view, revision: -1, id: source.firstId, firstSince: since }
  }
  const requestAt = (): PageRequest => ({ person: scope, after: place, firstSince: place.firstSince, limit: pullPageRows })

  const first = await readable(() => source.page(reads, requestAt()))
  const isShort = first.length < pullPageRows
  const total = isShort ? first.length : await source.total(reads, requestAt())
  const encoder = new TextEncoder()
  const brought = { collection: query.collection, rows: 0, bytes: 0 }
  const line = (value: PullLine) => {
    const bytes = encoder.encode(`${JSON.stringify(value)}\n`)
    brought.bytes += bytes.byteLength
    return bytes
  }
  const header = line({
    type: 'header',
    collection: query.collection,
    epoch,
    scope: revisionScope,
    columns: [...source.columns],
    total,
    replace: known === null || isForeign,
    server_time: new Date(services.clock.now()).toISOString(),
  })
  const linesOf = (page: readonly PulledRow[]) => {
    const lines: Uint8Array[] = []
    brought.rows += page.length
    const last = page.at(-1)
    if (last) {
      place = { ...place, revision: last.revision, id: last.id }
      const rows = page.flatMap(({ row }) => (row === null ? [] : [source.columns.map((column) => row[column])]))
      const removed = page.flatMap(({ row, forget }) => (row === null ? [forget] : []))
      lines.push(line({ type: 'page', rows, removed, cursor: writeCursor(place) }))
    }
    if (page.length < pullPageRows) {
      place = { ...place, firstSince: null }
      lines.push(line({ type: 'end', cursor: writeCursor(place) }))
      services.metrics.pulled(brought)
    }
    return lines
  }
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' }
  if (isShort) {
    // Nearly every pull follows an event and brings a few rows: a whole answer, too small to be worth compressing.
    const whole = Buffer.concat([header, ...linesOf(first)])
    return new Response(whole, { headers: { ...headers, 'content-length': String(whole.byteLength) } })
  }

  let begun: PulledRow[] | null = first
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(header)
    },
    async pull(controller) {
      if (signal.aborted) {
        controller.close()
        return
      }
      const page =
        begun ??
        (await source.page(reads, requestAt()).catch((error: unknown) => {
          // The answer has begun, so the device only sees that it was cut, and goes on from its last page.
          services.log.error({ err: error, collection: query.collection }, 'a pull was cut')
          throw error
        }))
      begun = null
      for (const bytes of linesOf(page)) controller.enqueue(bytes)
      if (page.length < pullPageRows) controller.close()
    },
  })
  return new Response(body, { headers })
}

async function revisionOf(services: Services, scope: RevisionScope): Promise<number> {
  const row = await services.db.reads.selectFrom('scope_revisions').select('revision').where('scope', '=', scope).executeTakeFirst()
  return row?.revision ?? 0
}

/** A cursor may be well formed and yet name no place, such as an id that is none: the database says so. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === '22P02' || code === '22003') throw new Refusal('cursor-invalid')
    throw error
  }
}
