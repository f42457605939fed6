import type { QueuedFile, StrangeFile } from '#src/sync/device/device.ts'

/** The progress of a file, in a few words. */
export function fileState({ state, kept, sent, size, afterPatient }: QueuedFile): string {
  const share = size === 0 ? 0 : Math.floor((100 * sent) / size)
  switch (state) {
    case 'keeping':
      return 'Saving on this tablet…'
    case 'sending':
      return `Sending ${share}%`
    case 'sent':
      return 'Sent'
    case 'refused':
      return 'Refused'
    case 'waiting':
      if (kept !== 'yes') return notKept[kept]
      if (afterPatient) return 'Saved on this tablet. It will be sent after the patient'
      return sent > 0 ? `Saved on this tablet. ${share}% sent; the rest will follow` : 'Saved on this tablet. Waiting to send'
  }
}

const page = 'It’s only on this page. If you close the page or sign out before it’s sent, it’s lost.'
const notKept: Record<Exclude<QueuedFile['kept'], 'yes'>, string> = {
  soon: 'Saving on this tablet…',
  'disk-full': `NOT SAVED on this tablet: its storage is full. ${page}`,
  'disk-failed': `NOT SAVED on this tablet: couldn’t write to its storage. ${page}`,
  'no-key': `NOT SAVED on this tablet: it has no encryption key. ${page}`,
}

/** Why the server refused a file, and what the user can do. */
export function fileRefusal(problem: QueuedFile['problem']): string {
  if (!problem) return `It was set aside with no reason. ${again}`
  return `${problem.message.replace(/\.$/, '')}. ${next[problem.code] ?? again}`
}

const again = 'Send it again. If it comes back, ask a manager.'
const another = 'Discard this one and choose another file.'
const next: Record<string, string> = {
  'file-unreadable': 'Discard this one and choose the file again.',
  'file-too-large': another,
  'file-type-unknown': another,
  'file-infected': 'Don’t open the file. Discard it and tell a manager.',
  'file-picture-too-large': another,
  'file-pages-too-many': 'Discard this one and send it in parts.',
  'files-full': 'Tell a manager, then send it again when there’s room.',
  'file-empty': another,
  'patient-unknown': 'Discard it, then add the file at the patient’s current store.',
  'patient-of-other-store': 'Ask someone at that store to add it, or send it again when you have access to that store.',
  'permission-missing': 'Ask a manager to add it, or send it again when you have permission.',
}

/** Why the present user cannot see or send a waiting file. */
export const strangeReasons: Record<StrangeFile['why'], string> = {
  person: 'Only the person who added it can see and send it. It will be sent when they sign in here.',
  store: 'It’s for another store. It will be sent when you switch back to that store.',
  'no-key': 'This tablet can’t open patient data right now. Sign in with your password to send it.',
  'key-changed': 'It can no longer be read: this tablet was removed, or the server has a new key. Choose the file again.',
}
