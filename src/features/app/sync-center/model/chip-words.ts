import type { ConnectionState } from '#src/sync/device/device.ts'
import { unsentWork } from '#src/sync/device/unsent-work.ts'
import { formatAge, formatCount } from '#src/ui/format.ts'

export type ChipKind = 'connecting' | 'online' | 'offline' | 'sending' | 'waiting' | 'stalled' | 'attention' | 'sign-in' | 'update'
export type ChipWords = {
  kind: ChipKind
  text: string
  /** The part of the text that a narrow header leaves out. */
  age?: string
  /** Changes with the kind of news, not with every number. */
  announcement: string
}

/** Returns the header's words about the connection. The most urgent news wins. */
export function chipWords(connection: ConnectionState, now: number): ChipWords {
  const { oldestAt, files } = connection
  const unsent = unsentWork(connection)
  const needsAttention = connection.needsAttention + (files?.refused ?? 0)
  const attention = `${formatCount(needsAttention)} need${needsAttention === 1 ? 's' : ''} attention`
  if (connection.updateRequired) return { kind: 'update', text: 'Update needed', announcement: 'The app needs an update' }
  // Offline, the sign-in would lead nowhere, and a user who signed in offline is already in.
  if (connection.waitsForSignIn && connection.online !== false) {
    return { kind: 'sign-in', text: 'Waiting for sign-in', announcement: 'Work is waiting for someone to sign in' }
  }
  if (connection.online === false) {
    const parts = ['Offline']
    if (unsent > 0) parts.push(`${formatCount(unsent)} to send`)
    // The age says how long work has waited. In the first second it says nothing.
    const age = unsent > 0 && oldestAt !== null && now - oldestAt >= 1000 ? `oldest ${formatAge(now - oldestAt)}` : undefined
    if (age !== undefined) parts.push(age)
    if (needsAttention > 0) parts.push(attention)
    return { kind: 'offline', text: parts.join(', '), age, announcement: 'Offline. Work is saved on this device.' }
  }
  if (needsAttention > 0) return { kind: 'attention', text: attention, announcement: attention }
  if (connection.stalled) {
    return { kind: 'stalled', text: `Not sending, ${formatCount(unsent)} waiting`, announcement: 'Nothing has been sent for a while' }
  }
  if (connection.sending && unsent > 0) return { kind: 'sending', text: `Sending ${formatCount(unsent)}…`, announcement: '' }
  if (connection.online === null) return { kind: 'connecting', text: 'Connecting…', announcement: '' }
  if (unsent > 0) return { kind: 'waiting', text: `${formatCount(unsent)} to send`, announcement: '' }
  return { kind: 'online', text: 'Online', announcement: 'Online. Everything is sent.' }
}
