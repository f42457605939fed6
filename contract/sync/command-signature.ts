import { canonicalJson } from '#contract/sync/command-hash.ts'
import type { WireCommand } from '#contract/sync/command.ts'

type Signed = Pick<WireCommand, 'id' | 'kind' | 'lane' | 'lane_seq' | 'author' | 'device_id'>

/** The text that a tablet signs of a command. The hash stands for everything that the command says. */
export function signedText(command: Signed, bodyHash: string): string {
  const { id, kind, lane, lane_seq, author, device_id } = command
  return canonicalJson(['lorgnette command', id, bodyHash, kind, lane, lane_seq, author.id_user, device_id])
}
