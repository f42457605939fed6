import { Dexie } from 'dexie'
import { laneBlockers } from '#contract/sync/command-versions.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { afterPunchLanes, punchLanes } from '#src/sync/engine/lane-numbers.ts'
import { isOn } from '#src/sync/engine/verdict.ts'

export type Picked = {
  commands: OutboxCommand[]
  /** When the next waiting command may go, ms; null when none has a wait. */
  nextAt: number | null
}

const blockers: ReadonlySet<string> = new Set(laneBlockers)
const readAtOnce = 500

type Limits = { commands: number; bytes: number; now: number; except?: ReadonlySet<string> }

/**
 * The oldest commands of every lane that may be sent now, in lane order. A command with a wait holds up its lane, and
 * so does a refused command on which the others depend. Lanes never hold up each other.
 *
 * Punches are sent and read separately: `punch` picks only their lanes, `push` all others.
 */
export async function pick(hot: HotDatabase, way: 'push' | 'punch', limits: Limits): Promise<Picked> {
  const commands: OutboxCommand[] = []
  let bytes = 0
  let nextAt: number | null = null
  let from: unknown[] = way === 'punch' ? [punchLanes] : [Dexie.minKey]
  const end: unknown[] = way === 'punch' ? [afterPunchLanes] : [Dexie.maxKey]
  const encoder = new TextEncoder()

  for (;;) {
    const page = await hot.outbox.where('[lane+lane_seq+device_id]').between(from, end, false).limit(readAtOnce).toArray()
    if (page.length === 0) return { commands, nextAt }
    let held: string | null = null
    for (const command of page) {
      if (command.lane === held) continue
      held = null
      if (limits.except?.has(command.id)) continue
      if (command.state === 'needs-attention') {
        if (blockers.has(command.kind)) held = command.lane
        continue
      }
      if (isWaiting(command, limits.now)) {
        nextAt = Math.min(nextAt ?? Infinity, command.not_before)
        held = command.lane
        continue
      }
      if (way === 'push' && command.lane.startsWith(punchLanes)) {
        held = command.lane
        continue
      }
      bytes += encoder.encode(JSON.stringify(command)).length
      if (commands.length > 0 && bytes > limits.bytes) return { commands, nextAt }
      commands.push(command)
      if (commands.length >= limits.commands) return { commands, nextAt }
    }
    const last = page.at(-1)
    if (!last || page.length < readAtOnce) return { commands, nextAt }
    // Skip the remaining commands of a held lane.
    from = held === null ? [last.lane, last.lane_seq, last.device_id] : [held, Dexie.maxKey]
  }
}

function isWaiting({ state, not_before, last_error }: OutboxCommand, now: number): boolean {
  return state === 'retry-wait' && last_error !== null && isOn({ since: Date.parse(last_error.at), until: not_before }, now)
}

/** The oldest command that stays here when these have left; undefined when none does. */
export async function findOldestStaying(hot: HotDatabase, leaving: readonly OutboxCommand[]): Promise<OutboxCommand | undefined> {
  const sent = new Set(leaving.map(({ id }) => id))
  // Ids are in time order. With one id more than leave, the oldest that stays is among them.
  const ids = await hot.outbox
    .orderBy('id')
    .limit(sent.size + 1)
    .primaryKeys()
  const oldest = ids.find((id) => !sent.has(id))
  return oldest === undefined ? undefined : await hot.outbox.get(oldest)
}

/** The commands that this device still holds, by lane, without those that are about to be sent. */
export async function countHolds(hot: HotDatabase, leaving: readonly OutboxCommand[]): Promise<{ lane: string; unsent: number }[]> {
  const sent = new Map<string, number>()
  for (const { lane } of leaving) sent.set(lane, (sent.get(lane) ?? 0) + 1)
  const holds: { lane: string; unsent: number }[] = []
  let after: unknown[] = [Dexie.minKey]
  for (;;) {
    const next = await hot.outbox.where('[lane+lane_seq+device_id]').between(after, [Dexie.maxKey], false, true).first()
    if (!next) return holds
    const { lane } = next
    const held = await hot.outbox.where('[lane+lane_seq+device_id]').between([lane], [lane, Dexie.maxKey]).count()
    holds.push({ lane, unsent: held - (sent.get(lane) ?? 0) })
    after = [lane, Dexie.maxKey]
  }
}
