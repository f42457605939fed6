import * as v from 'valibot'
import { wireCommand } from '#contract/sync/command.ts'
import { pushBatchLimit, syncEndpoints } from '#contract/sync/sync.ts'
import { sealedPunch, timeCardEndpoints } from '#contract/people/time-card.ts'
import { call } from '#src/api/call.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import { tabletHeaders } from '#src/sync/session/device-token.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { withHash } from '#src/sync/engine/outbox.ts'
import { currentEpoch, wireOf } from '#src/sync/engine/outbox-rows.ts'
import { askAgain } from '#src/sync/engine/ask-again.ts'
import { pick, type Picked } from '#src/sync/engine/pick.ts'
import { pushBody, type PushParts } from '#src/sync/engine/push-body.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'
import { signCommands } from '#src/sync/engine/sign-commands.ts'
import { claim, settle, takeFence, type Judged } from '#src/sync/engine/settle.ts'
import { backoffMs, isOn, judgeFailure, judgeReceipt, noWait, type Verdict, type Wait } from '#src/sync/engine/verdict.ts'

export type DrainParts = PushParts & {
  session: SessionKeeper
  clock: ServerClock
  exclusion: Exclusion
  heard(online: boolean): void
  /** A call got no answer. Whether the server can be reached at all is a separate question. */
  doubt(): void
  set(change: { sending?: boolean; updateRequired?: boolean; lastSyncedAt?: number }): void
  /** Commands were applied: the mirror may fetch their other effects. */
  onApplied(): void
  /** Called with the epoch of the server's answer. */
  onEpoch(epoch: string): Promise<void>
}

export type Drain = {
  /** Sends until nothing more can be sent for the moment. @param asked ignores the pause after network trouble. */
  run(asked: boolean): Promise<void>
  /** Cancels hung calls. The next run starts over. */
  restart(): void
  /** The time of the last answer, by the clock that never jumps, ms. */
  progressAt(): number
  /** Whether work could be sent now or waits for its time. False when all remaining work waits for a user. */
  hasWork(): Promise<boolean>
  close(): void
}

export const pushTimeoutMs = 60_000
const batchBytes = 1_500_000
/** The lock for a device's pushes and reports. Its tabs and its worker send one after the other. */
export const sendingLock = 'lorgnette-drain'
/** Longer than any request may take. After this wait the lock's holder is a frozen tab, which the fence keeps out. */
export const lockPatienceMs = pushTimeoutMs + 15_000

type Step =
  | { kind: 'again'; ahead?: Promise<Picked> | null }
  | { kind: 'idle'; nextAt: number | null }
  | { kind: 'pause'; ms: number }
  | { kind: 'stop' }

type Way = 'punch' | 'push'
type Sent = { way: Way; token: string | null; signal: AbortSignal }

const malformedProblem = {
  code: 'request-invalid',
  message: 'This was damaged on this device and can’t be sent',
  status: null,
  retryAfterS: null,
}

/**
 * Empties the outbox. It does not need the page: the tab and the service worker run this module, one at a time. A batch
 * is sent under a lock and acknowledged under a fence, so that a drainer that was frozen in between changes nothing.
 */
