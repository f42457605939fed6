import type { HomeInfo } from '#contract/people/session.ts'
import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import { sealCommandBody } from '#src/sync/session/seal.ts'
import { keptSealingKey } from '#src/sync/session/sealing-key.ts'

type Draft = { id: string; kind: string; body: Record<string, unknown>; own?: Uint8Array }

/**
 * Seals the body of a command to the server. `own` is the body encrypted for the signed-in user of this device. Null
 * when it cannot be sealed: then it is not kept at all.
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

/**
 * Encrypts the body as its author wrote it, without what a device never keeps. Of a social security number only the
 * fact stays that one was typed.
 */
async function encrypted(key: CryptoKey, body: Record<string, unknown>): Promise<Uint8Array> {
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'ssn' ? typedNumber(value) : value))
  const stored = await encryptedCodec(key).encode(text)
  if (typeof stored === 'string') throw new TypeError('The text was not encrypted')
  return stored
}

/** In an edit it is a change. In a new patient it is the number, which is left out. */
function typedNumber(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? { from: null, to: true } : undefined
}
