import type { WireCommand } from '#contract/sync/commands.ts'

/**
 * The text whose SHA-256 both sides call the body hash: everything that must not change once sent.
 * The capture token and lane position are left out: an export read in on another tablet keeps the hash.
 */
export function hashedText(command: Pick<WireCommand, 'id' | 'kind' | 'version' | 'body' | 'store_id' | 'author' | 'captured'>): string {
  return canonicalJson([
    command.id,
    command.kind,
    command.version,
    command.body,
    command.store_id,
    command.author.id_user,
    command.captured,
  ])
}

/** JSON with sorted keys, so that both sides write the same text for the same value. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value as Record<string, unknown>).filter(([, item]) => item !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
