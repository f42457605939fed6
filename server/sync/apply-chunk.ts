import { sql } from 'kysely'
import type { CommandKind } from '#contract/sync/commands.ts'
import { laneBlockers } from '#contract/sync/commands.ts'
import { type ErrorCode, Refusal } from '#contract/core/errors.ts'
import type { Receipt } from '#contract/sync/sync.ts'
import type { RevisionScope, Writing } from '#server/platform/db/database.ts'
import { brokenUniqueness, isDatabaseDown, isWorthRepeating } from '#server/platform/db/database-faults.ts'
import { appliedReceipt, findReceipts, insertReceipts, type StoredReceipt, takeReceiptNumbers } from '#server/platform/db/receipts.ts'
import type { Applied, CommandApplier, CommandContext } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import type { Incoming } from '#server/sync/incoming.ts'

/** A parsed command with a proven author, waiting for its transaction. */
export type Ready<K extends CommandKind = CommandKind> = Incoming & {
  kind: K
  scopes: readonly RevisionScope[]
  context: Omit<CommandContext<K>, 'writing' | 'services' | 'deliverer'>
  apply: CommandApplier<K>
  applyRun?: (contexts: CommandContext<K>[]) => Promise<(Applied | Refusal)[]>
  changesOthers?: true
}

/** A receipt as text, and its kind. */
export type Answer = { text: string; as: 'applied' | 'replayed' | ErrorCode }

/** The receipts of a chunk by command id, and the lanes that it stopped. */
export type ChunkResult = { answers: Map<string, Answer>; stopped: Set<string> }

/** Statuses that a later try may cure: the lane waits, so that order is kept. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429])

export function stopsLane(kind: string, refusal: Refusal): boolean {
  return refusal.status >= 500 || transientStatuses.has(refusal.status) || laneBlockers.some((blocker) => blocker === kind)
}

/**
 * Applies commands of the same scopes in one transaction. A refusal undoes only its own work. Receipts are written in
 * the same transaction. So after any crash a command has both its effect and its receipt, or neither.
 */
export async function applyChunk(services: Services, deliverer: Scope, chunk: readonly Ready[]): Promise<ChunkResult> {
  const scopes = chunk[0]?.scopes ?? []
  for (let tries = 1; ; tries++) {
    const isLastTry = tries >= 3
    try {
      return await services.db.write(scopes, (writing) => applyInside({ writing, services, deliverer, isLastTry }, chunk))
    } catch (error) {
      // The same command came at the same moment, and no scope made it wait. Its receipt exists now, and the next try
      // finds it.
      if (isLastTry || brokenUniqueness(error) === null) throw error
    }
  }
}

type Work = { writing: Writing; services: Services; deliverer: Scope; isLastTry: boolean }

async function applyInside(work: Work, chunk: readonly Ready[]): Promise<ChunkResult> {
  const { services, deliverer } = work
  const { trx } = work.writing
  const result: ChunkResult = { answers: new Map(), stopped: new Set() }
  // Read again under the lock of the scope: another batch with the same commands may have committed a moment ago.
  const stored = await findReceipts(
    trx,
    chunk.map((ready) => ready.id),
  )
  const applied: { ready: Ready; done: Applied }[] = []

  for (const run of runsOf(chunk)) {
    const waiting: Ready[] = []
    for (const ready of run) {
      const receipt = stored.get(ready.id)
      if (result.stopped.has(ready.command.lane)) continue
      if (receipt) result.answers.set(ready.id, repeatAnswer(ready, receipt, services))
      else waiting.push(ready)
    }
    const outcomes = await applyRun(work, waiting)
    for (const [place, ready] of waiting.entries()) {
      const outcome = outcomes[place]
      if (outcome === undefined) continue
      if (outcome instanceof Refusal) {
        result.answers.set(ready.id, refusedReceipt(ready, outcome, services))
        if (stopsLane(ready.kind, outcome)) result.stopped.add(ready.command.lane)
      } else applied.push({ ready, done: outcome })
    }
  }

  const nextNumber = await takeReceiptNumbers(trx, applied.length)
  const receipts = applied.map(({ ready, done }) => {
    const number = nextNumber()
    const at = ready.context.receivedAt
    const answer = JSON.stringify(appliedReceipt({ id: ready.command.id, body_hash: ready.hash, number, at, rows: done.rows }))
    result.answers.set(ready.id, { text: answer, as: 'applied' })
    return {
      command_id: ready.id,
      number,
      body_hash: ready.hash,
      kind: ready.kind,
      author_id: ready.context.author?.id_user ?? null,
      deliverer_id: deliverer.id_user,
      device_id: ready.command.device_id,
      answer,
      received_at: at,
    }
  })
  await insertReceipts(trx, receipts)
  return result
}

