import type { PageCodec } from '#src/db/packed/packed-pages.ts'

/** The data on the disk was written with another key or was damaged. None of it can be read. */
export class UnreadableWithKey extends Error {
  constructor() {
    super('The data on this device was written with another key')
    this.name = 'UnreadableWithKey'
  }
}

const ivBytes = 12

/** AES-GCM with a new iv for each text and each page. A text keeps its iv in front; a page keeps it beside the rows. */
export function encryptedCodec(key: CryptoKey): PageCodec {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  return {
    encode: async (text) => await encryptBytes(key, encoder.encode(text)),
    async decode(stored) {
      if (typeof stored === 'string') throw new UnreadableWithKey()
      return decoder.decode(await decryptBytes(key, stored))
    },
    joined: {
      async encode(bytes) {
        const { iv, sealed } = await seal(key, bytes)
        return { iv, rows: new Uint8Array(sealed) }
      },
      async decode({ iv, rows }) {
        if (typeof rows === 'string') throw new UnreadableWithKey()
        return new Uint8Array(iv ? await unseal(key, iv, rows) : await decryptBytes(key, rows))
      },
    },
  }
}

/** @param place where the bytes belong: bytes encrypted for one place are unreadable at another */
export async function encryptBytes(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>, place = ''): Promise<Uint8Array> {
  const { iv, sealed } = await seal(key, bytes, place)
  const joined = new Uint8Array(ivBytes + sealed.byteLength)
  joined.set(iv)
  joined.set(new Uint8Array(sealed), ivBytes)
  return joined
}

/** @throws UnreadableWithKey */
export async function decryptBytes(key: CryptoKey, stored: Uint8Array, place = ''): Promise<ArrayBuffer> {
  return await unseal(key, stored.subarray(0, ivBytes), stored.subarray(ivBytes), place)
}

async function seal(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>, place = ''): Promise<{ iv: Uint8Array; sealed: ArrayBuffer }> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  return { iv, sealed: await crypto.subtle.encrypt(algorithm(iv, place), key, bytes) }
}

/** @throws UnreadableWithKey */
async function unseal(key: CryptoKey, iv: Uint8Array, sealed: Uint8Array, place = ''): Promise<ArrayBuffer> {
  try {
    return await crypto.subtle.decrypt(algorithm(Uint8Array.from(iv), place), key, new Uint8Array(sealed))
  } catch (error) {
    if (error instanceof DOMException || (error instanceof Error && error.name === 'OperationError')) throw new UnreadableWithKey()
    throw error
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>, place: string): AesGcmParams {
  return { name: 'AES-GCM', iv, ...(place !== '' && { additionalData: new TextEncoder().encode(place) }) }
}
