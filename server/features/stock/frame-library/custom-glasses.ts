import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { CustomGlasses, CustomGlassesInput } from '#contract/library/frame-library.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/** Adds glasses made from a model, once for each id. @throws Refusal model-unknown, key-reused */
export async function addCustomGlasses(
  services: Services,
  scope: Scope,
  idModel: number,
  { id_custom, ...input }: CustomGlassesInput & { id_custom: string },
): Promise<CustomGlasses> {
  return await services.db.write([`store:${scope.store_id}`], async ({ trx }) => {
    await refuseUnknown(trx, idModel)
    const at = new Date(services.clock.now()).toISOString()
    await trx
      .insertInto('custom_glasses')
      .values({ id_custom, id_model: idModel, ...input, at, id_user: scope.id_user, rep: scope.name, store_id: scope.store_id })
      .onConflict((conflict) => conflict.column('id_custom').doNothing())
      .execute()
    const row = await trx.selectFrom('custom_glasses').selectAll().where('id_custom', '=', id_custom).executeTakeFirstOrThrow()
    const fields = Object.keys(input) as (keyof CustomGlassesInput)[]
    if (row.id_model !== idModel || row.id_user !== scope.id_user || fields.some((field) => row[field] !== input[field])) {
      throw new Refusal('key-reused')
    }
    return toGlasses(row)
  })
}

const mostGlasses = 100

/** The custom glasses of a model, newest first. @throws Refusal model-unknown */
export async function customGlassesOf(db: Kysely<Schema>, idModel: number): Promise<CustomGlasses[]> {
  await refuseUnknown(db, idModel)
  const rows = await db
    .selectFrom('custom_glasses')
    .selectAll()
    .where('id_model', '=', idModel)
    .orderBy('at', 'desc')
    .orderBy('id_custom', 'desc')
    .limit(mostGlasses)
    .execute()
  return rows.map(toGlasses)
}

async function refuseUnknown(db: Kysely<Schema>, idModel: number): Promise<void> {
  if (!(await db.selectFrom('models').select('id_model').where('id_model', '=', idModel).executeTakeFirst()))
    throw new Refusal('model-unknown')
}

function toGlasses({ id_custom, kind, color, eye, bridge, temple, selling_price, note, at, rep }: CustomGlasses): CustomGlasses {
  return { id_custom, kind, color, eye, bridge, temple, selling_price, note, at, rep }
}
