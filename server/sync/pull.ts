import { Refusal } from '#contract/core/errors.ts'
import { closedSheetDays, type Collection, collectionPermissions, type pull, type PullLine } from '#contract/sync/sync.ts'
import type { RevisionScope } from '#server/platform/db/database.ts'
import type { Handler } from '#server/platform/http/handler.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type Turns, turnsOf } from '#server/platform/http/turns.ts'
import type { Services } from '#server/platform/services.ts'
import { noteMirrorRead } from '#server/domain/people/mirror-reads.ts'
import { type Cursor, readCursor, wholeRevision, writeCursor } from '#server/sync/cursor.ts'
import { type PageRequest, type PulledRow, pullSources } from '#server/sync/pull-sources.ts'

export const pullPageRows = 2000

/**
 * Answers all changes after each collection's cursor. Few rows, as after nearly every event, go out at once with their
 * length. A long collection is streamed and ends the answer. It goes out a page at a time and only as fast as the
 * device reads, so that memory does not grow with it. Each page is its own read: revisions are raised before anything
 * is written, so their order is the order of commits, and nothing can appear behind a cursor.
 */
export const pullHandler: Handler<typeof pull> = async ({ query, services, scope, signal }) => {
  const { pages } = turnsOf(services.db)
  pages.assertRoom()
  const { epoch, revisions } = await readStanding(
    services,
    query.collection.map((collection) => pullSources[collection].scope(scope)),
  )
  const cursors = query.cursor?.split(',') ?? []
  const known = query.collection.map((_, place) => (cursors[place] ? readCursor(cursors[place]) : null))
  if (cursors.length > known.length) throw new Refusal('cursor-invalid')
  if (known.some((cursor) => cursor && cursor.epoch !== epoch)) throw new Refusal('cursor-stale')

  const said: Uint8Array[] = []
  for (const [place, collection] of query.collection.entries()) {
    const section = openSection({ services, scope, epoch, revisions, collection, known: known[place] ?? null })
    const first = section.hasNews ? await pages.take(signal, () => readable(() => section.read()), place > 0) : []
    if (collection === 'patients') await noteMirrorRead(services, scope, first.length)
    said.push(section.header(isLast(first) ? first.length : await section.total()), ...section.linesOf(first))
    if (isLast(first)) continue
    return new Response(streamed(section, said, { pages, signal, log: services.log }), { headers })
  }
  const whole = Buffer.concat(said)
  // With a length the answer is neither streamed nor, when tiny, compressed.
  return new Response(whole, { headers: { ...headers, 'content-length': String(whole.byteLength) } })
}

const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' }

const isLast = (page: readonly PulledRow[]) => page.length < pullPageRows

type Asked = { services: Services; scope: Scope; collection: Collection; known: Cursor | null } & Standing
type Section = ReturnType<typeof openSection>

/** Prepares the answer on one collection. */
function openSection({ services, scope, epoch, revisions, collection, known }: Asked) {
  const { pool } = services.db
  const source = pullSources[collection]
  const revisionScope = source.scope(scope)
  // A user without the right sees nothing. That is its own view, so a tablet drops the former user's rows.
  const mayRead = scope.permissions.has(collectionPermissions[collection])
  const view = `${revisionScope}${mayRead ? (source.view?.(scope) ?? '') : ' nothing'}`
  // Only a cursor from a history that a restore undid is ahead of the server. It must not miss the rows that follow.
  const reached = revisions.get(revisionScope) ?? 0
  const isForeign = known !== null && (known.view !== view || known.revision > reached)
  let place: Cursor
  if (known && !isForeign) place = known
  else {
    const since = new Date(services.clock.now() - closedSheetDays * 86_400_000).toISOString()
    place = { epoch, view, revision: -1, id: source.firstId, firstSince: since }
  }
  const requestAt = (): PageRequest => ({
    person: scope,
    after: place.id === wholeRevision ? { revision: place.revision + 1, id: source.firstId } : place,
    firstSince: place.firstSince,
    limit: pullPageRows,
  })
  const encoder = new TextEncoder()
  const brought = { collection, rows: 0, bytes: 0 }
  const line = (value: PullLine) => {
    const bytes = encoder.encode(`${JSON.stringify(value)}\n`)
    brought.bytes += bytes.byteLength
    return bytes
  }
  return {
    collection,
    /** False when the device has everything: most devices that come back have missed nothing, and cost no query. */
    hasNews: place.id !== wholeRevision || place.revision < reached,
    /** Reads the next page. */
    read: async () => (mayRead ? await source.page(pool, requestAt()) : []),
    total: async () => (mayRead ? await source.total(pool, requestAt()) : 0),
    header: (total: number) =>
      line({
        type: 'header',
        collection,
        epoch,
        scope: revisionScope,
        columns: [...source.columns],
        total,
        replace: known === null || isForeign,
        server_time: new Date(services.clock.now()).toISOString(),
      }),
    /** A page as lines, with the end when it is the last. */
    linesOf(page: readonly PulledRow[]) {
      const lines: Uint8Array[] = []
      brought.rows += page.length
      const last = page.at(-1)
      if (last) {
        place = { ...place, revision: last.revision, id: last.id }
        const rows = page.flatMap(({ row }) => (row === null ? [] : [source.columns.map((column) => row[column])]))
        const removed = page.flatMap(({ row, forget }) => (row === null ? [forget] : []))
        lines.push(line({ type: 'page', rows, removed, cursor: writeCursor(place), revision: place.revision }))
      }
      if (isLast(page)) {
        // Everything up to `reached` was committed before this page was read.
        place = { ...place, revision: Math.max(place.revision, reached), id: wholeRevision, firstSince: null }
        lines.push(line({ type: 'end', cursor: writeCursor(place), revision: place.revision }))
        services.metrics.pulled(brought)
      }
      return lines
    },
  }
}

/** Streams the finished lines, then the rest of their last section. */
function streamed(
  section: Section,
  said: readonly Uint8Array[],
  { pages, signal, log }: { pages: Turns; signal: AbortSignal; log: Services['log'] },
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const bytes of said) controller.enqueue(bytes)
    },
    async pull(controller) {
      if (signal.aborted) {
        controller.close()
        return
      }
      const page = await pages
        .take(signal, () => section.read(), true)
        .catch((error: unknown) => {
          // The answer has begun, so the device only sees that it was cut. It continues from its last page.
          if (!signal.aborted) log.error({ err: error, collection: section.collection }, 'a pull was cut')
          throw error
        })
      for (const bytes of section.linesOf(page)) controller.enqueue(bytes)
      if (isLast(page)) controller.close()
    },
  })
}

type Standing = { epoch: string; revisions: ReadonlyMap<string, number> }

/** Reads the current history and the revisions of the scopes, in one query, because every pull needs them. */
async function readStanding(services: Services, scopes: readonly RevisionScope[]): Promise<Standing> {
  const rows = await services.db.pool
    .selectFrom('server_state')
    .leftJoin('scope_revisions', (join) => join.on('scope_revisions.scope', 'in', [...new Set(scopes)]))
    .select(['server_state.epoch', 'scope_revisions.scope', 'scope_revisions.revision'])
    .execute()
  const [state] = rows
  if (!state) throw new Error('the server has no state')
  return { epoch: state.epoch, revisions: new Map(rows.flatMap((row) => (row.scope === null ? [] : [[row.scope, row.revision ?? 0]]))) }
}

/** A well-formed cursor may still name no place, such as an invalid id. The database reports that. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === '22P02' || code === '22003') throw new Refusal('cursor-invalid')
    throw error
  }
}
