import type { OutboxCommand } from '#src/db/hot.ts'
import type { ConnectionState } from '#src/sync/device.ts'
import { formatAge, formatCount, formatTime } from '#src/ui/format.ts'

export type ChipKind = 'connecting' | 'online' | 'offline' | 'sending' | 'waiting' | 'stalled' | 'attention' | 'sign-in' | 'update'
export type ChipWords = { kind: ChipKind; text: string; /** Changes with the kind of news, not with every number. */ announcement: string }

/** What the header says of the connection, in the order of what a person must know first. */
export function chipWords(connection: ConnectionState, now: number): ChipWords {
  const { unsent, needsAttention, oldestAt } = connection
  const attention = `${formatCount(needsAttention)} need${needsAttention === 1 ? 's' : ''} attention`
  if (connection.updateRequired) return { kind: 'update', text: 'Update needed', announcement: 'The app needs an update' }
  if (connection.waitsForSignIn) {
    return { kind: 'sign-in', text: 'Waiting for sign-in', announcement: 'Work waits for someone to sign in' }
  }
  if (connection.online === false) {
    const parts = ['Offline']
    if (unsent > 0) parts.push(`${formatCount(unsent)} to send`)
    // The age says how long work has been waiting; before a second has passed it says nothing.
    if (unsent > 0 && oldestAt !== null && now - oldestAt >= 1000) parts.push(`oldest ${formatAge(now - oldestAt)}`)
    if (needsAttention > 0) parts.push(attention)
    return { kind: 'offline', text: parts.join(', '), announcement: 'Offline. Work is kept on this device.' }
  }
  if (needsAttention > 0) return { kind: 'attention', text: attention, announcement: attention }
  if (connection.stalled) {
    return { kind: 'stalled', text: `Not sending, ${formatCount(unsent)} wait`, announcement: 'Nothing has been sent for a while' }
  }
  if (connection.sending && unsent > 0) return { kind: 'sending', text: `Sending ${formatCount(unsent)}…`, announcement: '' }
  if (connection.online === null) return { kind: 'connecting', text: 'Connecting…', announcement: '' }
  if (unsent > 0) return { kind: 'waiting', text: `${formatCount(unsent)} to send`, announcement: '' }
  return { kind: 'online', text: 'Online', announcement: 'Online. Everything is sent.' }
}

/** What a command in the queue waits for. */
export function stateWords(command: Pick<OutboxCommand, 'state' | 'not_before'>, now: number, timeZone?: string): string {
  switch (command.state) {
    case 'queued':
      return 'Waits to be sent'
    case 'sending':
      return 'Is being sent'
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
  if (kind === 'punch') return `Time clock of ${rest}`
  if (kind === 'discard') return 'Discarded work'
  return 'Other work'
}

function splitLane(lane: string): [string, string] {
  const colon = lane.indexOf(':')
  return colon === -1 ? [lane, ''] : [lane.slice(0, colon), lane.slice(colon + 1)]
}
