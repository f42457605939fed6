import { Dexie } from 'dexie'
import { hashedText } from '#contract/sync/command-hash.ts'
import { commandVersions, sealedKinds } from '#contract/sync/command-versions.ts'
import type { Captured, CommandKind } from '#contract/sync/commands.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { NotSaved, Outbox } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { highWaterIn, highWaterKey, highWaterOf } from '#src/sync/engine/lane-numbers.ts'
import type { OutboxRepair } from '#src/sync/engine/outbox-repair.ts'
import type { Draft } from '#src/sync/engine/outbox-rows.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'

/** A wish that the outbox could not fulfil, with what the screen says. */
export class OutboxProblem extends Error {
  readonly problem: NotSaved
  constructor(problem: NotSaved) {
    super(problem.message)
    this.name = 'OutboxProblem'
    this.problem = problem
  }
}

export type OutboxParts = {
  environment: Environment
  hot: HotDatabase
  session: SessionKeeper
  clock: ServerClock
  deviceId: () => string
  deviceName: () => Promise<string>
  /** Something new waits: the drainer is woken. */
  onRecorded: () => void
}

type Waiting = { draft: Draft; settle: (result: Awaited<ReturnType<Outbox['record']>>) => void }

const longestName = 200
const longestTitle = 500
/** Every repeat reads the numbers anew, so this many only fail where something else is wrong. */
const mostTries = 20

const notSealed: NotSaved = {
  reason: 'not-sealed',
  message: 'This device doesn’t have the server’s key yet, so it can’t save patient data. Connect it once, then try again.',
}
const signedOut: NotSaved = { reason: 'signed-out', message: 'No one is signed in on this device. Sign in and try again.' }