/** Groups neighbors of one kind that can be applied together; all others stand alone. */
function* runsOf(chunk: readonly Ready[]): Generator<Ready[]> {
  let run: Ready[] = []
  for (const ready of chunk) {
    const last = run.at(-1)
    if (last && last.kind === ready.kind && last.applyRun && last.applyRun === ready.applyRun) run.push(ready)
    else {
      if (run.length > 0) yield run
      run = [ready]
    }
  }
  if (run.length > 0) yield run
}

/** Returns the outcomes in order; undefined for commands behind a stop of their lane. */
async function applyRun(work: Work, run: readonly Ready[]): Promise<(Applied | Refusal | undefined)[]> {
  const { writing, services, deliverer } = work
  const together = run[0]?.applyRun
  if (together && run.length > 1) {
    const outcome = await attempt(work, run, () => together(run.map((ready) => ({ ...ready.context, writing, services, deliverer }))))
    if (!(outcome instanceof Refusal)) return outcome
    // One of them is the cause: alone, each shows whether it is.
  }
  const outcomes: (Applied | Refusal | undefined)[] = []
  const stopped = new Set<string>()
  for (const ready of run) {
    if (stopped.has(ready.command.lane)) {
      outcomes.push(undefined)
      continue
    }
    const outcome = await attempt(work, [ready], () => ready.apply({ ...ready.context, writing, services, deliverer }))
    outcomes.push(outcome)
    if (outcome instanceof Refusal && stopsLane(ready.kind, outcome)) stopped.add(ready.command.lane)
  }
  return outcomes
}

/** Runs work in its own savepoint. A fault of ours becomes the refusal `server-failed`, and is logged. */
async function attempt<T>({ writing, services, isLastTry }: Work, run: readonly Ready[], apply: () => Promise<T>): Promise<T | Refusal> {
  await sql`savepoint before_command`.execute(writing.trx)
  try {
    const done = await apply()
    await sql`release savepoint before_command`.execute(writing.trx)
    return done
  } catch (error) {
    if (isWorthRepeating(error) || isDatabaseDown(error)) throw error
    if (brokenUniqueness(error) !== null && !isLastTry) throw error
    await sql`rollback to savepoint before_command`.execute(writing.trx)
    if (error instanceof Refusal) return error
    services.log.error({ err: error, kind: run[0]?.kind, commands: run.map((ready) => ready.id) }, 'a command failed')
    return new Refusal('server-failed')
  }
}

/** Returns the answer to a repeated command: the very same text, unless it is another command. */
export function repeatAnswer(incoming: Incoming, stored: StoredReceipt, services: Services): Answer {
  if (stored.body_hash === incoming.hash) return { text: stored.answer, as: 'replayed' }
  return refusedReceipt(incoming, new Refusal('key-reused'), services)
}

/** A refusal is answered and not stored: the same command may come again when its cause is gone. */
export function refusedReceipt(incoming: Incoming, refusal: Refusal, services: Services): Answer {
  const { error: message, ...rest } = refusal.toBody()
  const receipt: Receipt = {
    id: incoming.command.id,
    body_hash: incoming.hash,
    outcome: 'refused',
    number: null,
    at: new Date(services.clock.now()).toISOString(),
    error: { status: refusal.status, message, ...rest },
  }
  return { text: JSON.stringify(receipt), as: refusal.code }
}
