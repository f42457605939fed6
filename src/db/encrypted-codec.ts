import type { PageCodec } from '#src/db/packed-pages.ts'

/** What lies on the disk was written under another key, or was damaged: nothing of it can be read. */
export class UnreadableWithKey extends Error {
  constructor() {
    super('What lies on this device was written under another key')
    this.name = 'UnreadableWithKey'
  }
}

const ivBytes = 12

/** AES-GCM, each text under an iv of its own, which stands before it. */
export function encryptedCodec(key: CryptoKey): PageCodec {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  return {
    async encode(text) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, encoder.encode(text)))
      const joined = new Uint8Array(ivBytes + sealed.length)
      joined.set(iv)
      joined.set(sealed, ivBytes)
      return joined
    },
    async decode(stored) {
      if (typeof stored === 'string') throw new UnreadableWithKey()
      const bytes = Uint8Array.from(stored)
      try {
        const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.subarray(0, ivBytes) }, key, bytes.subarray(ivBytes))
        return decoder.decode(text)
      } catch (error) {
        if (error instanceof DOMException || (error instanceof Error && error.name === 'OperationError')) throw new UnreadableWithKey()
        throw error
      }
    },
  }
}
