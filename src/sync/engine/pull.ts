import * as v from 'valibot'
import { createStore } from 'zustand/vanilla'
import type { HomeInfo } from '#contract/people/session.ts'
import {
  collectionPermissions,
  collections,
  pullLine,
  syncEndpoints,
  type Collection,
  type PullHeader,
  type PullLine,
} from '#contract/sync/sync.ts'
import { openStream } from '#src/api/call.ts'
import type { Failure } from '#src/api/outcome.ts'
import { MirrorBusy, type MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { Mirror, MirrorProgress } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { linesOf, StreamCut } from '#src/sync/engine/lines.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import {
  clearScope,
  cursorKey,
  mirrorTables,
  newestReceipt,
  putRows,
  receivedAfter,
  removeRows,
  type HotCollection,
  type Row,
} from '#src/sync/device/mirror-tables.ts'
import { endsSession, isExpired, type SessionKeeper } from '#src/sync/session/session.ts'
import { backoffMs } from '#src/sync/engine/verdict.ts'

export type PullParts = {
  environment: Environment
  hot: HotDatabase
  session: SessionKeeper
  clock: ServerClock
  exclusion: Exclusion
  frames: MirrorWriter
  /** Null when nobody may read patients now, or their key is not here. */
  patients(): Promise<MirrorWriter | null>
  heard(online: boolean): void
  /** A call got no answer. Whether the server can be reached at all is a separate question. */
  doubt(): void
  set(change: { lastSyncedAt?: number }): void
  onEpoch(epoch: string): Promise<void>
  /** The server answers for another store than the known one: reads the user's home info again. */
  refreshHome(): void
}

export type Pull = Mirror & {
  /** Runs one at a time; later requests follow. Resolves when the rows are here, or cannot be fetched now. */
  run(wanted?: readonly Collection[]): Promise<void>
  /** Patients can be kept here again: fetches them if a pull had skipped them. */
  runMissed(): Promise<void>
  close(): void
}

/** The collections for the counting screen come first. */
const order: readonly HotCollection[] = ['count_sheets', 'count_scans', 'count_decisions', 'count_items', 'punches']
/** A stream that is silent for this long was cut, ms. */
export const pullIdleMs = 30_000
const goesOn = 6

/** The collections that carry the revisions of a scope, by its name in an event. */
export function collectionsOf(scope: string): readonly Collection[] {
  if (scope === 'chain') return ['frames']
  if (scope.startsWith('user:')) return ['punches']
  if (scope.startsWith('patients:')) return ['patients']
  return ['count_sheets', 'count_scans', 'count_decisions', 'count_items']
}

/** Large collections with a database and a lock of their own. */
function isPacked(name: Collection): name is Exclude<Collection, HotCollection> {
  return name === 'frames' || name === 'patients'
}

type StoredCursor = { cursor: string; complete: boolean } | null

class NoMore extends Error {}
class SomeoneElse extends Error {}

/**
 * The chain's frames are by far the longest collection, and no sheet waits for them. They have a stream and a lock of
 * their own, and so have the patients.
 */
export function createPull(parts: PullParts): Pull {
  const progress: Mirror['progress'] = createStore(() => ({ loading: null as MirrorProgress | null, lastPulledAt: null as number | null }))
  const frames = createTrack(parts, ['frames'], 'lorgnette-pull-frames', { loading: show, done() {} })
  const patients = createTrack(parts, ['patients'], 'lorgnette-pull-patients', { loading: show, done() {} })
  const rows = createTrack(parts, order, 'lorgnette-pull', {
    loading: show,
    done: () => progress.setState({ lastPulledAt: parts.environment.now() }),
  })

  function show() {
    progress.setState({ loading: frames.loading() ?? rows.loading() ?? patients.loading() })
  }

  return {
    progress,
    async run(asked = collections) {
      await Promise.all([rows.run(asked), frames.run(asked), patients.run(asked)])
    },
    async runMissed() {
      await patients.runMissed()
    },
    close() {
      rows.close()
      frames.close()
      patients.close()
    },
  }
}

type Track = {
  /** Fetches those of the requested collections that this track carries. */
  run(asked: readonly Collection[]): Promise<void>
  /** Fetches the collections that could not be kept before. */
  runMissed(): Promise<void>
  loading(): MirrorProgress | null
  close(): void
}

