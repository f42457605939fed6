import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { formatTime } from '#src/ui/format.ts'

/** What a command in the queue waits for. */
export function stateWords(command: Pick<OutboxCommand, 'state' | 'not_before'>, now: number, timeZone?: string): string {
  switch (command.state) {
    case 'queued':
      return 'Waiting to send'
    case 'retry-wait':
      return command.not_before > now ? `Retrying at ${formatTime(command.not_before, timeZone)}` : 'Retrying now'
    case 'auth-wait':
      return 'Waiting for a sign-in'
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
  if (kind === 'transfer') return 'Transfer'
  if (kind === 'patient') return 'Patient'
  if (kind === 'views') return 'Record views'
  if (kind === 'punch') return `Time clock: ${rest}`
  if (kind === 'discard') return 'Discarded work'
  return 'Other work'
}

/** The patient whose lane it is; null for any other. */
export function patientOfLane(lane: string): string | null {
  const [kind, rest] = splitLane(lane)
  return kind === 'patient' ? rest : null
}

/** The transfer whose lane it is; null for any other. */
export function transferOfLane(lane: string): string | null {
  const [kind, rest] = splitLane(lane)
  return kind === 'transfer' ? rest : null
}

/** What a title says while the server has not taken the work yet, when it refused it, and when it is done. */
const told: Partial<Record<string, (title: string, at: 'waiting' | 'refused' | 'done') => string>> = {
  // An older app wrote ": sent" at the end, before it was true.
  'transfer.send': (title, at) => {
    const words = { waiting: 'waiting to send', refused: 'not sent', done: 'sent' }
    return `${title.replace(/: sent$/, '')} — ${words[at]}`
  },
  // An older app wrote “put on” and “taken off”.
  'transfer.put': (title, at) =>
    at === 'refused' ? title.replace(/: (added to|removed from|put on|taken off) a transfer$/, ': not $1 a transfer') : title,
  'vendor-invoice.receive': (title, at) => {
    const words = { waiting: 'Waiting to be received', refused: 'Not received', done: 'Received' }
    return title.replace(/^Received: /, `${words[at]}: `)
  },
}

/** The title of work. Nothing is called sent or received before the server has it. */
export function titleOf({ kind, title }: Pick<OutboxCommand, 'kind' | 'title'>, at: 'waiting' | 'refused' | 'done'): string {
  return told[kind]?.(title, at) ?? title
}

function splitLane(lane: string): [string, string] {
  const colon = lane.indexOf(':')
  return colon === -1 ? [lane, ''] : [lane.slice(0, colon), lane.slice(colon + 1)]
}
