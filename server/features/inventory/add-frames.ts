import { sql, type Kysely } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Frame } from '#contract/frames.ts'
import type { AddedFrames } from '#contract/stock.ts'
import { keptUpc, notAUpc } from '#contract/stock-codes.ts'
import { netCost } from '#contract/stock-money.ts'
import type { Writing } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Scope } from '#server/http/scope.ts'
import type { Services } from '#server/services.ts'
import { historyRow } from '#server/stock/history-row.ts'
import { standingModel } from '#server/stock/standing-model.ts'
import { selectFrames, toFrame } from '#server/stock/frame-rows.ts'

type Codes = { id_inventory: number; sku: string; serial: string }

/**
 * Pieces of one model that lie in the person's store from now on, each with a store tag and an F# of its own. The same adding again
 * answers with what it added. @throws Refusal request-invalid, key-reused
 */
export async function addFrames(services: Services, scope: Scope, addId: string, added: AddedFrames): Promise<Frame[]> {
  const upc = added.upc === null || added.upc.trim() === '' ? { upc: null, gtin: null } : keptUpc(added.upc)
  if (!upc) throw invalid('upc', notAUpc)
  return await services.db.writing(['chain'], async (writing) => {
    const { trx, revision } = writing
    // Whoever writes frames waits for whoever does: a repeat finds what the first has added.
    const known = await addedBy(trx, addId)
    if (known.length > 0) {
      if (!isSame(known, scope, added)) throw new Refusal('key-reused')
      return known
    }
    const brand = await trx.selectFrom('brands').selectAll().where('brand_id', '=', added.brand_id).executeTakeFirst()
    if (!brand) throw invalid('brand_id', 'There is no such brand')
    const at = new Date(services.clock.now()).toISOString()
    const { quantity, note, ...typed } = added
    const standing = await standingModel(trx, added, upc, { at, id_user: scope.id_user, rep: scope.name, store_id: scope.store_id })
    // Who may not see what it costs cannot give it either: the book does.
    const isBlind = added.item_list_cost === null && !scope.permissions.has('frame.see-cost')
    const model = isBlind ? { ...typed, item_list_cost: standing.list_cost, item_discount: standing.discount_pct } : typed
    const shared = {
      ...model,
      ...upc,
      add_id: addId,
      status: 'Ready for Sale' as const,
      store_id: scope.store_id,
      vendor_id: brand.vendor_id,
      id_model: standing.id_model,
      item_net: netCost(model.item_list_cost, model.item_discount),
      note: note?.trim() || null,
      receipt_at: at,
      last_seen_at: at,
      version: 1,
      changed_at: at,
      revision: revision('chain'),
    }
    const codes = await freeCodes(writing, scope.store_id, quantity)
    await trx
      .insertInto('frames')
      .values(codes.map((piece) => ({ ...shared, ...piece })))
      .execute()
    const rows = codes.map(({ id_inventory }) =>
      historyRow({
        id_inventory,
        action: 'Added',
        before: null,
        after: shared,
        at,
        by: { id_user: scope.id_user, rep: scope.name, device_id: null },
        extra: shared.note ?? '',
      }),
    )
    await trx.insertInto('frame_history').values(rows).execute()
    return await addedBy(trx, addId)
  })
}

async function addedBy(db: Kysely<Schema>, addId: string): Promise<Frame[]> {
  const rows = await selectFrames(db).where('frames.add_id', '=', addId).orderBy('frames.id_inventory').execute()
  return rows.map(toFrame)
}

function isSame(known: readonly Frame[], scope: Scope, added: AddedFrames): boolean {
  const [first] = known
  return (
    known.length === added.quantity &&
    first?.store_id === scope.store_id &&
    first.brand_id === added.brand_id &&
    first.title_product === added.title_product &&
    first.title_variant === added.title_variant
  )
}

/** Numbers that no piece has had; one that somebody gave by hand before is passed over. */
async function freeCodes({ trx }: Writing, storeId: number, quantity: number): Promise<Codes[]> {
  const { short_name } = await trx.selectFrom('stores').select('short_name').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  const tag =
    short_name
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 6) || `S${storeId}`
  const free: Codes[] = []
  while (free.length < quantity) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('frames', 'id_inventory'))::int as id from generate_series(1, ${quantity - free.length}::int)
    `.execute(trx)
    const drawn = rows.map(({ id }) => ({
      id_inventory: id,
      sku: `${tag}-${String(id).padStart(6, '0')}`,
      serial: `F${String(100_000 + id).padStart(7, '0')}`,
    }))
    const taken = await trx
      .selectFrom('frames')
      .select(['id_inventory', 'sku', 'serial'])
      .where((where) =>
        where.or([
          where(
            'sku',
            'in',
            drawn.map(({ sku }) => sku),
          ),
          where(
            'serial',
            'in',
            drawn.map(({ serial }) => serial),
          ),
          where(
            'id_inventory',
            'in',
            drawn.map(({ id_inventory }) => id_inventory),
          ),
        ]),
      )
      .execute()
    const isTaken = (one: Codes) =>
      taken.some((other) => other.sku === one.sku || other.serial === one.serial || other.id_inventory === one.id_inventory)
    free.push(...drawn.filter((one) => !isTaken(one)))
  }
  return free
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('request-invalid', { fields: [{ path: `body.${field}`, message }] })
}
