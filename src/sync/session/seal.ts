import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { commandSealContext, punchSealContext } from '#contract/sync/command.ts'

/**
 * Seals to the server's public key (HPKE, RFC 9180): the password of a punch, or a command about a patient. A tablet
 * can keep it for days and cannot read it back. The additional data binds it to this one punch or command.
 */

export type PunchSeal = { id: string; username: string; direction: 'in' | 'out' }

/** See `sealForServer`. */
export async function sealPunchPassword(password: string, publicKey: string, punch: PunchSeal): Promise<string> {
  return await sealForServer(password, publicKey, punchSealContext(punch.id, punch.username, punch.direction))
}

/** See `sealForServer`. */
export async function sealCommandBody(body: unknown, publicKey: string, command: { id: string; kind: string }): Promise<string> {
  return await sealForServer(JSON.stringify(body), publicKey, commandSealContext(command.id, command.kind))
}

/**
 * `publicKey` is the uncompressed P-256 point in base64url, from `/api/timecard/sealing-key`. Returns the encapsulated
 * key (65 bytes) and the ciphertext, joined, in base64url.
 * @throws when the key is not valid
 */
async function sealForServer(text: string, publicKey: string, context: string): Promise<string> {
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64Url(publicKey).buffer)
  const sender = await suite.createSenderContext({ recipientPublicKey })
  const encoder = new TextEncoder()
  const sealed = new Uint8Array(await sender.seal(encoder.encode(text).buffer, encoder.encode(context).buffer))
  const encapsulated = new Uint8Array(sender.enc)
  const joined = new Uint8Array(encapsulated.length + sealed.length)
  joined.set(encapsulated)
  joined.set(sealed, encapsulated.length)
  return toBase64Url(joined)
}

function toBase64Url(bytes: Uint8Array): string {
  // Some thousand at a time: a function call takes only so many arguments.
  let binary = ''
  for (let from = 0; from < bytes.length; from += 8192) binary += String.fromCharCode(...bytes.subarray(from, from + 8192))
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
