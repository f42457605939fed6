import { assertKey, exactly, type Storage } from '#server/platform/storage/storage.ts'

/** Stores files in memory. `kept` holds them. */
export function memoryStorage(): Storage & { kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>()
  return {
    kept,
    async put(key, bytes, size) {
      assertKey(key)
      const chunks: Uint8Array[] = []
      for await (const chunk of exactly(bytes, size)) chunks.push(chunk)
      kept.set(key, Buffer.concat(chunks))
    },
    get: async (key) => {
      const found = kept.get(key)
      return found ? new Blob([Uint8Array.from(found)]).stream() : null
    },
    delete: async (key) => void kept.delete(key),
  }
}
