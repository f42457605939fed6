import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { uuid } from '#contract/core/primitives.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * Returns the entry that a merge kept, or the given id when it was not merged. It does not check that the id exists.
 */
export async function standingPcp(db: Kysely<Schema>, id: string | null): Promise<string | null> {
  if (id === null || !v.is(uuid, id)) return id
  const row = await db.selectFrom('pcps').select(['id_pcp', 'merged_into']).where('id_pcp', '=', id).executeTakeFirst()
  return row?.merged_into ?? row?.id_pcp ?? id
}
