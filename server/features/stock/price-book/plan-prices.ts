import { sql, type Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type BookChange, type BookPreviewRow, type BookPriceChange, type BookPrices, changedBook } from '#contract/library/price-book.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PriceColumns } from '#server/platform/db/tables/library-tables.ts'
import { applyChange } from '#server/features/stock/price-book/apply-prices.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { lyingInStock } from '#server/domain/stock/library-search.ts'
import { bookedPricesOf, priceColumnNames, priceColumns, pricesOf, samePrices } from '#server/domain/stock/model-prices.ts'

type Chosen = readonly { id_model: number; version: number }[]

/** The effect of a change on the prices, without writing it. @throws Refusal model-unknown, model-changed */
export async function previewBook(db: Kysely<Schema>, scope: Scope, chosen: Chosen, change: BookChange): Promise<BookPreviewRow[]> {
  const withCosts = scope.permissions.has('frame.see-cost')
  const models = await chosenModels(db, chosen)
  return models.map((model) => {
    const { after, problem } = changedBook(pricesOf(model), change)
    return {
      id_model: model.id_model,
      before: bookedPricesOf(model, withCosts),
      after: after && bookedPricesOf(priceColumns(after), withCosts),
      problem,
      in_stock: model.in_stock,
    }
  })
}

type Plan = {
  id_price_change: string
  effective_on: string
  reprice_stock: boolean
  models: Chosen
  change: BookChange
}

/**
 * Plans a change of prices from a day on, by the calendar of the store where the user works. It applies at once when
 * that day is here. The new price of each model is decided and stored now, so that the previewed prices are the ones
 * that come.
 * @throws Refusal request-invalid, model-unknown, model-changed, key-reused
 */
export async function planPrices(services: Services, scope: Scope, plan: Plan): Promise<BookPriceChange> {
  return await services.db.write(['chain'], async (writing) => {
    const { trx } = writing
    const known = await findChange(trx, plan.id_price_change)
    if (known) {
      if (known.effective_on !== plan.effective_on || known.reprice_stock !== plan.reprice_stock) throw new Refusal('key-reused')
      return known
    }
    const models = await chosenModels(trx, plan.models)
    const items = models.flatMap((model) => {
      const before = pricesOf(model)
      const { after } = changedBook(before, plan.change)
      return after === null || samePrices(before, after) ? [] : [{ id_model: model.id_model, before, after }]
    })
    if (items.length === 0) throw invalid('change', 'This changes no prices')
    const { time_zone } = await trx
      .selectFrom('stores')
      .select('time_zone')
      .where('store_id', '=', scope.store_id)
      .executeTakeFirstOrThrow()
    const now = services.clock.now()
    if (plan.effective_on < dayOf(now, time_zone)) throw invalid('effective_on', 'Choose today or a later date')
    const { id_price_change, effective_on, reprice_stock, change } = plan
    await trx
      .insertInto('price_changes')
      .values({
        id_price_change,
        effective_on,
        reprice_stock,
        change: JSON.stringify(change),
        time_zone,
        created_at: new Date(now).toISOString(),
        created_by: scope.id_user,
        rep: scope.name,
        store_id: scope.store_id,
      })
      .execute()
    await insertItems(trx, id_price_change, items)
    if (effective_on === dayOf(now, time_zone)) await applyChange(writing, id_price_change, new Date(now).toISOString())
    return await changeNow(trx, id_price_change)
  })
}

/** @throws Refusal price-change-unknown, price-change-settled */
export async function cancelPriceChange(db: Database, scope: Scope, id: string, at: string): Promise<BookPriceChange> {
  return await db.write(['chain'], async ({ trx }) => {
    const change = await changeNow(trx, id)
    if (change.applied_at !== null || change.cancelled_at !== null) throw new Refusal('price-change-settled', { details: { now: change } })
    await trx.updateTable('price_changes').set({ cancelled_at: at, cancelled_by: scope.name }).where('id_price_change', '=', id).execute()
    return await changeNow(trx, id)
  })
}

const mostChanges = 100

/** Waiting changes with the nearest day first, then the others with the newest first. */
export async function listPriceChanges(db: Kysely<Schema>): Promise<BookPriceChange[]> {
  const rows = await selectChanges(db)
    .orderBy(sql`applied_at is not null or cancelled_at is not null`)
    .orderBy(sql`case when applied_at is null and cancelled_at is null then effective_on end`)
    .orderBy('created_at', 'desc')
    .orderBy('id_price_change')
    .limit(mostChanges)
    .execute()
  return rows
}

function selectChanges(db: Kysely<Schema>) {
  return db
    .selectFrom('price_changes')
    .select([
      'id_price_change',
      'effective_on',
      'change',
      'reprice_stock',
      'created_at',
      'rep',
      'applied_at',
      'cancelled_at',
      'cancelled_by',
    ])
    .select([
      sql<number>`(select count(*) from price_change_items as items where items.id_price_change = price_changes.id_price_change)`.as(
        'models',
      ),
      sql<number>`(select count(*) from price_change_items as items
        where items.id_price_change = price_changes.id_price_change and outcome = 'skipped')`.as('skipped'),
    ])
}

async function findChange(db: Kysely<Schema>, id: string): Promise<BookPriceChange | undefined> {
  return await selectChanges(db).where('id_price_change', '=', id).executeTakeFirst()
}

async function changeNow(db: Kysely<Schema>, id: string): Promise<BookPriceChange> {
  const change = await findChange(db, id)
  if (!change) throw new Refusal('price-change-unknown')
  return change
}

type ChosenModel = { id_model: number; version: number; in_stock: number } & PriceColumns

/** Returns all the chosen models, each in the version that the user saw. */
async function chosenModels(db: Kysely<Schema>, chosen: Chosen): Promise<ChosenModel[]> {
  const ids = chosen.map(({ id_model }) => id_model)
  const models = await db
    .selectFrom('models')
    .select(['id_model', 'version', ...priceColumnNames])
    .select(sql<number>`(select count(*) from frames where frames.id_model = models.id_model and ${lyingInStock})`.as('in_stock'))
    .where('id_model', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('id_model')
    .execute()
  if (models.length < ids.length) throw new Refusal('model-unknown')
  const seen = new Map(chosen.map(({ id_model, version }) => [id_model, version]))
  const stale = models.filter(({ id_model, version }) => seen.get(id_model) !== version)
  if (stale.length > 0) {
    const message = `${stale.length} of the models ${stale.length === 1 ? 'was' : 'were'} changed by someone else`
    throw new Refusal('model-changed', { message, details: { ids: stale.map(({ id_model }) => id_model) } })
  }
  return models
}

const chunk = 500

async function insertItems(
  db: Kysely<Schema>,
  id_price_change: string,
  items: readonly { id_model: number; before: BookPrices; after: BookPrices }[],
): Promise<void> {
  for (let from = 0; from < items.length; from += chunk) {
    const rows = items.slice(from, from + chunk).map(({ id_model, before, after }) => ({
      id_price_change,
      id_model,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    }))
    await db.insertInto('price_change_items').values(rows).execute()
  }
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('request-invalid', { fields: [{ path: `body.${field}`, message }] })
}
