import { sql } from 'kysely'
import type { WireCommand } from '#contract/sync/commands.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Remembers how far each lane of the session's tablet has come. A missing position is work that a device lost. The
 * server cannot restore it, but must log it. Work from another tablet does not count for that one's lanes.
 */
export async function recordLanePositions(services: Services, person: Scope, judged: readonly WireCommand[]): Promise<void> {
  const device_id = tabletOf(person)
  const own = judged.filter((command) => command.device_id.toLowerCase() === device_id)
  if (own.length === 0) return
  const db = services.db.pool
  const updatedAt = new Date(services.clock.now()).toISOString()
  const seen = new Map<string, number[]>()
  for (const command of own) {
    const lane = storable(command.lane)
    const positions = seen.get(lane)
    if (positions) positions.push(command.lane_seq)
    else seen.set(lane, [command.lane_seq])
  }
  const known = await db
    .selectFrom('device_lanes')
    .selectAll()
    .where('device_id', '=', device_id)
    .where('lane', '=', sql<string>`any(${[...seen.keys()]}::text[])`)
    .execute()
  const lastOf = new Map(known.map((row) => [row.lane, row.last_seq]))

  const rows = [...seen].map(([lane, positions]) => {
    let last = lastOf.get(lane) ?? 0
    let gaps = 0
    for (const position of positions.sort((a, b) => a - b)) {
      if (position <= last) continue
      if (position > last + 1) {
        gaps += 1
        services.log.warn({ device_id, kind: kindOf(lane), after: last, next: position }, 'a device skipped positions of a lane')
      }
      last = position
    }
    return { device_id, lane, last_seq: last, gap_count: gaps, updated_at: updatedAt }
  })
  await db
    .insertInto('device_lanes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['device_id', 'lane']).doUpdateSet({
        last_seq: sql<number>`greatest(device_lanes.last_seq, excluded.last_seq)`,
        gap_count: sql<number>`device_lanes.gap_count + excluded.gap_count`,
        updated_at: sql<string>`excluded.updated_at`,
      }),
    )
    .execute()
}

/** Returns the lane's name in a form that a text column can store. */
function storable(lane: string): string {
  return lane.replaceAll('\u0000', '')
}

/**
 * Returns the part of a lane's name that may be logged. A punch lane continues with text that somebody typed as a
 * username.
 */
function kindOf(lane: string): string {
  return /^(?:count|punch|discard)(?=:)/.exec(lane)?.[0] ?? 'unknown'
}
