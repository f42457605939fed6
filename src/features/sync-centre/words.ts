import type { OutboxCommand } from '#src/db/hot.ts'
import { formatTime } from '#src/ui/format.ts'

/** What a command in the queue waits for. */
export function stateWords(command: Pick<OutboxCommand, 'state' | 'not_before'>, now: number, timeZone?: string): string {
  switch (command.state) {
    case 'queued':
      return 'Waits to be sent'
    case 'retry-wait':
      return command.not_before > now ? `Tries again at ${formatTime(command.not_before, timeZone)}` : 'Tries again now'
    case 'auth-wait':
      return 'Waits for a sign-in'
    case 'needs-attention':
      return 'Needs attention'
  }
}

/** The name of a lane as people know it. */
export function laneName(lane: string, sheetNumbers: ReadonlyMap<string, number | null>): string {
  const [kind, rest] = splitLane(lane)
  if (kind === 'count') {
    const number = sheetNumbers.get(rest)
    return typeof number === 'number' ? `Count #${number}` : 'New count'
  }
  if (kind === 'frame') return 'Frame'
  if (kind === 'receiving') return 'Receiving'
  if (kind === 'patient') return 'Patient'
  if (kind === 'views') return 'Records that were opened'
  if (kind === 'punch') return `Time clock of ${rest}`
  if (kind === 'discard') return 'Discarded work'
  return 'Other work'
}

/** The patient whose lane it is; null for any other. */
export function patientOfLane(lane: string): string | null {
  const [kind, rest] = splitLane(lane)
  return kind === 'patient' ? rest : null
}

function splitLane(lane: string): [string, string] {
  const colon = lane.indexOf(':')
  return colon === -1 ? [lane, ''] : [lane.slice(0, colon), lane.slice(colon + 1)]
}
