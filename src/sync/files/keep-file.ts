import { decryptBytes, encryptBytes, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { KeptBytes } from '#src/db/indexed/kept-bytes.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { beginKeeping, endKeeping, type FileWords, giveUpKeeping, isLeftOver, type UnsentFile } from '#src/sync/files/unsent-files.ts'

/** The device can no longer read the file: it was moved or changed, or its card was pulled out. */
export class FileUnreadable extends Error {
  constructor() {
    super('This device can’t read the file anymore. Choose it again.')
    this.name = 'FileUnreadable'
  }
}

type Keeping = {
  environment: Environment
  hot: HotDatabase
  bytes: KeptBytes
  key: CryptoKey
  /** Aborts when the user discards the file. */
  signal: AbortSignal
}

const placeOfPart = (id: string, index: number, size: number) => `part ${index} of ${id}, ${size} bytes`

/**
 * Puts a file on the disk, encrypted: first its parts, one after the other, then the entry that makes it wait. If the
 * app is killed in between, the parts belong to no file. Resolves when the file is complete; otherwise none of it is
 * kept.
 *
 * @throws FileUnreadable, or the disk's error
 */
export async function keepFile(keeping: Keeping, file: Omit<UnsentFile, 'words'>, blob: Blob, words: FileWords): Promise<void> {
  const { environment, hot, bytes, key, signal } = keeping
  const { id, size, part_bytes } = file
  try {
    await inTime(environment, beginKeeping(hot, id, environment.now()))
    for (let index = 0; index * part_bytes < size; index += 1) {
      const part = await readPart(blob, index * part_bytes, part_bytes)
      const sealed = await encryptBytes(key, new Uint8Array(part), placeOfPart(id, index, size))
      signal.throwIfAborted()
      await inTime(environment, bytes.put(id, index, sealed))
    }
    await inTime(environment, endKeeping(hot, { ...file, words: await encryptWords(key, id, words) }))
  } catch (error) {
    // A hung write may still arrive. If the disk takes no more writes, the parts are tidied up later.
    void giveUpKeeping(hot, id)
      .then((isOver) => (isOver ? bytes.drop(id) : undefined))
      .catch(() => undefined)
    throw error
  }
}

/** @throws FileUnreadable */
export async function readPart(blob: Blob, from: number, length: number): Promise<ArrayBuffer> {
  const wanted = Math.min(length, blob.size - from)
  const part = await blob
    .slice(from, from + length)
    .arrayBuffer()
    .catch(() => null)
  if (part === null || part.byteLength !== wanted) throw new FileUnreadable()
  return part
}

/** @throws FileUnreadable */
export async function readKeptPart(bytes: KeptBytes, key: CryptoKey | null, { id, size }: UnsentFile, index: number): Promise<ArrayBuffer> {
  const sealed = await bytes.get(id, index)
  if (!sealed || !key) throw new FileUnreadable()
  return await decryptBytes(key, sealed, placeOfPart(id, index, size)).catch((error: unknown) => {
    throw error instanceof UnreadableWithKey ? new FileUnreadable() : error
  })
}

/** Rejects in time: a browser may leave a write without any answer. */
function inTime(environment: Environment, write: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopClock = environment.schedule(environment.diskPatienceMs, () => reject(new Error('The database did not answer')))
    write.then(resolve, reject).finally(stopClock)
  })
}

async function encryptWords(key: CryptoKey, id: string, words: FileWords): Promise<Uint8Array> {
  return await encryptBytes(key, new TextEncoder().encode(JSON.stringify(words)), `words ${id}`)
}

/** Drops parts that belong to no file. */
export async function tidyUp(environment: Environment, hot: HotDatabase, bytes: KeptBytes): Promise<void> {
  for (const id of await bytes.ids()) if (await isLeftOver(hot, id, environment.now())) await bytes.drop(id)
}

/** Null when the words were kept with another key. */
export async function readWords(key: CryptoKey, { id, words }: UnsentFile): Promise<FileWords | null> {
  try {
    return JSON.parse(new TextDecoder().decode(await decryptBytes(key, words, `words ${id}`))) as FileWords
  } catch (error) {
    if (error instanceof UnreadableWithKey) return null
    throw error
  }
}