/** Fetches some of the collections, one after the other. */
function createTrack(parts: PullParts, carried: readonly Collection[], lockName: string, tell: { loading(): void; done(): void }): Track {
  const { environment, hot, session } = parts
  let loading: MirrorProgress | null = null
  let wanted = new Set<Collection>()
  /** A pull was requested while there was no place to keep the rows. */
  let isMissed = false
  let running: Promise<void> | null = null
  let cut = new AbortController()
  let closed = false
  let failures = 0
  /** The user of the present request. */
  let reading: HomeInfo | null = null
  /** The writer of a large collection; null for the others. */
  let packed: MirrorWriter | null = null
  /** The answer may lack rows from receipts above this number. */
  let receiptWhenAsked = 0
  let stopRetry: (() => void) | null = null

  const who = () => {
    // A user who continues after the session ended gets nothing more.
    const home = session.isOpen() ? session.home() : null
    return home ? `${home.id_user} ${home.store_id}` : ''
  }
  let lastWho = who()
  const stopSession = session.onChange(() => {
    if (who() === lastWho) return
    lastWho = who()
    cut.abort(new Error('Someone else, or another store'))
  })

  function show(now: MirrorProgress | null) {
    loading = now
    tell.loading()
  }

  async function run(asked: readonly Collection[]): Promise<void> {
    if (closed) return
    for (const name of asked) if (carried.includes(name)) wanted.add(name)
    running ??= loop()
      .catch((error: unknown) => {
        if (!closed) environment.report(error)
      })
      .finally(() => {
        running = null
        show(null)
      })
    await running
  }

  async function loop() {
    while (wanted.size > 0 && !closed && session.home() !== null && (await session.freshToken()) !== null) {
      // Before the choice: a change of user from here on cuts this turn.
      cut = new AbortController()
      const turn = carried.filter((name) => wanted.has(name) && mayRead(name))
      wanted = new Set()
      if (turn.length === 0) return
      packed = await packedWriter()
      isMissed = packed === null && turn.some(isPacked)
      if (isMissed) return
      try {
        await parts.exclusion.exclusively(lockName, 120_000, async () => {
          await pullAll(turn)
        })
        failures = 0
        tell.done()
        parts.set({ lastSyncedAt: environment.now() })
      } catch (error) {
        if (closed) return
        if (error instanceof SomeoneElse) await session.reload()
        if (cut.signal.aborted || error instanceof SomeoneElse) {
          // The new user or store needs the same collections, and more.
          for (const name of turn) wanted.add(name)
          continue
        }
        // A mirror that another tab is rebuilding is not an error either.
        if (!(error instanceof NoMore || error instanceof MirrorBusy)) environment.report(error)
        for (const name of turn) wanted.add(name)
        // Try again later, even without a new request.
        stopRetry?.()
        stopRetry = environment.schedule(backoffMs(failures, environment.random), () => void run([]))
        failures += 1
        return
      }
    }
  }

  /** Rows that this user may not read stay here for a colleague who may, with or without a connection. */
  function mayRead(name: Collection): boolean {
    return session.home()?.permissions.includes(collectionPermissions[name]) ?? false
  }

  async function packedWriter(): Promise<MirrorWriter | null> {
    if (carried.includes('frames')) return parts.frames
    return carried.includes('patients') ? await parts.patients() : null
  }

  /** @throws Error when rows come that this track cannot keep */
  function intoPacked(): MirrorWriter {
    if (packed === null) throw new Error('There is nowhere to put what the server sent')
    return packed
  }

  function scopeOf(name: Collection): string {
    const home = session.home()
    if (name === 'frames') return 'chain'
    if (name === 'patients') return `patients:${home?.store_id ?? 0}`
    return name === 'punches' ? `user:${home?.id_user ?? 0}` : `store:${home?.store_id ?? 0}`
  }

  /** Sends one request for all of them, and asks again for those that the answer did not complete. */
  async function pullAll(turn: readonly Collection[]): Promise<void> {
    const left = new Set(turn)
    let renewed = false
    let fromStart = false
    for (let tries = 0; left.size > 0 && tries < goesOn;) {
      const names = [...left]
      const cursors = await storedCursors(names, fromStart)
      const hasCursor = cursors.some((cursor) => cursor !== null)
      const token = session.accessToken()
      reading = session.home()
      const askedAt = environment.now()
      const answer = await openStream(
        environment,
        syncEndpoints.pull,
        { query: { collection: names.join(), ...(hasCursor && { cursor: cursors.map((cursor) => cursor?.cursor ?? '').join() }) } },
        { token, signal: cut.signal },
      )
      if (!answer.ok) {
        if (isExpired(answer.failure) && !renewed && (await session.renew(token)) === 'renewed') {
          renewed = true
          continue
        }
        if (isStale(answer.failure) && hasCursor) {
          // The present rows answer until the new ones come.
          fromStart = true
          tries += 1
          continue
        }
        if (endsSession(answer.failure)) await session.end(token)
        // A call that we canceled says nothing about the network.
        if (answer.failure.kind !== 'unreachable') parts.heard(true)
        else if (!cut.signal.aborted) parts.doubt()
        throw new NoMore(answer.failure.message)
      }
      parts.heard(true)
      const isFirst = new Set(names.filter((_, place) => !cursors[place]?.complete))
      const known = new Map(names.map((name, place) => [name, cursors[place]]))
      const { pages, ended } = await read(answer.value, askedAt, left, isFirst, known)
      fromStart = false
      if (left.size > 0 && cut.signal.aborted) throw new Error('The pull was cut')
      // A cut stream continues after the last stored page, as long as it brings something.
      tries = pages > 0 || ended > 0 ? 0 : tries + 1
    }
    if (left.size > 0) throw new NoMore('The server’s answers were cut again and again')
  }

  /** Stores the rows of an answer. Removes completed collections from `left`. */
  async function read(
    response: Response,
    askedAt: number,
    left: Set<Collection>,
    isFirst: ReadonlySet<Collection>,
    known: ReadonlyMap<Collection, StoredCursor | undefined>,
  ): Promise<{ pages: number; ended: number }> {
    let header: PullHeader | null = null
    /** The newest page of rows. Usually it is the last one, and then it is stored together with its end. */
    let held: { header: PullHeader; page: Page } | null = null
    /** The first new page replaces the present rows: both change in one transaction. */
    let replaces = false
    let pages = 0
    let ended = 0
    let done = 0
    const tellProgress = ({ collection: name, total }: PullHeader, complete: boolean) => {
      if (isFirst.has(name)) show({ collection: name, done, total: Math.max(done, total), complete })
    }
    /** The write under way. A mirror packs the next rows meanwhile. */
    let storing: Promise<void> = Promise.resolve()
    const store = async (of: PullHeader, page: Page, end: Standing | null) => {
      held = null
      const before = storing
      storing = applyPage(of.collection, of, page, end, replaces).then(() => {
        replaces = false
        pages += 1
        done += page.rows.length
        tellProgress(of, false)
      })
      storing.catch(() => undefined)
      await (isPacked(of.collection) ? before : storing)
    }
    const storeHeld = async (end: Standing | null = null) => {
      if (held) await store(held.header, held.page, end)
    }
    try {
      for await (const text of linesOf(environment, response, pullIdleMs)) {
        if (text === '') continue
        if (cut.signal.aborted) break
        const said = readLine(text)
        // The last line of a stream that was cut.
        if (said === null) break
        if (said.type === 'header') {
          // The held page belongs to the collection before, whether complete or not.
          await storeHeld()
          await storing
          header = said
          done = 0
          parts.clock.learn(said.server_time, askedAt)
          await parts.onEpoch(said.epoch)
          // The answer to a change of store came, but a full disk did not keep it.
          if (said.scope !== scopeOf(said.collection)) {
            parts.refreshHome()
            throw new NoMore('The server answers for another store')
          }
          if (isPacked(said.collection) && said.replace) await intoPacked().beginReplace(said.total)
          replaces = said.replace
          tellProgress(said, false)
        } else if (!header || !left.has(header.collection)) {
          throw new Error('The server’s answer to a pull is not what was asked for')
        } else if (said.type === 'page') {
          await storeHeld()
          if (isPacked(header.collection)) await store(header, said, null)
          else held = { header, page: said }
        } else {
          await storing
          const before = known.get(header.collection)
          if (held) await storeHeld(said)
          // Most requests have missed nothing: then nothing is written, and no window is informed.
          else if (replaces || !before?.complete || before.cursor !== said.cursor) await finish(header.collection, header, said, replaces)
          tellProgress(header, true)
          left.delete(header.collection)
          ended += 1
          header = null
        }
      }
    } catch (error) {
      if (!(error instanceof StreamCut)) throw error
    } finally {
      // When the pull ends, none of its writes is under way.
      await storing
    }
    // If it was cut, the next request continues after the held page.
    if (!cut.signal.aborted) await storeHeld()
    return { pages, ended }
  }

  /** Reads the cursors; with `fromStart` all are null. Notes the newest receipt of the same moment. */
  async function storedCursors(names: readonly Collection[], fromStart: boolean): Promise<StoredCursor[]> {
    if (packed !== null) return [fromStart ? null : await packed.cursor()]
    const keys = names.flatMap((name) => (isPacked(name) ? [] : [cursorKey(name, scopeOf(name))]))
    return await hot.transaction('r', hot.cursors, hot.settled, async () => {
      const [cursors, newest] = await Promise.all([hot.cursors.bulkGet(keys), newestReceipt(hot)])
      receiptWhenAsked = newest
      return cursors.map((cursor) => (fromStart ? null : (cursor ?? null)))
    })
  }

  type Standing = { cursor: string; revision: number }
  type Page = { rows: unknown[][]; removed: (string | number)[] } & Standing

  /** @param end the end of the collection, when this was the last page; a stream of frames has its own end */
  async function applyPage(name: Collection, header: PullHeader, page: Page, end: Standing | null, replaces: boolean) {
    if (isPacked(name)) {
      await intoPacked().applyPage({ columns: header.columns, epoch: header.epoch, ...page })
      return
    }
    const rows = page.rows.map((tuple): Row => Object.fromEntries(header.columns.map((column, index) => [column, tuple[index]])))
    await change(name, header, replaces, async () => {
      await putRows(hot, name, rows)
      await removeRows(hot, name, page.removed)
      await keepCursor(name, header, end ?? page, end !== null)
    })
  }

  async function finish(name: Collection, header: PullHeader, end: Standing, replaces: boolean) {
    if (isPacked(name)) await intoPacked().endReplace(end.cursor, header.epoch)
    else await change(name, header, replaces, () => keepCursor(name, header, end, true))
  }

  /** Runs one transaction. When rows are being replaced, it first drops the present ones. */
  async function change(name: HotCollection, header: PullHeader, replaces: boolean, work: () => Promise<void>) {
    await hot.transaction('rw', [...mirrorTables(hot), hot.cursors, hot.session, hot.settled], async () => {
      await stillTheSame()
      if (replaces) await clearScope(hot, name, header.scope, await receivedAfter(hot, receiptWhenAsked))
      await work()
    })
  }

  /** Another tab may have signed in another user, who must not find rows that the former user was allowed to see. */
  async function stillTheSame() {
    const home = (await hot.session.get('session'))?.home
    if (!home || !reading || home.id_user !== reading.id_user || home.store_id !== reading.store_id) throw new SomeoneElse()
  }

  async function keepCursor(name: HotCollection, header: PullHeader, { cursor, revision }: Standing, complete: boolean) {
    const updated_at = new Date(environment.now()).toISOString()
    await hot.cursors.put({ key: cursorKey(name, header.scope), epoch: header.epoch, cursor, complete, revision, updated_at })
  }

  return {
    run,
    async runMissed() {
      if (isMissed) await run(carried)
    },
    loading: () => loading,
    close() {
      closed = true
      stopRetry?.()
      stopSession()
      cut.abort(new Error('The app was closed'))
    },
  }
}

function isStale(failure: Failure): boolean {
  return failure.kind === 'refused' && (failure.code === 'cursor-stale' || failure.code === 'cursor-invalid')
}

/** Returns null for a text that is no complete line. @throws for a line that does not match the contract */
function readLine(text: string): PullLine | null {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return null
  }
  return v.parse(pullLine, said)
}
