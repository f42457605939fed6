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
 * Answers what changed after each collection's cursor. Few rows, as after nearly every event, are said at once with their length;
 * a long collection is streamed, a page at a time and only as fast as it is read, so that memory does not grow with it, and ends
 * the answer. Each page is a read of its own: revisions are raised before anything is written, so the order of revisions is
 * the order of commits and nothing can appear behind a cursor.
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
  // Said with its length it is neither streamed nor, when tiny, compressed.
  return new Response(whole, { headers: { ...headers, 'content-length': String(whole.byteLength) } })
}

const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' }

const isLast = (page: readonly PulledRow[]) => page.length < pullPageRows

type Asked = { services: Services; scope: Scope; collection: Collection; known: Cursor | null } & Standing
type Section = ReturnType<typeof openSection>

/** What there is to say of one collection. */
function openSection({ services, scope, epoch, revisions, collection, known }: Asked) {
  const { pool } = services.db
  const source = pullSources[collection]
  const revisionScope = source.scope(scope)
  // For who may not read it there is nothing to see. That is a view of its own, so a tablet drops what it had of the person before.
  const mayRead = scope.permissions.has(collectionPermissions[collection])
  const view = `${revisionScope}${mayRead ? (source.view?.(scope) ?? '') : ' nothing'}`
  // Ahead of the server is only a cursor of a history that a restore has undone: what follows must not be missed.
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
    /** False when the device has all that there is: most who come back have missed nothing, and cost no question. */
    hasNews: place.id !== wholeRevision || place.revision < reached,
    /** The page after what was said. */
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
        // All up to `reached` was committed before this page was read.
        place = { ...place, revision: Math.max(place.revision, reached), id: wholeRevision, firstSince: null }
        lines.push(line({ type: 'end', cursor: writeCursor(place), revision: place.revision }))
        services.metrics.pulled(brought)
      }
      return lines
    },
  }
}

/** What was said so far, and the rest of its last section. */
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
          // The answer has begun, so the device only sees that it was cut, and goes on from its last page.
          if (!signal.aborted) log.error({ err: error, collection: section.collection }, 'a pull was cut')
          throw error
        })
      for (const bytes of section.linesOf(page)) controller.enqueue(bytes)
      if (isLast(page)) controller.close()
    },
  })
}

type Standing = { epoch: string; revisions: ReadonlyMap<string, number> }

/** The history that the server is in, and how far the scopes have come; one question, because every pull asks it. */
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
