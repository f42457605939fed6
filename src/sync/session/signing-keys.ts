import * as v from 'valibot'
import { boundKeyOf, nameOfKey, type SigningKey, signingKey } from '#contract/sync/signing-key.ts'
import type { DeviceFact, HotDatabase } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/**
 * The keys with which this tablet signs its users' work: one for each sign-in, with a private half that nobody can
 * extract. A key stays until all work that needs it has left, under any session.
 */

/** A key is among the device facts, under this prefix and its name. */
export const signingKeyPrefix = 'signing-key '
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A key that is not stored yet. */
export type NewKey = { public: SigningKey; row: DeviceFact }

export async function makeSigningKey(signing: NonNullable<Environment['signing']>): Promise<NewKey> {
  const { publicKey, privateKey } = await signing.generateKey(algorithm, false, ['sign', 'verify'])
  const made = v.parse(signingKey, await signing.exportKey('jwk', publicKey))
  return { public: made, row: { key: signingKeyPrefix + nameOfKey(made), value: privateKey } }
}

/** The name of the key that a capture token is bound to; null when it is bound to none. */
export function keyNameOf(captureToken: string | null | undefined): string | null {
  const bound = captureToken ? boundKeyOf(captureToken) : null
  return bound && nameOfKey(bound)
}

export async function hasKeyFor(hot: HotDatabase, captureToken: string): Promise<boolean> {
  const name = keyNameOf(captureToken)
  return name !== null && (await hot.facts.get(signingKeyPrefix + name)) !== undefined
}

/**
 * Deletes the keys that no session, no box for offline sign-in and no waiting work needs.
 * @param inHand the capture token of the user whose session ended and whose work is still on the screen
 */
export async function forgetUnusedKeys(hot: HotDatabase, inHand?: string): Promise<void> {
  await hot.transaction('rw', hot.facts, hot.session, hot.outbox, async () => {
    const unused = new Set(
      (await hot.facts.where('key').startsWith(signingKeyPrefix).primaryKeys()).map((key) => key.slice(signingKeyPrefix.length)),
    )
    unused.delete(keyNameOf((await hot.session.get('session'))?.home?.capture_token) ?? '')
    unused.delete(keyNameOf(inHand) ?? '')
    if (unused.size === 0) return
    await hot.facts
      .where('key')
      .startsWith('offline-p')
      .each(({ value }) => unused.delete(keyNameOfBox(value) ?? ''))
    let lastToken: string | null = null
    await hot.outbox.each(({ capture_token }) => {
      if (capture_token === lastToken) return
      lastToken = capture_token
      unused.delete(keyNameOf(capture_token) ?? '')
    })
    await hot.facts.bulkDelete([...unused].map((name) => signingKeyPrefix + name))
  })
}

function keyNameOfBox(value: unknown): string | null {
  const box = value as { signing_key?: unknown } | null
  return typeof box?.signing_key === 'string' ? box.signing_key : null
}
