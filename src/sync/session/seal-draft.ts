import type { HomeInfo } from '#contract/people/session.ts'
import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import { sealCommandBody } from '#src/sync/session/seal.ts'
import { keptSealingKey } from '#src/sync/session/sealing-key.ts'

type Draft = { id: string; kind: string; body: Record<string, unknown>; own?: Uint8Array }

/**
 * The draft of a command with its body sealed to the server, and beside it the body as whoever is signed in may read it here. Null where
 * it cannot be sealed: then it is not written down at all.
 */
export async function sealDraft<D extends Draft>(
  hot: HotDatabase,
  home: HomeInfo | null,
  subtle: SubtleCrypto | null,
  draft: D,
): Promise<D | null> {
  const key = await keptSealingKey(hot)
  if (key === null || subtle === null) return null
  const own = home && (await keptPatientsKey(hot, home))
  const body = { sealed: await sealCommandBody(draft.body, key.public_key, draft), key_id: key.key_id }
  return { ...draft, body, ...(own && { own: await encrypted(own, draft.body) }) }
}

/** As its author wrote it, but for what is never kept on a device: of a social security number it is kept that one was typed. */
async function encrypted(key: CryptoKey, body: Record<string, unknown>): Promise<Uint8Array> {
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'ssn' ? typedNumber(value) : value))
  const stored = await encryptedCodec(key).encode(text)
  if (typeof stored === 'string') throw new TypeError('What was to be encrypted is not')
  return stored
}

/** In an edit it is a change; in a new patient it is the number, which nothing is said of. */
function typedNumber(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? { from: null, to: true } : undefined
}
