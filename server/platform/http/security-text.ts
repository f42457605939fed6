import type { Config } from '#server/platform/services.ts'

export const securityTextPath = '/.well-known/security.txt'

/** Readers may trust it for so long after they read it. */
const goodForDays = 180

/** Where people tell of a hole that they found (RFC 9116); null when nobody said whom they should tell. */
export function securityText(config: Pick<Config, 'securityContacts' | 'publicUrl'>, now: number): string | null {
  const contacts = config.securityContacts ?? []
  if (contacts.length === 0) return null
  const lines = contacts.map((contact) => `Contact: ${contact}`)
  lines.push(`Expires: ${new Date(now + goodForDays * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`, 'Preferred-Languages: en')
  if (config.publicUrl !== null) lines.push(`Canonical: ${config.publicUrl}${securityTextPath}`)
  return `${lines.join('\n')}\n`
}
