import type { QueuedFile, StrangeFile } from '#src/sync/device/device.ts'

/** How far a file is, in a few words. */
export function fileState({ state, kept, sent, size, afterPatient }: QueuedFile): string {
  const share = size === 0 ? 0 : Math.floor((100 * sent) / size)
  switch (state) {
    case 'keeping':
      return 'Saving on this tablet…'
    case 'sending':
      return `Sending ${share} %`
    case 'sent':
      return 'Sent'
    case 'refused':
      return 'Refused'
    case 'waiting':
      if (kept !== 'yes') return notKept[kept]
      if (afterPatient) return 'Saved on this tablet, will be sent after the patient'
      return sent > 0 ? `Saved on this tablet, ${share} % is sent and the rest will be` : 'Saved on this tablet, will be sent'
  }
}

const page = 'It is on this page only, is sent from here, and is gone when you close the page or sign out.'
const notKept: Record<Exclude<QueuedFile['kept'], 'yes'>, string> = {
  soon: 'Saving on this tablet…',
  'disk-full': `NOT SAVED on this tablet: its storage is full. ${page}`,
  'disk-failed': `NOT SAVED on this tablet: its storage could not be written. ${page}`,
  'no-key': `NOT SAVED on this tablet: it has no key to keep it safe with. ${page}`,
}

/** Why a file was refused, and what a person can do. */
export function fileRefusal(problem: QueuedFile['problem']): string {
  if (!problem) return `It was set aside and no reason was kept. ${again}`
  return `${problem.message.replace(/\.$/, '')}. ${next[problem.code] ?? again}`
}

const again = 'Send it again. If it comes back, ask a manager.'
const another = 'Discard this one and choose another file.'
const next: Record<string, string> = {
  'file-unreadable': 'Discard this one and choose the file again.',
  'file-too-large': another,
  'file-type-unknown': another,
  'file-infected': 'Do not open the file. Discard it, and tell a manager.',
  'file-picture-too-large': another,
  'file-pages-too-many': 'Discard this one and send it in parts.',
  'files-full': 'Tell a manager, and send it again when there is room.',
  'file-empty': another,
  'patient-unknown': 'Discard it, and add the file where the patient is now.',
  'patient-of-other-store': 'Ask someone of that store to add it, or send it again when you belong to it.',
  'permission-missing': 'Ask a manager to add it, or send it again when you may.',
}

/** Why a file that waits here cannot be shown or sent by whoever looks. */
export const strangeReasons: Record<StrangeFile['why'], string> = {
  person: 'Only the one who chose it can see and send it: it is sent when they sign in here.',
  store: 'It is of another store, and is sent when you work there again.',
  'no-key': 'This tablet has no key for patients at the moment. It is sent when there is one: sign in with your password.',
  'key-changed': 'It cannot be read any more: this tablet was removed, or the server has a new key. Choose the file again.',
}
