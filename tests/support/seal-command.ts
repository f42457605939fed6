import type { WireCommand } from '#contract/sync/commands.ts'
import { publicSealingKey } from '#server/domain/people/open-sealed.ts'
import type { Secrets } from '#server/platform/services.ts'
import { sealCommandBody } from '#src/sync/session/seal.ts'

/** Returns the command as a tablet sends it, with its body sealed to the server's first key. */
export async function sealedForServer(command: WireCommand, secrets: Pick<Secrets, 'sealingKeys'>): Promise<WireCommand> {
  const [key] = secrets.sealingKeys
  if (!key) throw new Error('the server has no sealing key')
  const { key_id, public_key } = publicSealingKey(key)
  return { ...command, body: { sealed: await sealCommandBody(command.body, public_key, command), key_id } }
}
