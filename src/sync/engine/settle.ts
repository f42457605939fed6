import { Dexie } from 'dexie'
import * as v from 'valibot'
import { receiptDaysAtDevice } from '#contract/sync/command.ts'
import { laneBlockers } from '#contract/sync/command-versions.ts'
import type { Receipt } from '#contract/sync/sync.ts'
import type { HotDatabase, OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { raiseHighWater } from '#src/sync/engine/lane-numbers.ts'
import { cursorKey, forgetRevisions, isRowOf, mirrorTables, putRows, type HotCollection, type Row } from '#src/sync/device/mirror-tables.ts'
import { wireOf } from '#src/sync/engine/outbox-rows.ts'
import { afterVerdict, type Verdict } from '#src/sync/engine/verdict.ts'

const fenceKey = 'drain'
const fence = v.object({ epoch: v.number(), holder: v.string() })

/** Takes the next fencing epoch. A holder of an older one may no longer acknowledge. */
export async function takeFence(hot: HotDatabase, holder: string): Promise<number> {
  return await hot.transaction('rw', hot.facts, async () => await nextFence(hot, holder))
}

async function nextFence(hot: HotDatabase, holder: string): Promise<number> {
  const now = v.safeParse(fence, (await hot.facts.get(fenceKey))?.value)
  const epoch = (now.success ? now.output.epoch : 0) + 1
  await hot.facts.put({ key: fenceKey, value: { epoch, holder } satisfies v.InferOutput<typeof fence> })
  return epoch
}

async function holdsFence(hot: HotDatabase, epoch: number): Promise<boolean> {
  const now = v.safeParse(fence, (await hot.facts.get(fenceKey))?.value)
  return now.success && now.output.epoch === epoch
}

/**
 * Takes the next fencing epoch for sending these. Null when one of them changed since it was read. It does not note
 * that they are on their way: they wait until they are settled in any case.
 */
export async function claim(hot: HotDatabase, holder: string, commands: readonly OutboxCommand[]): Promise<number | null> {
  return await hot.transaction('rw', hot.outbox, hot.facts, async () => {
    const present = await presentAmong(hot, commands)
    const isSame = ({ id, lane_seq }: OutboxCommand) => {
      const now = present.get(id)
      return now !== undefined && now.state !== 'needs-attention' && now.lane_seq === lane_seq
    }
    if (!commands.every(isSame)) return null
    // A command from an older app gets its hash at its first send, and keeps it.
    const unhashed = commands.filter(({ id }) => present.get(id)?.body_hash === null)
    if (unhashed.length > 0) await hot.outbox.bulkPut(unhashed)
    return await nextFence(hot, holder)
  })
}

/** The present commands in the lanes between the first and the last of these, by id. Reads each lane once. */
async function presentAmong(hot: HotDatabase, commands: readonly OutboxCommand[]): Promise<Map<string, OutboxCommand>> {
  const bounds = new Map<string, { first: number; last: number }>()
  for (const { lane, lane_seq } of commands) {
    const { first, last } = bounds.get(lane) ?? { first: lane_seq, last: lane_seq }
    bounds.set(lane, { first: Math.min(first, lane_seq), last: Math.max(last, lane_seq) })
  }
  const present = new Map<string, OutboxCommand>()
  for (const [lane, { first, last }] of bounds) {
    const found = await hot.outbox
      .where('[lane+lane_seq+device_id]')
      .between([lane, first], [lane, last, Dexie.maxKey], true, true)
      .toArray()
    for (const command of found) present.set(command.id, command)
  }
  return present
}

type Settling = { environment: Environment; hot: HotDatabase; clock: ServerClock; deviceId: () => string }

export type Judged = { command: OutboxCommand; verdict: Verdict }

/**
 * In one transaction: puts the receipts' rows into the mirror, removes the commands from the outbox, and puts the proof
 * into `settled`. Remaining commands get their new state. Returns false, and changes nothing, when a newer drainer
 * holds the fence.
 */
export async function settle(parts: Settling, fenceEpoch: number, serverEpoch: string, judged: readonly Judged[]): Promise<boolean> {
  const { environment, hot, clock, deviceId } = parts
  const now = environment.now()
  // Receipts are pruned by age: a slow clock must not make this one too old.
  const settled_at = new Date(Math.max(clock.serverNow(), clock.toldAt() ?? 0)).toISOString()
  return await hot.transaction('rw', [hot.outbox, hot.settled, hot.facts, hot.session, hot.cursors, ...mirrorTables(hot)], async () => {
    if (!(await holdsFence(hot, fenceEpoch))) return false
    const person = (await hot.session.get('session'))?.home?.id_user
    const leaving: OutboxCommand[] = []
    const staying: OutboxCommand[] = []
    const settled: SettledCommand[] = []
    const rows = new Map<HotCollection, Row[]>()
    const heldLanes = new Set<string>()
    const pulled = new Map<string, number>()
    for (const { command, verdict } of judged) {
      if (verdict.kind !== 'applied') {
        if (laneBlockers.some((kind) => kind === command.kind)) heldLanes.add(command.lane)
        // A command that was refused only because the one before it is missing waits for that one.
        const isOrphan = verdict.kind === 'attention' && heldLanes.has(command.lane) && !laneBlockers.some((kind) => kind === command.kind)
        const after = afterVerdict(command, isOrphan ? { kind: 'again' } : verdict, now, environment.random)
        if (after !== command) staying.push(after)
        continue
      }
      const { receipt } = verdict
      leaving.push(command)
      settled.push({
        id: command.id,
        lane: command.lane,
        settled_at,
        number: receipt.number,
        epoch: serverEpoch,
        title: command.title,
        author_name: command.author.name,
        outcome: 'applied',
        command: wireOf(command),
        // The rows are in the mirror; the proof is kept without them.
        receipt: { ...receipt, rows: undefined },
        ...(command.own && { own: command.own, revision: patientRevision(receipt) }),
      })
      for (const { collection, row } of receipt.rows ?? []) {
        // The next pull brings them: they have databases of their own.
        if (collection === 'frames' || collection === 'patients') continue
        // This tablet may deliver another person's punch. Only the signed-in user's punches are kept here.
        if (collection === 'punches' && row['id_user'] !== person) continue
        // The work is done and must leave. The next pull brings the row again, and stops there if it still cannot be
        // kept.
        if (!isRowOf(collection, row)) {
          environment.report(new Error(`A receipt brought ${collection} that this version cannot keep`))
          continue
        }
        // A late receipt may have rows that a pull has since updated or removed: a deleted sheet stays away.
        const key = cursorKey(collection, collection === 'punches' ? `user:${person ?? 0}` : `store:${command.store_id ?? 0}`)
        if (!pulled.has(key)) pulled.set(key, (await hot.cursors.get(key))?.revision ?? -1)
        if (row.revision <= (pulled.get(key) ?? -1)) continue
        const made = rows.get(collection)
        if (made) made.push(row)
        else rows.set(collection, [row])
      }
    }
    await raiseHighWater(hot, deviceId(), leaving)
    for (const [collection, made] of rows) await putRows(hot, collection, made)
    await hot.outbox.bulkDelete(leaving.map(({ id }) => id))
    if (settled.length > 0) await hot.settled.bulkPut(settled)
    if (staying.length > 0) await hot.outbox.bulkPut(staying)
    return true
  })
}

/** The revision of the patient's row, which itself comes with a pull. */
function patientRevision({ rows = [] }: Receipt): number {
  const revision = rows.find(({ collection }) => collection === 'patients')?.row['revision']
  return typeof revision === 'number' ? revision : 0
}

/**
 * Receipts are kept for 30 days, by the server's own time since this start. A clock that was set forward ages nothing.
 */
export async function pruneSettled(clock: ServerClock, hot: HotDatabase): Promise<void> {
  const told = clock.toldAt()
  if (told === null) return
  const limit = new Date(told - receiptDaysAtDevice * 86_400_000).toISOString()
  await hot.settled.where('settled_at').below(limit).delete()
}

/**
 * The server was restored from a backup and may have lost confirmed work. Queues that work again under its own ids, so
 * that the server applies it or recognizes it. The mirror is read again. Returns whether the epoch changed.
 */
export async function adoptEpoch(hot: HotDatabase, epoch: string): Promise<boolean> {
  return await hot.transaction('rw', [hot.outbox, hot.settled, hot.facts, hot.cursors, ...mirrorTables(hot)], async () => {
    const before = (await hot.facts.get('epoch'))?.value
    if (before === epoch) return false
    await hot.facts.put({ key: 'epoch', value: epoch })
    if (typeof before !== 'string' || before === '') return false
    const lost = await hot.settled.filter((entry) => entry.outcome === 'applied' && entry.epoch !== epoch).toArray()
    for (const entry of lost) await queueAgain(hot, entry)
    await hot.settled.bulkDelete(lost.map(({ id }) => id))
    await hot.cursors.clear()
    await forgetRevisions(hot)
    // The sync center shows this until a user has read it.
    await hot.facts.put({ key: 'warning:server-restored', value: epoch })
    return true
  })
}

async function queueAgain(hot: HotDatabase, { command, receipt, title }: SettledCommand): Promise<void> {
  const { id, lane, device_id } = command
  if (await hot.outbox.get(id)) return
  const places = () => hot.outbox.where('[lane+lane_seq+device_id]')
  let { lane_seq } = command
  // Imported work may have taken the place. The place is not part of the hash, so the next one will do.
  while ((await places().equals([lane, lane_seq, device_id]).count()) > 0) lane_seq += 1
  await hot.outbox.add({
    ...command,
    lane_seq,
    // The signature covers the place, too.
    signature: lane_seq === command.lane_seq ? command.signature : null,
    state: 'queued',
    body_hash: receipt?.body_hash ?? null,
    attempts: 0,
    failing_since: null,
    not_before: 0,
    last_error: null,
    created_at: command.captured.wall,
    title,
  })
}
