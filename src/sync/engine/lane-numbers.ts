import type { DeviceFact, HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'

/** Bounds of the lanes of punches in the index: from the first, up to the second. */
export const punchLanes = 'punch:'
export const afterPunchLanes = 'punch;'
/** The same of the lanes of views of records. */
export const viewLanes = 'views:'
export const afterViewLanes = 'views;'

/** True for a command that only says that a user opened a record. */
export const isView = ({ lane }: Pick<OutboxCommand, 'lane'>): boolean => lane.startsWith(viewLanes)

/**
 * Positions in a lane have no gaps and are never used twice. A unique index guards the numbers in the outbox. This fact
 * keeps the highest number that has left it.
 */
export function highWaterKey(lane: string): string {
  return `lane:${lane}`
}

/** The highest number of this device's commands that have left the outbox; 0 when none has. */
export async function highWaterOf(hot: HotDatabase, lane: string): Promise<number> {
  return highWaterIn(await hot.facts.get(highWaterKey(lane)))
}

export function highWaterIn(fact: DeviceFact | undefined): number {
  return typeof fact?.value === 'number' ? fact.value : 0
}

/** Keeps the numbers of this device's commands that leave the outbox. Call it inside a transaction over `facts`. */
export async function raiseHighWater(
  hot: HotDatabase,
  deviceId: string,
  leaving: readonly Pick<OutboxCommand, 'lane' | 'lane_seq' | 'device_id'>[],
): Promise<void> {
  const highest = new Map<string, number>()
  for (const { lane, lane_seq, device_id } of leaving) {
    if (device_id === deviceId) highest.set(lane, Math.max(highest.get(lane) ?? 0, lane_seq))
  }
  for (const [lane, number] of highest) {
    if ((await highWaterOf(hot, lane)) < number) await hot.facts.put({ key: highWaterKey(lane), value: number })
  }
}
