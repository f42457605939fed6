import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256, HpkeError } from '@hpke/core'
import type { Secrets } from '#server/platform/services.ts'

const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })

/** Length of an encapsulated P-256 key, which precedes the ciphertext. */
const encapsulatedBytes = 65

/**
 * Opens a text that a tablet sealed to one of the server's keys (HPKE, RFC 9180; base64url). Returns null when no key
 * opens it, or when its context is not `context`.
 */
export async function openSealed(
  secrets: Pick<Secrets, 'sealingKeys'>,
  given: { sealed: string; key_id: string },
  context: string,
): Promise<string | null> {
  const joined = Uint8Array.from(Buffer.from(given.sealed, 'base64url'))
  if (joined.length <= encapsulatedBytes) return null
  const bound = new TextEncoder().encode(context)
  // The named key comes first. The others follow, because a key's name proves nothing.
  const keys = secrets.sealingKeys.toSorted((a, b) => Number(b.keyId === given.key_id) - Number(a.keyId === given.key_id))
  for (const key of keys) {
    try {
      const recipientKey = await suite.kem.importKey('jwk', key.privateKey, false)
      const recipient = await suite.createRecipientContext({ recipientKey, enc: joined.slice(0, encapsulatedBytes).buffer })
      const opened = await recipient.open(joined.slice(encapsulatedBytes).buffer, bound.buffer)
      return new TextDecoder('utf-8', { fatal: true }).decode(opened)
    } catch (error) {
      if (!(error instanceof HpkeError) && !(error instanceof TypeError)) throw error
    }
  }
  return null
}

/** The public key in the form that tablets use for sealing: the uncompressed P-256 point in base64url. */
export function publicSealingKey(key: Secrets['sealingKeys'][number]): { key_id: string; public_key: string } {
  const { x, y } = key.publicKey
  if (!x || !y) throw new Error(`The sealing key ${key.keyId} is not a P-256 public key`)
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { key_id: key.keyId, public_key: point.toString('base64url') }
}
