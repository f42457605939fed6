import * as v from 'valibot'
import { boundKeyOf, nameOfKey, type SigningKey, signedText, signingKey } from '#contract/sync/command-signature.ts'
import type { DeviceFact, HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/**
 * The keys with which this tablet signs what people do on it: one for each sign-in, whose private half nobody can read out. A key stays until
 * everything that needs it has left, under whoever's session.
 */

const prefix = 'signing-key '
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const howToSign = { name: 'ECDSA', hash: 'SHA-256' } as const

/** A key that is not written down yet. */
export type NewKey = { public: SigningKey; row: DeviceFact }

export async function makeSigningKey(signing: NonNullable<Environment['signing']>): Promise<NewKey> {
  const { publicKey, privateKey } = await signing.generateKey(algorithm, false, ['sign', 'verify'])
  const made = v.parse(signingKey, await signing.exportKey('jwk', publicKey))
  return { public: made, row: { key: prefix + nameOfKey(made), value: privateKey } }
}

/** The name of the key that a capture token is bound to; null for one that is bound to none. */
export function keyNameOf(captureToken: string | null | undefined): string | null {
  const bound = captureToken ? boundKeyOf(captureToken) : null
  return bound && nameOfKey(bound)
}

export async function hasKeyFor(hot: HotDatabase, captureToken: string): Promise<boolean> {
  const name = keyNameOf(captureToken)
  return name !== null && (await hot.facts.get(prefix + name)) !== undefined
}

/**
 * The commands with their authors' signatures. Made when they are sent, so that nobody waits for it who scans. What has one keeps it; what has no
 * hash yet, or whose key is not here, gets none, and leaves with its author's own session.
 */
export async function signed(
  environment: Pick<Environment, 'signing'>,
  hot: HotDatabase,
  commands: readonly OutboxCommand[],
): Promise<OutboxCommand[]> {
  const { signing } = environment
  if (signing === null) return [...commands]
  const names = new Map<string, string | null>()
  for (const { capture_token: token } of commands) if (token !== null && !names.has(token)) names.set(token, keyNameOf(token))
  const wanted = [...new Set([...names.values()].flatMap((name) => name ?? []))]
  const rows = wanted.length === 0 ? [] : await hot.facts.bulkGet(wanted.map((name) => prefix + name))
  const keys = new Map(wanted.map((name, place) => [name, rows[place]?.value]))
  return await Promise.all(
    commands.map(async (command) => {
      const key = keys.get(names.get(command.capture_token ?? '') ?? '')
      if (command.signature || command.body_hash === null || !(key instanceof CryptoKey)) return command
      const text = new TextEncoder().encode(signedText(command, command.body_hash))
      return { ...command, signature: base64url(await signing.sign(howToSign, key, text)) }
    }),
  )
}

/**
 * Lets go of the keys that nothing needs any more: no session, no box for days without a connection, and no work that waits.
 * @param inHand the capture token of the person whose session ended and whose work is still on the screen
 */
export async function forgetUnusedKeys(hot: HotDatabase, inHand?: string): Promise<void> {
  await hot.transaction('rw', hot.facts, hot.session, hot.outbox, async () => {
    const unused = new Set((await hot.facts.where('key').startsWith(prefix).primaryKeys()).map((key) => key.slice(prefix.length)))
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
    await hot.facts.bulkDelete([...unused].map((name) => prefix + name))
  })
}

function keyNameOfBox(value: unknown): string | null {
  const box = value as { signing_key?: unknown } | null
  return typeof box?.signing_key === 'string' ? box.signing_key : null
}

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
