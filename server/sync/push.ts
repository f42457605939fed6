import type { CommandKind, WireCommand } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import { oldestProtocol, type push } from '#contract/sync/sync.ts'
import { isDatabaseDown } from '#server/platform/db/database-faults.ts'
import { findReceipts, type StoredReceipt } from '#server/platform/db/receipts.ts'
import type { CommandEntry } from '#server/platform/http/command-applier.ts'
import type { Call, Handler } from '#server/platform/http/handler.ts'
import { type Answer, applyChunk, type Ready, refusedReceipt, repeatAnswer, stopsLane } from '#server/sync/apply-chunk.ts'
import { commandTable } from '#server/sync/command-table.ts'
import { findDiscarded, Held, keepHeld } from '#server/sync/held-work.ts'
import { capturedInstant, type Incoming, isKnownKind, openBody, readBody, receive } from '#server/sync/incoming.ts'
import { noteForbiddenCommands } from '#server/domain/people/refusals.ts'
import { recordLanePositions } from '#server/sync/lane-positions.ts'
import { recordPresence } from '#server/sync/presence.ts'
import { openProver, type Prover } from '#server/sync/prove-author.ts'
import { readEpoch } from '#server/sync/server-epoch.ts'

type PushCall = Call<typeof push>

/**
 * The most commands in one transaction: enough to be fast, few enough that other tablets of the store get their turn.
 */
const chunkSize = 100

/**
 * Applies a batch. The answer consists of the receipts' stored texts, so that a repeated command gets the same answer
 * byte for byte.
 */