export function createOutbox(parts: OutboxParts): Outbox {
  const { environment, hot, session } = parts
  /** What this tab believes to be each lane's next number. The transaction proves it, so a wrong belief costs a repeat. */
  const nextOf = new Map<string, number>()
  let waiting: Waiting[] = []
  let writing = false
  /** Called NOT SAVED, and yet perhaps written: done again, they are the same to the last letter. */
  const inDoubt = new Map<string, Draft>()

  const newest = (lane: string) =>
    hot.outbox
      .where('[lane+lane_seq+device_id]')
      .between([lane], [lane, Dexie.maxKey])
      .reverse()
      .filter((command) => command.device_id === parts.deviceId())
      .first()

  async function readNext(lane: string): Promise<number> {
    const [last, settled] = await Promise.all([newest(lane), highWaterOf(hot, lane)])
    return Math.max(last?.lane_seq ?? 0, settled) + 1
  }

  /**
   * One transaction. What left the outbox left its number in `facts`, what is still in it is guarded by the unique
   * index: one read beside the one write proves the number without waiting for anything first.
   */
  async function write(drafts: Draft[], patience: AbortSignal): Promise<OutboxCommand[]> {
    const lanes = [...new Set(drafts.map((draft) => draft.lane))]
    for (let tries = 1; ; tries += 1) {
      for (const lane of lanes) if (!nextOf.has(lane)) nextOf.set(lane, await readNext(lane))
      const next = new Map(lanes.map((lane) => [lane, nextOf.get(lane) ?? 1]))
      const commands = drafts.map((draft) => {
        const lane_seq = next.get(draft.lane) ?? 1
        next.set(draft.lane, lane_seq + 1)
        return { ...draft, lane_seq }
      })
      // Nobody waits any more, and something else has been said of it.
      patience.throwIfAborted()
      try {
        const first = new Map(lanes.map((lane) => [lane, nextOf.get(lane) ?? 1]))
        await hot.addToOutbox(commands, lanes.map(highWaterKey), (facts) => {
          if (lanes.some((lane, index) => highWaterIn(facts[index]) >= (first.get(lane) ?? 1))) throw new NumberTaken()
        })
        for (const [lane, number] of next) nextOf.set(lane, number)
        return commands
      } catch (error) {
        for (const lane of lanes) nextOf.delete(lane)
        if (!isNumberTaken(error) || tries >= mostTries) throw error
        const found = (await hot.outbox.bulkGet(drafts.map(({ id }) => id))).filter((command) => command !== undefined)
        // Written by an earlier try whose success the browser did not tell.
        if (found.length === drafts.length) return found
        if (found.length > 0) throw error
      }
    }
  }

  /** Scans that arrive while one is being written share the next transaction. */
  async function flush() {
    if (writing) return
    writing = true
    await Promise.resolve()
    try {
      while (waiting.length > 0) {
        const turn = waiting
        waiting = []
        let hasHung = false
        try {
          const drafts = await Promise.all(turn.map(({ draft }) => hashed(draft)))
          const commands = await withReopening((patience) => {
            patience.addEventListener('abort', () => (hasHung = true))
            return write(drafts, patience)
          })
          turn.forEach(({ settle }, index) => {
            const command = commands[index]
            if (!command) return
            inDoubt.delete(command.id)
            settle({ saved: true, command })
          })
          parts.onRecorded()
        } catch (error) {
          const problem = notSaved(error)
          for (const { draft, settle } of turn) {
            // It may get through yet, whatever became of the second try.
            if (hasHung) inDoubt.set(draft.id, draft)
            settle({ saved: false, problem: inDoubt.has(draft.id) ? { ...problem, id: draft.id } : problem })
          }
        }
      }
    } finally {
      writing = false
    }
  }

  /**
   * iOS closes databases under memory pressure, and may leave a write without any answer: one reopening usually cures it.
   * What hung may still get through, so `work` must find out what it finds done.
   */
  async function withReopening<T>(work: (patience: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await inTime(work)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      return await inTime(async (patience) => {
        hot.close({ disableAutoOpen: false })
        await hot.openSafely()
        return await work(patience)
      })
    }
  }

  /** @throws WriteHung */
  function inTime<T>(work: (patience: AbortSignal) => Promise<T>): Promise<T> {
    const patience = new AbortController()
    return new Promise((resolve, reject) => {
      const stopClock = environment.schedule(environment.diskPatienceMs, () => {
        const hung = new WriteHung()
        patience.abort(hung)
        reject(hung)
      })
      work(patience.signal).then(resolve, reject).finally(stopClock)
    })
  }

  function captureNow(): Captured {
    return {
      wall: new Date(environment.now()).toISOString(),
      time_zone: environment.timeZone(),
      server_offset_ms: parts.clock.offsetMs(),
      monotonic_ms: environment.monotonic(),
    }
  }

  /** @throws OutboxProblem when nobody is signed in, except for punches, which carry their own proof. */
  function draft(
    kind: CommandKind,
    lane: string,
    body: Record<string, unknown>,
    more: { title: string; id?: string; captured?: Captured; store_id?: number | null; by?: HomeInfo },
  ): Draft {
    const home = more.by ?? session.home()
    const isPunch = kind === 'punch.record'
    if (!home && !isPunch) throw new OutboxProblem(signedOut)
    const author =
      isPunch || !home
        ? { id_user: null, name: typeof body['username'] === 'string' ? body['username'].slice(0, longestName) : '' }
        : { id_user: home.id_user, name: `${home.first_name} ${home.last_name}`.trim().slice(0, longestName) }
    return {
      id: more.id ?? environment.newId(),
      lane,
      kind,
      version: commandVersions[kind],
      body,
      store_id: more.store_id === undefined ? (home?.store_id ?? null) : more.store_id,
      author,
      capture_token: isPunch ? null : (home?.capture_token ?? null),
      device_id: parts.deviceId(),
      captured: more.captured ?? captureNow(),
      state: 'queued',
      body_hash: null,
      attempts: 0,
      failing_since: null,
      not_before: 0,
      last_error: null,
      created_at: new Date(environment.now()).toISOString(),
      title: more.title.slice(0, longestTitle),
    }
  }

  /** What says something of a patient is sealed before it is written down. */
  async function sealed(made: Draft): Promise<Draft> {
    if (!isSealed(made.kind)) return made
    const { sealDraft } = await import('#src/sync/session/seal-draft.ts')
    const ready = await sealDraft(hot, session.home(), environment.subtle, made)
    if (ready === null) throw new OutboxProblem(notSealed)
    return ready
  }

  const hashed = <D extends Draft>(made: D): Promise<D> => withHash(environment, made)

  /** Fetched with the first who repairs something: whoever scans needs none of it. */
  async function repairing(): Promise<OutboxRepair> {
    const { createOutboxRepair } = await import('#src/sync/engine/outbox-repair.ts')
    const changed = () => {
      nextOf.clear()
      parts.onRecorded()
    }
    return createOutboxRepair({ environment, hot, deviceId: parts.deviceId, draft, hashed, sealed, readNext, withReopening, changed })
  }

  return {
    record(kind, lane, body, more) {
      const before = inDoubt.get(more.id ?? '')
      let made: Draft
      try {
        made = before ?? draft(kind, lane, body, more)
      } catch (error) {
        return Promise.resolve({ saved: false, problem: notSaved(error) })
      }
      return new Promise((settle) => {
        const push = (ready: Draft) => {
          waiting.push({ draft: ready, settle })
          void flush()
        }
        // A scan waits for nothing here; what is done again was sealed then, and must be the same.
        if (before || !isSealed(kind)) push(made)
        else sealed(made).then(push, (error: unknown) => settle({ saved: false, problem: notSaved(error) }))
      })
    },
    async retry(id) {
      await (await repairing()).retry(id)
    },
    async correct(id, body) {
      await (await repairing()).correct(id, body)
    },
    async discard(id, reason) {
      await (await repairing()).discard(id, reason)
    },
    async exportUnsent() {
      const { exportUnsent } = await fileCode()
      return await exportUnsent(environment, hot, parts)
    },
    async importUnsent(text) {
      const { importUnsent } = await fileCode()
      const result = await importUnsent(environment, hot, parts.deviceId(), text)
      nextOf.clear()
      if (result.added > 0) parts.onRecorded()
      return result
    },
  }
}

