import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { assertKey, exactly, type Storage } from '#server/platform/storage/storage.ts'

/** Files in a folder of this machine: written beside their place, flushed, and moved there. */
export function diskStorage(folder: string): Storage {
  const root = path.resolve(folder)

  function placeOf(key: string): string {
    assertKey(key)
    return path.join(root, key)
  }

  return {
    async put(key, bytes, size) {
      const place = placeOf(key)
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      const beside = `${place}.${randomUUID()}.part`
      try {
        const file = await open(beside, 'wx', 0o600)
        try {
          for await (const chunk of exactly(bytes, size)) await file.writeFile(chunk)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(beside, place)
      } catch (error) {
        await rm(beside, { force: true })
        throw error
      }
      // The name of a file is kept by its folder, and the name of a new folder by the one above.
      for (let kept = path.dirname(place); kept.length >= root.length; kept = path.dirname(kept)) await flushFolder(kept)
    },

    async get(key) {
      let file: FileHandle
      try {
        file = await open(placeOf(key), 'r')
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
      return Readable.toWeb(createReadStream('', { fd: file })) as ReadableStream<Uint8Array>
    },

    async delete(key) {
      await rm(placeOf(key), { force: true })
    },
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
