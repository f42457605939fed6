import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { QueuedFile, StrangeFile } from '#src/sync/device/device.ts'
import { type FileWords, isPatientUnsent, type UnsentFile } from '#src/sync/files/unsent-files.ts'

/** The seat of the present user: their name, store and key. */
export type Seat = { name: string; home: HomeInfo; key: CryptoKey | null }

/** A file that is only in this page's memory: it is being kept, or could not be. */
export type HeldFile = Omit<UnsentFile, 'words'> & { blob: Blob; spoken: FileWords; kept: QueuedFile['kept']; keeping: AbortController }

/** Why the present user cannot use this file; null when they can. */
export function strangeness(file: Pick<UnsentFile, 'id_user' | 'store_id'>, seat: Seat | null): StrangeFile['why'] | null {
  if (!seat || seat.home.id_user !== file.id_user) return 'person'
  if (seat.home.store_id !== file.store_id) return 'store'
  return seat.key === null ? 'no-key' : null
}

/** A file of the present user, in the form for the screens. */
export async function queuedFile(
  hot: HotDatabase,
  file: Omit<UnsentFile, 'words'>,
  words: FileWords,
  { kept, isSending }: { kept: QueuedFile['kept']; isSending: boolean },
): Promise<QueuedFile> {
  const { id, size, received, path, created_at, last_error } = file
  const isRefused = file.state === 'needs-attention'
  return {
    id,
    idPatient: words.id_patient,
    name: words.name,
    category: words.category,
    thumbnail: words.thumbnail ?? null,
    size,
    sent: path === null ? received : size,
    created_at,
    kept,
    state: isRefused ? 'refused' : kept === 'soon' ? 'keeping' : isSending ? 'sending' : 'waiting',
    problem: last_error,
    afterPatient: !isRefused && (await isPatientUnsent(hot, words.id_patient)),
    mayBeThere: path !== null,
  }
}
