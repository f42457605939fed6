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
    joinsPages: true,
    encode: async (text) => await encryptBytes(key, encoder.encode(text)),
    async decode(stored) {
      if (typeof stored === 'string') throw new UnreadableWithKey()
      return decoder.decode(await decryptBytes(key, stored))
    },
  }
}

/** @param place where it belongs: what was encrypted for one place is unreadable at another */
export async function encryptBytes(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>, place = ''): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, place), key, bytes))
  const joined = new Uint8Array(ivBytes + sealed.length)
  joined.set(iv)
  joined.set(sealed, ivBytes)
  return joined
}

/** @throws UnreadableWithKey */
export async function decryptBytes(key: CryptoKey, stored: Uint8Array, place = ''): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(stored)
  try {
    return await crypto.subtle.decrypt(algorithm(bytes.subarray(0, ivBytes), place), key, bytes.subarray(ivBytes))
  } catch (error) {
    if (error instanceof DOMException || (error instanceof Error && error.name === 'OperationError')) throw new UnreadableWithKey()
    throw error
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>, place: string): AesGcmParams {
  return { name: 'AES-GCM', iv, ...(place !== '' && { additionalData: new TextEncoder().encode(place) }) }
}
