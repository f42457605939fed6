import Dexie from 'dexie'
import type { FileCategory } from '#contract/patients/patient-files.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'

/** What a file is, as nobody without the key for patients can read it. */
export type FileWords = {
  id_patient: string
  name: string
  category: FileCategory
  /** A small picture of it, as base64. */
  thumbnail?: string
}

/** How far the server has it: its name for the upload, its bytes there, and where the whole lies. */
export type FileProgress = { upload: string | null; received: number; path: string | null }

/**
 * A file that waits to be sent, as it stands in the hot database. It is there when all its bytes are, and leaves it when the server has it
 * in the record. Its id is the one that the record will know it by.
 */
export type UnsentFile = FileProgress &
  Pick<OutboxCommand, 'state' | 'attempts' | 'failing_since' | 'not_before' | 'last_error' | 'created_at'> & {
    id: string
    /** Whose it is: nobody else sends it. */
    id_user: number
    author: string
    store_id: number
    size: number
    /** Bytes in each of its parts but the last. */
    part_bytes: number
    words: Uint8Array
  }

/** As nobody has tried to send it yet. */
export const untried = { state: 'queued', attempts: 0, failing_since: null, not_before: 0, last_error: null } as const
/** Of which the server has nothing. */
export const nothingSent: FileProgress = { upload: null, received: 0, path: null }

const prefix = 'unsent-file '
export const unsentFileKey = (id: string) => `${prefix}${id}`
/** Set while the bytes of a file are being written: until when whoever tidies up leaves them alone. */
const keepingKey = (id: string) => `keeping-file ${id}`
const keepingMs = 3_600_000

/** What waits on this device, everybody's, oldest first. */
export async function readUnsentFiles(hot: HotDatabase): Promise<UnsentFile[]> {
  const rows = await hot.facts.where('key').startsWith(prefix).toArray()
  // Ids are made in the order of time.
  return rows.map(({ value }) => value as UnsentFile)
}

export async function readUnsentFile(hot: HotDatabase, id: string): Promise<UnsentFile | undefined> {
  return (await hot.facts.get(unsentFileKey(id)))?.value as UnsentFile | undefined
}

/** @returns false when it is not there any more */
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

/** All its bytes are on the disk: from now on it waits. @throws when somebody tidied them up meanwhile */
export async function endKeeping(hot: HotDatabase, file: UnsentFile): Promise<void> {
  await hot.transaction('rw', hot.facts, async () => {
    if (!(await hot.facts.get(keepingKey(file.id)))) throw new Error('What was kept of a file was tidied up before it was whole')
    await hot.facts.delete(keepingKey(file.id))
    await hot.facts.put({ key: unsentFileKey(file.id), value: file })
  })
}

/** @returns false when all of it got there after all, and it waits */
export async function giveUpKeeping(hot: HotDatabase, id: string): Promise<boolean> {
  return await hot.transaction('rw', hot.facts, async () => {
    await hot.facts.delete(keepingKey(id))
    return (await readUnsentFile(hot, id)) === undefined
  })
}

/** Whether its bytes belong to nothing: its page was killed while it wrote them, or when it had just been sent. */
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
