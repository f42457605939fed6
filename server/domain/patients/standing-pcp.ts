import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { uuid } from '#contract/core/primitives.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The primary care provider who stands for this one: the same, or into whom this one was merged. Nobody is checked to be there. */
export async function standingPcp(db: Kysely<Schema>, id: string | null): Promise<string | null> {
  if (id === null || !v.is(uuid, id)) return id
  const row = await db.selectFrom('pcps').select(['id_pcp', 'merged_into']).where('id_pcp', '=', id).executeTakeFirst()
  return row?.merged_into ?? row?.id_pcp ?? id
}
