import { sql } from 'kysely'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'
import { lyingInStock } from '#server/domain/stock/library-search.ts'
import { priceColumnNames, priceColumns, pricesOf, recordPrices, samePrices } from '#server/domain/stock/model-prices.ts'
import { writePrices } from '#server/domain/stock/write-prices.ts'

/**
 * Applies every change of prices that is due, each in its own transaction. Several servers may run this at once:
 * writers for the chain take turns, and find the other's changes applied. Returns how many changes this call applied.
 */
export async function applyDuePrices({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  const waiting = await db.pool
    .selectFrom('price_changes')
    .select(['id_price_change', 'effective_on', 'time_zone'])
    .where('applied_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .orderBy('effective_on')
    .orderBy('created_at')
    .execute()
  let made = 0
  for (const { id_price_change, effective_on, time_zone } of waiting) {
    if (effective_on > dayOf(now, time_zone)) continue
    const wasMade = await db.write(['chain'], (writing) => applyChange(writing, id_price_change, new Date(now).toISOString()))
    if (wasMade) made += 1
  }
  return made
}

/** Applies a change that still waits. Returns false when it does not. */
export async function applyChange(writing: Writing, id: string, at: string): Promise<boolean> {
  const { trx } = writing
  const change = await trx
    .updateTable('price_changes')
    .set({ applied_at: at })
    .where('id_price_change', '=', id)
    .where('applied_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .returning(['created_by', 'rep', 'reprice_stock'])
    .executeTakeFirst()
  if (!change) return false
  const by = { at, id_user: change.created_by, rep: change.rep }
  const items = await trx
    .selectFrom('price_change_items')
    .innerJoin('models', 'models.id_model', 'price_change_items.id_model')
    .select(['models.id_model', 'before', 'after', ...priceColumnNames])
    .where('id_price_change', '=', id)
    .orderBy('models.id_model')
    .execute()
  // Leaves out models that somebody has priced since.
  const standing = items.filter((item) => samePrices(pricesOf(item), item.before))
  const priced = standing.map(({ id_model, before, after }) => ({
    id_model,
    was: priceColumns(before).selling_price,
    ...priceColumns(after),
  }))
  await sql`
    update models set list_cost = priced.list_cost, discount_pct = priced.discount_pct, net_cost = priced.net_cost, msrp = priced.msrp,
      rule_factor = priced.rule_factor, rule_ending = priced.rule_ending, selling_price = priced.selling_price,
      version = models.version + 1, changed_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(priced)}::jsonb) as priced (id_model int, list_cost bigint, discount_pct float8, net_cost bigint,
      msrp bigint, rule_factor float8, rule_ending text, selling_price bigint)
    where models.id_model = priced.id_model
  `.execute(trx)
  await recordPrices(trx, by, priced, id)
  await trx
    .updateTable('price_change_items')
    .set({ outcome: sql`case when id_model = any(${priced.map(({ id_model }) => id_model)}::int[]) then 'applied' else 'skipped' end` })
    .where('id_price_change', '=', id)
    .execute()
  if (change.reprice_stock) await repriceStock(writing, by, priced)
  return true
}

/**
 * Reprices pieces in stock that cost the book's former price, in the stores of the user who planned the change. Pieces
 * with another price or in other stores keep theirs.
 */
async function repriceStock(
  writing: Writing,
  by: { at: string; id_user: number; rep: string },
  models: readonly { id_model: number; was: number | null; selling_price: number | null }[],
): Promise<void> {
  const { trx } = writing
  const prices = new Map(models.map((model) => [model.id_model, model]))
  const stores = await storesOf(trx, by.id_user)
  const pieces = await trx
    .selectFrom('frames')
    .select(['id_inventory', 'id_model', 'status', 'store_id', 'version', 'pb_selling_price'])
    .where('id_model', '=', sql<number>`any(${[...prices.keys()]}::int[])`)
    .where('store_id', '=', sql<number>`any(${stores}::int[])`)
    .where(lyingInStock)
    .orderBy('id_inventory')
    .execute()
  const theirs = pieces.flatMap((piece) => {
    const model = piece.id_model === null ? undefined : prices.get(piece.id_model)
    if (!model || model.selling_price === null || piece.pb_selling_price !== model.was) return []
    return [{ piece, price: model.selling_price }]
  })
  await writePrices(
    writing,
    by,
    theirs.map(({ piece }) => piece),
    theirs.map(({ piece, price }) => ({ id_inventory: piece.id_inventory, version: piece.version, pb_selling_price: price })),
  )
}

const everyMs = 60_000

/** Applies price changes when they are due, from now on. Returns a function that stops it. */
export function startPriceClock(services: Services): () => Promise<void> {
  let isAtWork: Promise<unknown> | null = null
  const look = () => {
    isAtWork ??= applyDuePrices(services)
      .then((made) => made > 0 && services.log.info({ changes: made }, 'prices were changed whose day had come'))
      .catch((error: unknown) => services.log.error({ err: error }, 'prices could not be changed; the next minute tries again'))
      .finally(() => (isAtWork = null))
  }
  look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await isAtWork
  }
}