export function createDrain(parts: DrainParts): Drain {
  const { environment, hot, session } = parts
  const holder = environment.newId()
  let running: Promise<void> | null = null
  let wanted = false
  /** `run(true)` was called during this turn: a network failure of this turn is older than that. */
  let askedMeanwhile = false
  let closed = false
  let pause = noWait
  /**
   * Punches have their own call, which may be out of reach alone. Then only punches pause, and come after all other
   * work.
   */
  let punchPause = noWait
  const failures = { push: 0, punch: 0 }
  let limit = pushBatchLimit
  let progressAt = environment.monotonic()
  /** Renewals in a row that did not help. */
  let renewals = 0
  /** Raised by a restart: the loop of an older turn stops when it wakes up. */
  let turn = 0
  let cut = new AbortController()
  let cancelWake: (() => void) | null = null

  function wakeIn(ms: number) {
    cancelWake?.()
    // A browser's timer has a limit, and a clock may jump: look again at least every 5 minutes.
    cancelWake = environment.schedule(Math.min(Math.max(ms, 50), 300_000), () => void run(false))
  }

  async function run(asked: boolean): Promise<void> {
    if (closed) return
    if (asked) endPauses()
    if (running) {
      wanted = true
      askedMeanwhile ||= asked
      return await running
    }
    const now = environment.now()
    if (isOn(pause, now)) {
      wakeIn(pause.until - now)
      return
    }
    const mine = turn
    const run = loop(mine)
      .catch((error: unknown) => {
        if (closed || mine !== turn) return
        // The database is closed or full: the outbox is safe, and sending is tried again.
        environment.report(error)
        wakeIn(backoffMs(failures.push, environment.random))
        failures.push += 1
      })
      .finally(() => {
        if (mine !== turn) return
        running = null
        parts.set({ sending: false })
      })
    running = run
    await run
  }

  function waitOf(ms: number): Wait {
    const since = environment.now()
    return { since, until: since + ms }
  }

  function endPauses() {
    pause = noWait
    punchPause = noWait
  }

  async function loop(mine: number): Promise<void> {
    let ahead: Promise<Picked> | null = null
    if (environment.localStorage === null) await session.reload()
    await askAgain(hot, session.isOpen() ? (session.home()?.id_user ?? null) : null, environment.now())
    for (;;) {
      wanted = false
      askedMeanwhile = false
      const given: Promise<Picked> | null = ahead
      const step: Step = await parts.exclusion.exclusively(sendingLock, lockPatienceMs, async (): Promise<Step> =>
        mine === turn ? await round(given) : { kind: 'stop' },
      )
      if (closed || mine !== turn) return
      ahead = null
      switch (step.kind) {
        case 'again':
          ahead = step.ahead ?? null
          continue
        case 'pause':
          pause = waitOf(step.ms)
          wakeIn(step.ms)
          return
        case 'idle':
          if (wanted) continue
          if (step.nextAt !== null) wakeIn(step.nextAt - environment.now())
          return
        case 'stop':
          // A user signed in while the answer was on its way.
          if (session.accessToken() !== null) continue
          return
      }
    }
  }

  async function round(ahead: Promise<Picked> | null): Promise<Step> {
    if (environment.localStorage === null) await session.reload()
    const now = environment.now()
    const punches = await pickPunches(now)
    const [punch] = punches.commands
    let { nextAt } = punches
    if (punch && failures.punch === 0) return await sendPunch(punch)

    if (session.isOpen()) {
      const picked = (await ahead) ?? (await pick(hot, 'push', { commands: limit, bytes: batchBytes, now }))
      if (picked.commands.length > 0) return await sendBatch(picked.commands)
      if (ahead) return { kind: 'again' }
      nextAt = earlier(nextAt, picked.nextAt)
    }
    return punch ? await sendPunch(punch) : { kind: 'idle', nextAt }
  }

  async function pickPunches(now: number): Promise<Picked> {
    const picked = await pick(hot, 'punch', { commands: 1, bytes: batchBytes, now })
    if (picked.commands.length === 0 || !isOn(punchPause, now)) return picked
    return { commands: [], nextAt: earlier(picked.nextAt, punchPause.until) }
  }

  async function hashed(commands: readonly OutboxCommand[]): Promise<OutboxCommand[]> {
    return await Promise.all(commands.map((command) => withHash(environment, command)))
  }

  async function proven(commands: readonly OutboxCommand[]): Promise<OutboxCommand[]> {
    return await signCommands(environment, hot, await hashed(commands))
  }

  async function sendBatch(picked: readonly OutboxCommand[]): Promise<Step> {
    const malformed = picked.filter((command) => !v.is(wireCommand, wireOf(command)))
    if (malformed.length > 0) {
      // The server would refuse the whole batch because of it.
      await putBack(await takeFence(hot, holder), malformed, { kind: 'attention', problem: malformedProblem })
      return { kind: 'again' }
    }
    const commands = await proven(picked)
    const epoch = await claim(hot, holder, commands)
    if (epoch === null) return { kind: 'again' }
    const token = await session.freshToken()
    if (token === null) {
      // The user signed out meanwhile, or the server cannot be reached for a new token.
      await putBack(epoch, commands, { kind: session.isOpen() ? 'again' : 'signed-out' })
      return session.isOpen() ? troubled('push') : { kind: 'idle', nextAt: null }
    }
    parts.set({ sending: true })
    const askedAt = environment.now()
    const { signal } = cut
    const body = await pushBody(parts, commands, epoch)
    const answering = call(environment, syncEndpoints.push, { body }, { token, timeoutMs: pushTimeoutMs, signal })
    // Reads the next batch from the disk during the call.
    const ahead = pick(hot, 'push', {
      commands: limit,
      bytes: batchBytes,
      now: askedAt,
      except: new Set(commands.map(({ id }) => id)),
    })
    ahead.catch(() => undefined)
    const answer = await answering
    if (!answer.ok) return await failed(epoch, commands, answer.failure, { way: 'push', token, signal })

    const { receipts, server_time, epoch: serverEpoch } = answer.value
    parts.clock.learn(server_time, askedAt)
    const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]))
    const judged = commands.map((command): Judged => ({ command, verdict: judgeReceipt(command, byId.get(command.id)) }))
    const settled = await settle(parts, epoch, serverEpoch, judged)
    if (!settled) return { kind: 'again' }
    await succeeded(serverEpoch, judged)
    if (judged.every(({ verdict }) => verdict.kind === 'again')) return troubled('push')
    limit = Math.min(pushBatchLimit, limit * 2)
    return { kind: 'again', ahead: judged.every(({ verdict }) => verdict.kind === 'applied') ? ahead : null }
  }

  async function succeeded(serverEpoch: string, judged: readonly Judged[]) {
    failures.push = 0
    renewals = 0
    progressAt = environment.monotonic()
    parts.heard(true)
    parts.set({ updateRequired: false, lastSyncedAt: environment.now() })
    await parts.onEpoch(serverEpoch)
    if (judged.some(({ verdict }) => verdict.kind === 'applied')) parts.onApplied()
  }

  function troubled(way: Way, ms: number | null = null): Step {
    const waits = ms ?? backoffMs(failures[way], environment.random)
    failures[way] += 1
    if (way === 'push') return { kind: 'pause', ms: waits }
    punchPause = waitOf(waits)
    return { kind: 'again' }
  }

  /** Puts all commands back with one verdict. */
  async function putBack(epoch: number, commands: readonly OutboxCommand[], verdict: Verdict): Promise<void> {
    const judged = commands.map((command): Judged => ({ command, verdict }))
    await settle(parts, epoch, await currentEpoch(hot), judged)
  }

  async function failed(epoch: number, commands: readonly OutboxCommand[], failure: Failure, sent: Sent): Promise<Step> {
    const { way, token, signal } = sent
    const verdict = judgeFailure(failure, commands.length)
    // A call that we canceled says nothing about the network, nor does the separate call for punches.
    if (failure.kind !== 'unreachable') parts.heard(true)
    else if (way === 'push' && !signal.aborted) parts.doubt()
    switch (verdict.kind) {
      case 'pause':
        await putBack(epoch, commands, { kind: 'again' })
        if (failure.kind === 'unreachable' && askedMeanwhile) return { kind: 'again' }
        return troubled(way, verdict.ms)
      case 'halve': {
        await putBack(epoch, commands, { kind: 'again' })
        limit = Math.max(1, Math.floor(commands.length / 2))
        return { kind: 'again' }
      }
      case 'update':
        await putBack(epoch, commands, { kind: 'again' })
        parts.set({ updateRequired: true })
        return troubled(way, 300_000)
      case 'renew': {
        const renewal = await session.renew(token)
        await putBack(epoch, commands, { kind: renewal === 'over' ? 'signed-out' : 'again' })
        if (renewal === 'over') return { kind: 'stop' }
        renewals += 1
        // A server that calls even a new token expired is not asked again without a pause.
        return renewal === 'renewed' && renewals < 3 ? { kind: 'again' } : troubled(way)
      }
      case 'session-over':
        await session.end(token)
        await putBack(epoch, commands, { kind: 'signed-out' })
        return { kind: 'stop' }
      case 'judge':
        await putBack(epoch, commands, verdict.verdict)
        limit = Math.min(pushBatchLimit, limit * 2)
        failures[way] = 0
        progressAt = environment.monotonic()
        return { kind: 'again' }
    }
  }

  async function sendPunch(picked: OutboxCommand): Promise<Step> {
    const [command = picked] = await hashed([picked])
    const epoch = await claim(hot, holder, [command])
    if (epoch === null) return { kind: 'again' }
    const body = v.safeParse(sealedPunch, { ...command.body, ...wireOf(command), live: false })
    if (!body.success) {
      const problem = { code: 'request-invalid', message: 'This punch is incomplete and can’t be sent', status: null, retryAfterS: null }
      await putBack(epoch, [command], { kind: 'attention', problem })
      return { kind: 'again' }
    }
    parts.set({ sending: true })
    const { signal } = cut
    const headers = { 'Idempotency-Key': command.id, ...(await tabletHeaders(hot, timeCardEndpoints.checkTimeCard)) }
    const answer = await call(
      environment,
      timeCardEndpoints.checkTimeCard,
      { body: { ...body.output, store_id: command.store_id } },
      { timeoutMs: pushTimeoutMs, signal, headers },
    )
    if (!answer.ok) {
      const { failure } = answer
      // A punch needs no session: a 401 means that the server does not know this name and password, which is a refusal.
      const isRefused = failure.kind === 'refused' && failure.status === 401
      if (!isRefused) return await failed(epoch, [command], failure, { way: 'punch', token: null, signal })
      const problem = { code: failure.code, message: failure.message, status: failure.status, retryAfterS: null }
      await putBack(epoch, [command], { kind: 'attention', problem })
      return { kind: 'again' }
    }
    const verdict = judgeReceipt(command, answer.value.receipt ?? undefined)
    const judged: Judged[] = [{ command, verdict }]
    const serverEpoch = await currentEpoch(hot)
    if (!(await settle(parts, epoch, serverEpoch, judged))) return { kind: 'again' }
    if (verdict.kind === 'again') return troubled('punch')
    failures.punch = 0
    progressAt = environment.monotonic()
    parts.heard(true)
    parts.set({ lastSyncedAt: environment.now() })
    if (verdict.kind === 'applied') parts.onApplied()
    return { kind: 'again' }
  }

  return {
    run,
    restart() {
      turn += 1
      running = null
      cut.abort(new Error('The connection hung and was cut'))
      cut = new AbortController()
      void run(true)
    },
    async hasWork() {
      const limits = { commands: 1, bytes: batchBytes, now: environment.now() }
      for (const way of ['punch', 'push'] satisfies Way[]) {
        const { commands, nextAt } = await pick(hot, way, limits)
        if (commands.length > 0 || nextAt !== null) return true
      }
      return false
    },
    progressAt: () => progressAt,
    close() {
      closed = true
      cancelWake?.()
      cut.abort(new Error('The app was closed'))
    },
  }
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