export const pushHandler: Handler<typeof push> = async (call) => {
  const { body, services, scope } = call
  if (body.protocol < oldestProtocol) throw new Refusal('app-outdated')

  const incoming = body.commands.map(receive)
  const answers = await judge(call, incoming)
  const judged = incoming.filter((one) => answers.has(one))
  await keepBooks(call, judged, incoming)
  await noteForbiddenCommands(
    services,
    judged.map((one) => ({ kind: one.command.kind, as: answers.get(one)?.as })),
  )

  const receipts = judged.flatMap((one) => answers.get(one)?.text ?? [])
  services.metrics.pushed({
    commands: incoming.length,
    bytes: call.bodyBytes,
    judged: [...answers].map(([one, { as }]) => ({ kind: one.command.kind, as })),
  })
  const epoch = await readEpoch(services)
  const serverTime = new Date(services.clock.now()).toISOString()
  // The deliverer and the authors: on a shared tablet they differ.
  const authors = [...new Set(incoming.flatMap(({ command }) => command.author.id_user ?? []))]
  services.log.info({ id_user: scope.id_user, authors, commands: incoming.length, judged: judged.length }, 'push')
  return new Response(`{"receipts":[${receipts.join(',')}],"server_time":${JSON.stringify(serverTime)},"epoch":${JSON.stringify(epoch)}}`, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Returns the receipt of every command that could be judged. Commands of a stopped lane have none. */
async function judge(call: PushCall, incoming: readonly Incoming[]): Promise<Map<Incoming, Answer>> {
  const { services, scope } = call
  const answers = new Map<Incoming, Answer>()
  const stored = await findReceipts(
    services.db.pool,
    incoming.map((one) => one.id),
  )
  const discarded = await findDiscarded(
    services,
    incoming.map((one) => one.id).filter((id) => !stored.has(id)),
  )
  const held: { incoming: Incoming; why: Held }[] = []
  const prove = await openProver(
    services,
    scope,
    incoming.map((one) => one.command),
  )
  const first = new Map<string, Incoming>()
  const stopped = new Set<string>()
  let chunk: { incoming: Incoming; ready: Ready }[] = []

  const flush = async () => {
    const now = chunk.filter((one) => !stopped.has(one.ready.command.lane))
    chunk = []
    if (now.length === 0) return
    const result = await applyChunk(
      services,
      scope,
      now.map((one) => one.ready),
    )
    for (const one of now) {
      const answer = result.answers.get(one.ready.id)
      if (answer !== undefined) answers.set(one.incoming, answer)
    }
    for (const lane of result.stopped) stopped.add(lane)
  }

  for (const one of byLane(incoming)) {
    if (first.has(one.id)) continue
    first.set(one.id, one)
    if (stopped.has(one.command.lane)) continue
    const receipt = stored.get(one.id)
    if (receipt) {
      answers.set(one, await repeat(call, one, receipt))
      continue
    }
    let ready: Ready
    try {
      if (discarded.has(one.id)) throw new Refusal('work-discarded')
      ready = await prepare(call, one, prove)
    } catch (fault) {
      const error = asRefusal(fault, one, services)
      // The earlier commands of its lane come first, and may stop the lane.
      await flush()
      if (stopped.has(one.command.lane)) continue
      answers.set(one, refusedReceipt(one, error, services))
      // The manager also gets the later commands of the lane.
      if (error instanceof Held) held.push({ incoming: one, why: error })
      else if (stopsLane(one.command.kind, error)) stopped.add(one.command.lane)
      continue
    }
    const open = chunk[0]
    const isFull = chunk.length >= chunkSize
    if (open && (isFull || ready.changesOthers || scopeKey(open.ready) !== scopeKey(ready))) await flush()
    if (!stopped.has(one.command.lane)) chunk.push({ incoming: one, ready })
  }
  await flush()
  // Stored before any answer says that the server keeps it.
  await keepHeld(services, scope, held)

  // The same command twice in one batch: the second is a repeat of the first.
  for (const one of incoming) {
    const original = first.get(one.id)
    const answer = original && answers.get(original)
    if (!original || original === one || answer === undefined) continue
    answers.set(one, original.hash === one.hash ? repeated(answer) : refusedReceipt(one, new Refusal('key-reused'), services))
  }
  return answers
}

/** The same command again in one batch: a repeat when it was applied, and refused again when it was refused. */
function repeated(answer: Answer): Answer {
  return answer.as === 'applied' ? { ...answer, as: 'replayed' } : answer
}

/** A fault of ours while reading one command refuses that command, not the whole batch. */
function asRefusal(fault: unknown, incoming: Incoming, services: PushCall['services']): Refusal {
  if (fault instanceof Refusal) return fault
  if (isDatabaseDown(fault)) throw fault
  services.log.error({ err: fault, kind: incoming.command.kind, commands: [incoming.id] }, 'a command could not be read')
  return new Refusal('server-failed')
}

/**
 * Orders lane after lane, each in the order it was sent. Lanes never wait for each other, and a lane's scopes stay
 * together.
 */
function byLane(incoming: readonly Incoming[]): Incoming[] {
  const lanes = new Map<string, Incoming[]>()
  for (const one of incoming) {
    const lane = lanes.get(one.command.lane)
    if (lane) lane.push(one)
    else lanes.set(one.command.lane, [one])
  }
  return [...lanes.values()].flat()
}

function scopeKey(ready: Ready): string {
  return [...ready.scopes].sort().join(' ')
}

/** Reads a command and proves its author. @throws Refusal */
async function prepare(call: PushCall, incoming: Incoming, prove: Prover): Promise<Ready> {
  const { kind } = incoming.command
  if (!isKnownKind(kind)) throw new Refusal('command-unknown')
  return await prepareKind(call, incoming, kind, commandTable[kind] as CommandEntry<CommandKind>, prove)
}

async function repeat({ services, scope }: PushCall, incoming: Incoming, receipt: StoredReceipt): Promise<Answer> {
  const answer = repeatAnswer(incoming, receipt, services)
  const { command } = incoming
  if (answer.as !== 'replayed' || !isKnownKind(command.kind)) return answer
  const entry = commandTable[command.kind] as CommandEntry<CommandKind>
  if (!entry.repeated) return answer
  try {
    await entry.repeated({ command, body: readBody(command.kind, command), services, deliverer: scope })
    return answer
  } catch (fault) {
    return refusedReceipt(incoming, asRefusal(fault, incoming, services), services)
  }
}

async function prepareKind<K extends CommandKind>(
  call: PushCall,
  incoming: Incoming,
  kind: K,
  entry: CommandEntry<K>,
  prove: Prover,
): Promise<Ready<K>> {
  const { services, scope } = call
  const { command } = incoming
  const body = readBody(kind, { version: command.version, body: await openBody(services, command) })
  const receivedAt = new Date(services.clock.now()).toISOString()
  const measuredAt = capturedInstant(command.captured, receivedAt)
  // A punch carries a password instead of a token, which proves it or not.
  const proof = await prove(incoming, { author: kind !== 'punch.record', permission: entry.permission, capturedAt: measuredAt })
  if (proof.hold) throw new Held(proof.hold, proof.capturedAt)
  const author = proof.author as Ready<K>['context']['author']
  const { capturedAt } = proof
  const meaning = await entry.prepare({ command, body, services, deliverer: scope })
  return { ...incoming, kind, ...meaning, context: { command, body, author, capturedAt, receivedAt } }
}

/** Records lanes and tablets beside the work itself. The work is done: nothing here may undo it. */
async function keepBooks(call: PushCall, judged: readonly Incoming[], all: readonly Incoming[]): Promise<void> {
  const { body, services, scope } = call
  const left = new Map<string, number>()
  for (const one of all) if (!judged.includes(one)) left.set(one.command.lane, (left.get(one.command.lane) ?? 0) + 1)
  const holds = [...body.holds, ...[...left].map(([lane, unsent]) => ({ lane, unsent }))]
  try {
    await recordLanePositions(
      services,
      scope,
      judged.map((one): WireCommand => one.command),
    )
    await recordPresence(services, scope, { ...body, holds })
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    services.log.error({ err: error }, 'the books of a push could not be kept')
  }
}
