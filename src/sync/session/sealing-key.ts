import * as v from 'valibot'
import type { HotDatabase } from '#src/db/hot/hot.ts'

export const sealingKeyFact = 'sealing-key'

const shape = v.object({ key_id: v.string(), public_key: v.string(), fetched_at: v.number() })
/** The server's public key, to which is sealed what a tablet must not be able to read back. */
export type SealingKey = v.InferOutput<typeof shape>

/** The key as this device last got it; null when it never did. */
export async function keptSealingKey(hot: HotDatabase): Promise<SealingKey | null> {
  const kept = v.safeParse(shape, (await hot.facts.get(sealingKeyFact))?.value)
  return kept.success ? kept.output : null
}
