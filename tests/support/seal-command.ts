import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { commandSealContext, type WireCommand } from '#contract/commands.ts'
import { publicSealingKey } from '#server/people/open-sealed.ts'
import type { Secrets } from '#server/services.ts'

/** The command as a tablet sends it: its body sealed to the server's first key. */
export async function sealedForServer(command: WireCommand, secrets: Pick<Secrets, 'sealingKeys'>): Promise<WireCommand> {
  const [key] = secrets.sealingKeys
  if (!key) throw new Error('the server has no sealing key')
  const { key_id, public_key } = publicSealingKey(key)
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const recipientPublicKey = await suite.kem.deserializePublicKey(Uint8Array.from(Buffer.from(public_key, 'base64url')).buffer)
  const sender = await suite.createSenderContext({ recipientPublicKey })
  const bytes = (text: string) => new TextEncoder().encode(text).buffer
  const text = await sender.seal(bytes(JSON.stringify(command.body)), bytes(commandSealContext(command.id, command.kind)))
  const sealed = Buffer.concat([Buffer.from(sender.enc), Buffer.from(text)]).toString('base64url')
  return { ...command, body: { sealed, key_id } }
}
