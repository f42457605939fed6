import { signedText } from '#contract/sync/command-signature.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { keyNameOf, signingKeyPrefix } from '#src/sync/session/signing-keys.ts'

const howToSign = { name: 'ECDSA', hash: 'SHA-256' } as const

/**
 * Returns the commands with their authors' signatures. It runs when commands are sent, so no scan waits for it. A
 * command without a hash or without a key on this tablet gets no signature, and leaves with its author's own session.
 */
export async function signCommands(
  environment: Pick<Environment, 'signing'>,
  hot: HotDatabase,
  commands: readonly OutboxCommand[],
): Promise<OutboxCommand[]> {
  const { signing } = environment
  if (signing === null) return [...commands]
  const names = new Map<string, string | null>()
  for (const { capture_token: token } of commands) if (token !== null && !names.has(token)) names.set(token, keyNameOf(token))
  const wanted = [...new Set([...names.values()].flatMap((name) => name ?? []))]
  const rows = wanted.length === 0 ? [] : await hot.facts.bulkGet(wanted.map((name) => signingKeyPrefix + name))
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

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
