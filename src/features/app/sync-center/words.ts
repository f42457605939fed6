import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { formatTime } from '#src/ui/format.ts'

/** Returns what a command in the outbox waits for. */
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

/** What this device knows of the things in lanes. `patient` returns null for a user who may not see patients. */
export type KnownNames = { sheetNumbers: ReadonlyMap<string, number | null>; patient: (id: string) => string | null }

/** Returns the name of a lane that people know. */
export function laneName(lane: string, { sheetNumbers, patient }: KnownNames): string {
  const [kind, rest] = splitLane(lane)
  if (kind === 'count') {
    const number = sheetNumbers.get(rest)
    return typeof number === 'number' ? `Count #${number}` : 'New count'
  }
  if (kind === 'frame') return 'Frame'
  if (kind === 'receiving') return 'Receiving'
  if (kind === 'transfer') return 'Transfer'
  if (kind === 'patient') return patient(rest) ?? 'Patient'
  if (kind === 'views') return 'Record views'
  if (kind === 'punch') return `Time clock: ${rest}`
  if (kind === 'discard') return 'Discarded work'
  return 'Other work'
}

/** Returns the patient of a lane, or null for any other lane. */
export function patientOfLane(lane: string): string | null {
  const [kind, rest] = splitLane(lane)
  return kind === 'patient' ? rest : null
}

/** Returns the transfer of a lane, or null for any other lane. */
export function transferOfLane(lane: string): string | null {
  const [kind, rest] = splitLane(lane)
  return kind === 'transfer' ? rest : null
}

/** The title of a command while it waits, after a refusal, and when it is done. */
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

/** Returns the title of a command. Nothing is called sent or received before the server has it. */
export function titleOf({ kind, title }: Pick<OutboxCommand, 'kind' | 'title'>, at: 'waiting' | 'refused' | 'done'): string {
  return told[kind]?.(title, at) ?? title
}

function splitLane(lane: string): [string, string] {
  const colon = lane.indexOf(':')
  return colon === -1 ? [lane, ''] : [lane.slice(0, colon), lane.slice(colon + 1)]
}
