import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { punchSealContext } from '#contract/commands.ts'

/**
 * Seals the password of a punch to the server's public key (HPKE, RFC 9180), so that a tablet can keep a punch for
 * days without being able to read the password back. The additional data binds it to this one punch.
 */

export type PunchSeal = { id: string; username: string; direction: 'in' | 'out' }

/**
 * `publicKey` is the uncompressed P-256 point in base64url, as `/api/timecard/sealing-key` gives it. Returns the
 * encapsulated key (65 bytes) and the ciphertext, joined, in base64url. Throws when the key is not one.
 */
export async function sealPunchPassword(password: string, publicKey: string, punch: PunchSeal): Promise<string> {
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64Url(publicKey).buffer)
  const sender = await suite.createSenderContext({ recipientPublicKey })
  const encoder = new TextEncoder()
  const context = encoder.encode(punchSealContext(punch.id, punch.username, punch.direction))
  const sealed = new Uint8Array(await sender.seal(encoder.encode(password).buffer, context.buffer))
  const encapsulated = new Uint8Array(sender.enc)
  const joined = new Uint8Array(encapsulated.length + sealed.length)
  joined.set(encapsulated)
  joined.set(sealed, encapsulated.length)
  return toBase64Url(joined)
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
