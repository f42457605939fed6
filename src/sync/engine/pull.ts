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
  /** Null where nobody may read patients now, or the key for them is not here. */
  patients(): Promise<MirrorWriter | null>
  heard(online: boolean): void
  /** A call got no answer: whether the server can be reached at all is another question. */
  doubt(): void
  set(change: { lastSyncedAt?: number }): void
  onEpoch(epoch: string): Promise<void>
  /** The server answers for another store than the one that is known here: reads the person's home info anew. */
  refreshHome(): void
}

export type Pull = Mirror & {
  /** One at a time; what is asked for meanwhile follows. Resolves when it has been fetched, or cannot be now. */
  run(wanted?: readonly Collection[]): Promise<void>
  /** Patients can be kept here again: fetches them if that was asked for while they could not. */
  runMissed(): Promise<void>
  close(): void
}

/** What the counting screen needs first comes first. */
const order: readonly HotCollection[] = ['count_sheets', 'count_scans', 'count_decisions', 'count_items', 'punches']
/** A stream that says nothing for so long was cut. */
export const pullIdleMs = 30_000
const goesOn = 6

/** Which collections carry the revisions of a scope, as an event names it. */
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
 * The chain's frames are by far the longest, and nobody’s sheet waits for them: they have a stream and a lock of their own, and so have
 * the patients.
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
  /** Fetches what it carries of the collections that are asked for. */
  run(asked: readonly Collection[]): Promise<void>
  /** The same for what had nowhere to go before. */
  runMissed(): Promise<void>
  loading(): MirrorProgress | null
  close(): void
}

