import Dexie from 'dexie'
import type { FileCategory } from '#contract/patients/patient-files.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'

/** The facts about a file that nobody can read without the key for patients. */
export type FileWords = {
  id_patient: string
  name: string
  category: FileCategory
  /** A small picture of the file, as base64. */
  thumbnail?: string
}

/** The server's progress: its name for the upload, its bytes there, and the path of the complete file. */
export type FileProgress = { upload: string | null; received: number; path: string | null }

/**
 * A file that waits to be sent, in the hot database. The row exists from when all bytes are kept until the server has
 * the file in the record. The record will use the same id.
 */
export type UnsentFile = FileProgress &
  Pick<OutboxCommand, 'state' | 'attempts' | 'failing_since' | 'not_before' | 'last_error' | 'created_at'> & {
    id: string
    /** The author: nobody else sends it. */
    id_user: number
    author: string
    store_id: number
    size: number
    /** Bytes in each of its parts but the last. */
    part_bytes: number
    words: Uint8Array
  }

/** The state before the first try. */
export const untried = { state: 'queued', attempts: 0, failing_since: null, not_before: 0, last_error: null } as const
/** The server has nothing of the file. */
export const nothingSent: FileProgress = { upload: null, received: 0, path: null }

const prefix = 'unsent-file '
export const unsentFileKey = (id: string) => `${prefix}${id}`
/** Set while a file's bytes are being written. The tidying leaves them alone for `keepingMs`. */
const keepingKey = (id: string) => `keeping-file ${id}`
const keepingMs = 3_600_000

/** All waiting files of this device, of every user, oldest first. */
export async function readUnsentFiles(hot: HotDatabase): Promise<UnsentFile[]> {
  const rows = await hot.facts.where('key').startsWith(prefix).toArray()
  // Ids are in time order.
  return rows.map(({ value }) => value as UnsentFile)
}

export async function readUnsentFile(hot: HotDatabase, id: string): Promise<UnsentFile | undefined> {
  return (await hot.facts.get(unsentFileKey(id)))?.value as UnsentFile | undefined
}

/** @returns false when the file no longer exists */
export async function changeUnsentFile(hot: HotDatabase, id: string, change: Partial<UnsentFile>): Promise<boolean> {
  return await hot.transaction('rw', hot.facts, async () => {
    const file = await readUnsentFile(hot, id)
    if (file) await hot.facts.put({ key: unsentFileKey(id), value: { ...file, ...change } })
    return file !== undefined
  })
}

export async function countUnsentFiles(hot: HotDatabase): Promise<{ waiting: number; refused: number }> {
  const all = await readUnsentFiles(hot)
  const refused = all.filter(({ state }) => state === 'needs-attention').length
  return { waiting: all.length - refused, refused }
}

export async function beginKeeping(hot: HotDatabase, id: string, now: number): Promise<void> {
  await hot.facts.put({ key: keepingKey(id), value: now })
}

/** All bytes are on the disk: adds the waiting file. @throws Error when the bytes were tidied up meanwhile */
export async function endKeeping(hot: HotDatabase, file: UnsentFile): Promise<void> {
  await hot.transaction('rw', hot.facts, async () => {
    if (!(await hot.facts.get(keepingKey(file.id)))) throw new Error('The parts of a file were tidied up before it was complete')
    await hot.facts.delete(keepingKey(file.id))
    await hot.facts.put({ key: unsentFileKey(file.id), value: file })
  })
}

/** @returns false when the file is complete after all, and waits */
export async function giveUpKeeping(hot: HotDatabase, id: string): Promise<boolean> {
  return await hot.transaction('rw', hot.facts, async () => {
    await hot.facts.delete(keepingKey(id))
    return (await readUnsentFile(hot, id)) === undefined
  })
}

/** Whether bytes belong to no file: its page was killed while it wrote them, or just after sending. */
export async function isLeftOver(hot: HotDatabase, id: string, now: number): Promise<boolean> {
  return await hot.transaction('rw', hot.facts, async () => {
    if (await readUnsentFile(hot, id)) return false
    const since = Number((await hot.facts.get(keepingKey(id)))?.value ?? 0)
    if (Math.abs(now - since) < keepingMs) return false
    await hot.facts.delete(keepingKey(id))
    return true
  })
}

/** Whether the patient is registered here and not at the server yet. */
export async function isPatientUnsent(hot: HotDatabase, idPatient: string): Promise<boolean> {
  const lane = `patient:${idPatient}`
  const waiting = hot.outbox.where('[lane+lane_seq+device_id]').between([lane], [lane, Dexie.maxKey])
  return (await waiting.filter(({ kind }) => kind === 'patient.create').count()) > 0
}
