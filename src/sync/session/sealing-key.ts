import * as v from 'valibot'
import type { HotDatabase } from '#src/db/hot/hot.ts'

export const sealingKeyFact = 'sealing-key'

const shape = v.object({ key_id: v.string(), public_key: v.string(), fetched_at: v.number() })
/** The server's public key. Data sealed to it cannot be read back on a tablet. */
export type SealingKey = v.InferOutput<typeof shape>

/** The last key that this device got; null when it never got one. */
export async function keptSealingKey(hot: HotDatabase): Promise<SealingKey | null> {
  const kept = v.safeParse(shape, (await hot.facts.get(sealingKeyFact))?.value)
  return kept.success ? kept.output : null
}
