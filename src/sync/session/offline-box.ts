import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'

/**
 * Something that opens with one secret and nothing else: a key at random, under which the content is encrypted (AES-GCM), wrapped (AES-KW)
 * under a key that is derived from the secret. Of the secret itself nothing is kept, not even a hash: that it was right shows when it opens.
 */
export type Box = { salt: Uint8Array<ArrayBuffer>; iterations: number; wrapped: Uint8Array<ArrayBuffer>; sealed: Uint8Array }

/** What is recommended for PBKDF2 with HMAC-SHA-256 (OWASP, 2023): half a second of a tablet. */
const iterations = 600_000

export const newSalt = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(16))

/** Takes its time. Boxes with the same salt are tried with one key. What closes a box opens none. */
export async function keyOfSecret(
  subtle: SubtleCrypto,
  secret: string,
  { salt, iterations: rounds }: Pick<Box, 'salt' | 'iterations'>,
  use: 'wrapKey' | 'unwrapKey',
): Promise<CryptoKey> {
  const typed = await subtle.importKey('raw', new TextEncoder().encode(secret.normalize('NFC')), 'PBKDF2', false, ['deriveKey'])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: Uint8Array.from(salt), iterations: rounds }
  return await subtle.deriveKey(how, typed, { name: 'AES-KW', length: 256 }, false, [use])
}

/** What a box is closed with, when there is something to put into it. */
export type Lid = Pick<Box, 'salt' | 'iterations'> & { key: CryptoKey }

export async function makeLid(subtle: SubtleCrypto, secret: string, salt: Uint8Array<ArrayBuffer>): Promise<Lid> {
  return { salt, iterations, key: await keyOfSecret(subtle, secret, { salt, iterations }, 'wrapKey') }
}

export async function closeBox(subtle: SubtleCrypto, { key: lid, ...how }: Lid, content: unknown): Promise<Box> {
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt'])
  const wrapped = await subtle.wrapKey('raw', key, lid, 'AES-KW')
  const sealed = await encryptedCodec(key).encode(JSON.stringify(content))
  if (typeof sealed === 'string') throw new TypeError('What was to be encrypted is not')
  return { ...how, wrapped: new Uint8Array(wrapped), sealed }
}

/** What is in it; undefined where the key is not the right one. */
export async function openBox(subtle: SubtleCrypto, key: CryptoKey, box: Box): Promise<unknown> {
  let inner: CryptoKey
  try {
    inner = await subtle.unwrapKey('raw', Uint8Array.from(box.wrapped), key, 'AES-KW', 'AES-GCM', false, ['decrypt'])
  } catch {
    // AES-KW says of a wrong key that it is wrong, and of nothing else that can happen here.
    return undefined
  }
  return JSON.parse(await encryptedCodec(inner).decode(box.sealed))
}
