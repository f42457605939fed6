import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { nameOfKey, type SigningKey } from '#contract/sync/signing-key.ts'
import { Refusal } from '#contract/core/errors.ts'

/** The key that a session keeps by its name. */
export function readStoredKey(stored: string | null): SigningKey | null {
  if (stored === null) return null
  const [x = '', y = ''] = stored.split('.')
  return { x, y }
}

/** The key of a sign-in, or null without one. Throws `request-invalid` for what is no point of the curve. */
export function assertSigningKey(key: SigningKey | undefined): SigningKey | null {
  if (key === undefined) return null
  try {
    publicKeyOf(key)
    return key
  } catch {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.signing_key', message: 'is no key of the curve P-256' }] })
  }
}

function publicKeyOf({ x, y }: SigningKey): KeyObject {
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}

/** Checks signatures, and reads each key once. */
export function signatureChecker(): (key: SigningKey, text: string, signature: string) => boolean {
  const read = new Map<string, KeyObject>()
  return (key, text, signature) => {
    const name = nameOfKey(key)
    const known = read.get(name) ?? publicKeyOf(key)
    read.set(name, known)
    const bytes = Buffer.from(signature, 'base64url')
    return verify('sha256', Buffer.from(text), { key: known, dsaEncoding: 'ieee-p1363' }, bytes)
  }
}
