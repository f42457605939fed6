import { sql } from 'kysely'
import type { WireCommand } from '#contract/commands.ts'
import type { Services } from '#server/services.ts'

/**
 * Remembers how far each lane of each device has come. A position that never arrives is work that a device lost: it
 * can not be brought back from here, but it must not go unnoticed.
 */
export async function recordLanePositions(services: Services, judged: readonly WireCommand[]): Promise<void> {
  if (judged.length === 0) return
  const db = services.db.reads
  const updatedAt = new Date(services.clock.now()).toISOString()
  const seen = new Map<string, { device_id: string; lane: string; positions: number[] }>()
  for (const command of judged) {
    const lane = storable(command.lane)
    const key = `${command.device_id.toLowerCase()} ${lane}`
    const entry = seen.get(key) ?? { device_id: command.device_id.toLowerCase(), lane, positions: [] }
    entry.positions.push(command.lane_seq)
    seen.set(key, entry)
  }
  const lanes = [...seen.values()]
  const known = await db
    .selectFrom('device_lanes')
    .selectAll()
    .where('device_id', '=', sql<string>`any(${[...new Set(lanes.map((lane) => lane.device_id))]}::uuid[])`)
    .where('lane', '=', sql<string>`any(${lanes.map((lane) => lane.lane)}::text[])`)
    .execute()
  const lastOf = new Map(known.map((row) => [`${row.device_id} ${row.lane}`, row.last_seq]))

  const rows = [...seen].map(([key, { device_id, lane, positions }]) => {
    let last = lastOf.get(key) ?? 0
    let gaps = 0
    for (const position of positions.sort((a, b) => a - b)) {
      if (position <= last) continue
      if (position > last + 1) {
        gaps += 1
        services.log.warn({ device_id, lane, after: last, next: position }, 'a device skipped positions of a lane')
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

/** The lane's name as a text column takes it. */
function storable(lane: string): string {
  return lane.replaceAll('\u0000', '')
}
