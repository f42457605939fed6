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

/** Work that the outbox could not save, with the message for the screen. */
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
  /** New work waits: wakes the drain. */
  onRecorded: () => void
}

type Waiting = { draft: Draft; settle: (result: Awaited<ReturnType<Outbox['record']>>) => void }

const longestName = 200
const longestTitle = 500
/** Every retry reads the numbers again, so this many retries only fail for another reason. */
const mostTries = 20

const notSealed: NotSaved = {
  reason: 'not-sealed',
  message: 'This device doesn’t have the server’s key yet, so it can’t save patient data. Connect it once, then try again.',
}
const signedOut: NotSaved = { reason: 'signed-out', message: 'No one is signed in on this device. Sign in and try again.' }

export function createOutbox(parts: OutboxParts): Outbox {
  const { environment, hot, session } = parts
  /** This tab's guess of each lane's next number. The transaction checks it, so a wrong guess costs a retry. */
  const nextOf = new Map<string, number>()
  let waiting: Waiting[] = []
  let writing = false
  /** Commands reported as NOT SAVED that may still be written. A repeat uses exactly the same command. */
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
   * Writes in one transaction. `facts` has the numbers that left the outbox, and the unique index guards the others. So
   * one read beside the one write proves the number, with no earlier read.
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
      // The caller already got an answer, so write nothing more.
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
        // An earlier try wrote them, and the browser did not report its success.
        if (found.length === drafts.length) return found
        if (found.length > 0) throw error
      }
    }
  }

  /** Scans that arrive during a write share the next transaction. */
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
            // The first write may still arrive, whether or not the second try failed.
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
   * Runs `work`, and repeats it on a new connection when the connection was lost. iOS closes databases under memory
   * pressure, and may leave a write without any answer. The hung write may still arrive, so `work` must check what is
   * already done.
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

  /** @throws OutboxProblem when nobody is signed in, except for punches, which carry their own proof */
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

  /** Seals the body of a command about a patient before it is written. */
  async function sealed(made: Draft): Promise<Draft> {
    if (!isSealed(made.kind)) return made
    const { sealDraft } = await import('#src/sync/session/seal-draft.ts')
    const ready = await sealDraft(hot, session.home(), environment.subtle, made)
    if (ready === null) throw new OutboxProblem(notSealed)
    return ready
  }

  const hashed = <D extends Draft>(made: D): Promise<D> => withHash(environment, made)

  /** The first repair fetches this code: scanning does not need it. */
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
        // A scan does not wait here. A repeat was sealed before, and must stay the same.
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

/** This code is fetched together with the exchange: see `begin` in `open-device.ts`. */
const fileCode = () => import('#src/sync/engine/outbox-file.ts')

/**
 * Adds the hash of everything that must not change. It is made with the command, because a newer app might compute
 * another.
 */
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
  // An error for many rows has the causes in its parts.
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

/** Whether the browser closed the database, or the database does not answer. */
function isConnectionLost(error: unknown): boolean {
  return namesOf(error).some((name) => lostNames.includes(name))
}

/** The message for a failed save. In every case the work was not saved. */
export function notSaved(error: unknown): NotSaved {
  if (error instanceof OutboxProblem) return error.problem
  if (namesOf(error).includes('QuotaExceededError')) {
    return { reason: 'disk-full', message: 'This device’s storage is full. Free up space, then try again.' }
  }
  return { reason: 'storage-closed', message: 'Couldn’t write to this device’s storage. Reload the page, then try again.' }
}
