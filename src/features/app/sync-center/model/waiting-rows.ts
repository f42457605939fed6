import { laneBlockers } from '#contract/sync/command-versions.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'

export type WaitingRow =
  | { type: 'person'; key: string; name: string; count: number }
  | {
      type: 'lane'
      key: string
      lane: string
      count: number
      oldestAt: string
      /** The title of the command that blocks the lane. */ blockedBy: string | null
    }
  | { type: 'command'; key: string; command: OutboxCommand }

/**
 * Returns the rows of the waiting list: by user, then by lane, then in sending order. The user and the lane with the
 * oldest command come first.
 */
export function waitingRows(outbox: readonly OutboxCommand[]): WaitingRow[] {
  const blockers = new Map<string, string>()
  const people = new Map<string, { name: string; lanes: Map<string, OutboxCommand[]>; count: number; oldestAt: string }>()
  for (const command of outbox) {
    if (command.state === 'needs-attention') {
      if (laneBlockers.some((kind) => kind === command.kind)) blockers.set(command.lane, command.title)
      continue
    }
    // A punch has no number of its author. The name tells these users apart.
    const key = command.author.id_user === null ? `name ${command.author.name}` : `user ${command.author.id_user}`
    const person = people.get(key) ?? { name: command.author.name, lanes: new Map(), count: 0, oldestAt: command.created_at }
    const lane = person.lanes.get(command.lane) ?? []
    lane.push(command)
    person.lanes.set(command.lane, lane)
    person.count++
    if (command.created_at < person.oldestAt) person.oldestAt = command.created_at
    people.set(key, person)
  }

  const rows: WaitingRow[] = []
  for (const [key, person] of [...people].sort(([, a], [, b]) => compare(a.oldestAt, b.oldestAt))) {
    rows.push({ type: 'person', key, name: person.name, count: person.count })
    const lanes = [...person.lanes].map(([lane, commands]) => {
      const ordered = commands.sort((a, b) => a.lane_seq - b.lane_seq)
      const oldestAt = ordered.reduce(
        (oldest, command) => (command.created_at < oldest ? command.created_at : oldest),
        ordered[0]!.created_at,
      )
      return { lane, ordered, oldestAt }
    })
    for (const { lane, ordered, oldestAt } of lanes.sort((a, b) => compare(a.oldestAt, b.oldestAt))) {
      rows.push({ type: 'lane', key: `${key} ${lane}`, lane, count: ordered.length, oldestAt, blockedBy: blockers.get(lane) ?? null })
      for (const command of ordered) rows.push({ type: 'command', key: command.id, command })
    }
  }
  return rows
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
