import type { Kysely } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * Something that the newest rotation gave was presented, so its answer arrived. Once for each rotation: from now on the token before it is a
 * used one, and its grace begins. It begins no earlier, because tries of other tabs may still be under way whose answers would be that one's.
 *
 * @param db a transaction
 * @param at ISO instant
 */
export async function confirmRotation(db: Kysely<Schema>, sessionId: string, rotation: string, at: string): Promise<void> {
  const confirmed = await db
    .updateTable('sessions')
    .set({ unconfirmed_rotation: null })
    .where('id', '=', sessionId)
    .where('unconfirmed_rotation', '=', rotation)
    .returning('id')
    .executeTakeFirst()
  if (!confirmed) return
  await db
    .updateTable('refresh_tokens')
    .set({ used_at: at })
    .where('session_id', '=', sessionId)
    .where('token_hash', 'in', (last) =>
      last
        .selectFrom('refresh_tokens as before')
        .select('before.token_hash')
        .where('before.session_id', '=', sessionId)
        .where('before.used_at', 'is not', null)
        .orderBy('before.issued_at', 'desc')
        .limit(1),
    )
    .execute()
}
