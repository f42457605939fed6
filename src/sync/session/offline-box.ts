import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'

/**
 * A box that only one secret opens. A random key encrypts the content (AES-GCM), and a key derived from the secret
 * wraps that key (AES-KW). Nothing of the secret is kept, not even a hash: the box opens only with the right secret.
 */
export type Box = { salt: Uint8Array<ArrayBuffer>; iterations: number; wrapped: Uint8Array<ArrayBuffer>; sealed: Uint8Array }

/** The recommended number for PBKDF2 with HMAC-SHA-256 (OWASP, 2023): half a second on a tablet. */
const iterations = 600_000

export const newSalt = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(16))

/**
 * Derives the key of a secret, which takes its time. One key fits all boxes with the same salt. A wrapping key opens
 * none.
 */
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

/** The key and its parameters, to close a box. */
export type Lid = Pick<Box, 'salt' | 'iterations'> & { key: CryptoKey }

export async function makeLid(subtle: SubtleCrypto, secret: string, salt: Uint8Array<ArrayBuffer>): Promise<Lid> {
  return { salt, iterations, key: await keyOfSecret(subtle, secret, { salt, iterations }, 'wrapKey') }
}

export async function closeBox(subtle: SubtleCrypto, { key: lid, ...how }: Lid, content: unknown): Promise<Box> {
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt'])
  const wrapped = await subtle.wrapKey('raw', key, lid, 'AES-KW')
  const sealed = await encryptedCodec(key).encode(JSON.stringify(content))
  if (typeof sealed === 'string') throw new TypeError('The text was not encrypted')
  return { ...how, wrapped: new Uint8Array(wrapped), sealed }
}

/** Returns the content; undefined for a wrong key. */
export async function openBox(subtle: SubtleCrypto, key: CryptoKey, box: Box): Promise<unknown> {
  let inner: CryptoKey
  try {
    inner = await subtle.unwrapKey('raw', Uint8Array.from(box.wrapped), key, 'AES-KW', 'AES-GCM', false, ['decrypt'])
  } catch {
    // Here AES-KW fails only for a wrong key.
    return undefined
  }
  return JSON.parse(await encryptedCodec(inner).decode(box.sealed))
}