/** Fetches some of the collections, one after the other. */
function createTrack(parts: PullParts, carried: readonly Collection[], lockName: string, tell: { loading(): void; done(): void }): Track {
  const { environment, hot, session } = parts
  let loading: MirrorProgress | null = null
  let wanted = new Set<Collection>()
  /** It was asked for, and there was nowhere to put it. */
  let isMissed = false
  let running: Promise<void> | null = null
  let cut = new AbortController()
  let closed = false
  let failures = 0
  /** For whom the answer that is being read was asked. */
  let reading: HomeInfo | null = null
  /** Where the rows of a large collection go; null for the others. */
  let packed: MirrorWriter | null = null
  /** What receipts above this number brought, the answer may not know of. */
  let receiptWhenAsked = 0
  let stopRetry: (() => void) | null = null

  const who = () => {
    // A user who works on after the session ended gets nothing more.
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
      const turn = carried.filter((name) => wanted.has(name) && mayRead(name))
      wanted = new Set()
      if (turn.length === 0) return
      packed = await packedWriter()
      isMissed = packed === null && turn.some(isPacked)
      if (isMissed) return
      cut = new AbortController()
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
          // The new person or store needs the same, and more.
          for (const name of turn) wanted.add(name)
          continue
        }
        // A mirror that another tab is rebuilding is no surprise either.
        if (!(error instanceof NoMore || error instanceof MirrorBusy)) environment.report(error)
        for (const name of turn) wanted.add(name)
        // Whatever else may ask for it: what is missing is fetched by itself.
        stopRetry?.()
        stopRetry = environment.schedule(backoffMs(failures, environment.random), () => void run([]))
        failures += 1
        return
      }
    }
  }

  /** What this person may not read stays as it was: a colleague who may finds it here, with or without a connection. */
  function mayRead(name: Collection): boolean {
    return session.home()?.permissions.includes(collectionPermissions[name]) ?? false
  }

  async function packedWriter(): Promise<MirrorWriter | null> {
    if (carried.includes('frames')) return parts.frames
    return carried.includes('patients') ? await parts.patients() : null
  }

  /** @throws Error where rows come that nobody keeps here */
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

  /** One request for all of them; what its answer did not bring to an end is asked for again. */
  async function pullAll(turn: readonly Collection[]): Promise<void> {
    const left = new Set(turn)
    let renewed = false
    let anew = false
    for (let tries = 0; left.size > 0 && tries < goesOn;) {
      const names = [...left]
      const cursors = await storedCursors(names, anew)
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
          // What is there goes on answering until the new rows come.
          anew = true
          tries += 1
          continue
        }
        if (endsSession(answer.failure)) await session.end(token)
        // What we cut ourselves says nothing about the network.
        if (answer.failure.kind !== 'unreachable') parts.heard(true)
        else if (!cut.signal.aborted) parts.doubt()
        throw new NoMore(answer.failure.message)
      }
      parts.heard(true)
      const isFirst = new Set(names.filter((_, place) => !cursors[place]?.complete))
      const known = new Map(names.map((name, place) => [name, cursors[place]]))
      const { pages, ended } = await read(answer.value, askedAt, left, isFirst, known)
      anew = false
      if (left.size > 0 && cut.signal.aborted) throw new Error('The pull was cut')
      // A stream that was cut goes on where the last stored page ended, as long as it brings something.
      tries = pages > 0 || ended > 0 ? 0 : tries + 1
    }
    if (left.size > 0) throw new NoMore('The server’s answers were cut again and again')
  }

  /** Stores what an answer brings. Takes out of `left` what came to its end. */
  async function read(
    response: Response,
    askedAt: number,
    left: Set<Collection>,
    isFirst: ReadonlySet<Collection>,
    known: ReadonlyMap<Collection, StoredCursor | undefined>,
  ): Promise<{ pages: number; ended: number }> {
    let header: PullHeader | null = null
    /** The newest page of rows: mostly the last one too, and then it is stored together with its end. */
    let held: { header: PullHeader; page: Page } | null = null
    /** What is there stays until the first of what replaces it: both change in one transaction. */
    let replaces = false
    let pages = 0
    let ended = 0
    let done = 0
    const tellProgress = ({ collection: name, total }: PullHeader, complete: boolean) => {
      if (isFirst.has(name)) show({ collection: name, done, total: Math.max(done, total), complete })
    }
    /** What is on its way to the disk: a mirror packs the next rows meanwhile. */
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
          // What came before it belongs to the collection before it, whether or not that came to its end.
          await storeHeld()
          await storing
          header = said
          done = 0
          parts.clock.learn(said.server_time, askedAt)
          await parts.onEpoch(said.epoch)
          // The answer to a change of store came, and could not be kept on a full disk.
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
          // Most who ask have missed nothing: then nothing is written, and no window is told.
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
      // Whoever was told that the pull is over finds nothing of it still at work.
      await storing
    }
    // Cut after it: the next request goes on behind it.
    if (!cut.signal.aborted) await storeHeld()
    return { pages, ended }
  }

  /** How far each has come; with `anew` as if none had come anywhere. Notes the newest receipt of the same moment. */
  async function storedCursors(names: readonly Collection[], anew: boolean): Promise<StoredCursor[]> {
    if (packed !== null) return [anew ? null : await packed.cursor()]
    const keys = names.flatMap((name) => (isPacked(name) ? [] : [cursorKey(name, scopeOf(name))]))
    return await hot.transaction('r', hot.cursors, hot.settled, async () => {
      const [cursors, newest] = await Promise.all([hot.cursors.bulkGet(keys), newestReceipt(hot)])
      receiptWhenAsked = newest
      return cursors.map((cursor) => (anew ? null : (cursor ?? null)))
    })
  }

  type Standing = { cursor: string; revision: number }
  type Page = { rows: unknown[][]; removed: (string | number)[] } & Standing

  /** @param end where it ended, when this was the last page; a stream of frames says that by itself */
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

  /** One transaction; it begins with dropping what is there when that is being replaced. */
  async function change(name: HotCollection, header: PullHeader, replaces: boolean, work: () => Promise<void>) {
    await hot.transaction('rw', [...mirrorTables(hot), hot.cursors, hot.session, hot.settled], async () => {
      await stillTheSame()
      if (replaces) await clearScope(hot, name, header.scope, await receivedAfter(hot, receiptWhenAsked))
      await work()
    })
  }

  /** Another tab may have signed someone else in, who must not find what the one before was allowed to see. */
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

/** Null for what is no whole line. Throws for a line that is none of the contract's. */
function readLine(text: string): PullLine | null {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return null
  }
  return v.parse(pullLine, said)
}
