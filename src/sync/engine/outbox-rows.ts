import type { WireCommand } from '#contract/sync/commands.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'

/** A command without a place in its lane yet. */
export type Draft = Omit<OutboxCommand, 'lane_seq'>

/** The part of a command that is sent. */
export function wireOf(command: OutboxCommand): WireCommand {
  const { id, lane, lane_seq, kind, version, body, store_id, author, capture_token, device_id, captured, signature } = command
  const travels = { id, lane, lane_seq, kind, version, body, store_id, author, capture_token, device_id, captured }
  return signature ? { ...travels, signature } : travels
}

export async function currentEpoch(hot: HotDatabase): Promise<string> {
  const value = (await hot.facts.get('epoch'))?.value
  return typeof value === 'string' ? value : ''
}
