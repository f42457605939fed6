import type { CommandApplier, CommandEntry } from '#server/platform/http/command-applier.ts'

/** A person gave a command up. It stays on record what it was, who gave it up, and why. */
export const discardCommand: CommandEntry<'command.discard'> = {
  permission: null,
  prepare: async () => ({ scopes: [], apply: discard }),
}

const discard: CommandApplier<'command.discard'> = async ({ writing, command, body, author, capturedAt }) => {
  await writing.trx
    .insertInto('discarded_commands')
    .values({
      id: command.id,
      discarded_id: body.discarded_id,
      discarded_kind: body.discarded_kind,
      discarded_body: storableJson(body.discarded_body),
      reason: body.reason,
      author_id: author.id_user,
      device_id: command.device_id,
      discarded_at: capturedAt,
    })
    .execute()
  return { rows: [] }
}

/** JSON that jsonb takes: a body may have been given up just because it holds NUL or half a surrogate pair. */
function storableJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) => (found === '\\\\' ? found : '\\ufffd'))
}