function isSealed(kind: string): boolean {
  return sealedKinds.some((sealing) => sealing === kind)
}

/** Beside what talks to the server, and fetched with it: see `begin` in `open-device.ts`. */
const fileCode = () => import('#src/sync/engine/outbox-file.ts')

/** With the hash of all that must not change: made with the command, for a newer app might make another. */
export async function withHash<D extends Draft>(environment: Pick<Environment, 'sha256'>, made: D): Promise<D> {
  return made.body_hash === null ? { ...made, body_hash: await environment.sha256(hashedText(made)) } : made
}

class WriteHung extends Error {
  constructor() {
    super('The database did not answer')
    this.name = 'WriteHung'
  }
}

class NumberTaken extends Error {
  constructor() {
    super('Another tab took this number')
    this.name = 'NumberTaken'
  }
}

function isNumberTaken(error: unknown): boolean {
  return error instanceof NumberTaken || namesOf(error).includes('ConstraintError')
}

function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const inner = 'inner' in error ? namesOf(error.inner) : []
  // One error for many rows says in its parts what was wrong.
  const parts = 'failures' in error && Array.isArray(error.failures) ? error.failures.flatMap((part: unknown) => namesOf(part)) : []
  return [error.name, ...inner, ...parts]
}

const lostNames = [
  'DatabaseClosedError',
  'InvalidStateError',
  'UnknownError',
  'OpenFailedError',
  'TransactionInactiveError',
  'PrematureCommitError',
  'WriteHung',
]

/** The browser closed the database under us, or it does not answer. */
function isConnectionLost(error: unknown): boolean {
  return namesOf(error).some((name) => lostNames.includes(name))
}

/** What the screen says about a save that failed. Whatever the cause, it was not saved. */
export function notSaved(error: unknown): NotSaved {
  if (error instanceof OutboxProblem) return error.problem
  if (namesOf(error).includes('QuotaExceededError')) {
    return { reason: 'disk-full', message: 'This device’s storage is full. Free up space, then try again.' }
  }
  return { reason: 'storage-closed', message: 'Couldn’t write to this device’s storage. Reload the page, then try again.' }
}
