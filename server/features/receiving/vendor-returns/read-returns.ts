import { type Kysely, sql } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import { isOpen, vendorReturnStatuses } from '#contract/returns/vendor-return-rules.ts'
import {
  type VendorReturn,
  type VendorReturnCard,
  type vendorReturnEndpoints,
  vendorReturnPageSize,
} from '#contract/returns/vendor-returns.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

function selectCards(db: Kysely<Schema>) {
  return db
    .selectFrom('vendor_returns as back')
    .innerJoin('stores', 'stores.store_id', 'back.store_id')
    .innerJoin('vendors', 'vendors.vendor_id', 'back.vendor_id')
    .selectAll('back')
    .select([
      'stores.store_name as store',
      'vendors.name as vendor',
      sql<number>`(select count(*) from vendor_return_lines line where line.return_id = back.return_id)`.as('pieces'),
      sql<number>`(select coalesce(sum(cost_cents), 0) from vendor_return_lines line where line.return_id = back.return_id)`.as(
        'expected_cents',
      ),
      sql<number>`(select count(*) from vendor_return_lines line where line.return_id = back.return_id and cost_cents is null)`.as(
        'missing_costs',
      ),
    ])
}
export type ReturnRow = Awaited<ReturnType<ReturnType<typeof selectCards>['executeTakeFirstOrThrow']>>

const seesCosts = (scope: Scope) => scope.permissions.has('frame.see-cost')

function toCard(row: ReturnRow, scope: Scope): VendorReturnCard {
  const { expected_cents, missing_costs, credit_received_cents: received_cents, ...told } = row
  const credit = seesCosts(scope) ? { expected_cents: Number(expected_cents), received_cents, missing_costs: Number(missing_costs) } : null
  return { ...told, pieces: Number(row.pieces), credit }
}

/** A page of the returns of the store where the user works now, newest first. */
export async function listVendorReturns(
  db: Kysely<Schema>,
  scope: Scope,
  { list, status, vendor_id, page }: ParsedRequestOf<(typeof vendorReturnEndpoints)['listVendorReturns']>['query'],
) {
  const wanted = vendorReturnStatuses.filter((one) => isOpen(one) === (list === 'open'))
  const found = selectCards(db)
    .where('back.store_id', '=', scope.store_id)
    .where('back.status', 'in', status === undefined ? wanted : [status])
    .$if(vendor_id !== undefined, (query) => query.where('back.vendor_id', '=', vendor_id ?? 0))
  const { total } = await found
    .clearSelect()
    .select((expr) => expr.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .orderBy('back.number', 'desc')
    .limit(vendorReturnPageSize)
    .offset((page - 1) * vendorReturnPageSize)
    .execute()
  return { return_invoices: rows.map((row) => toCard(row, scope)), page, page_size: vendorReturnPageSize, total: Number(total) }
}

/** @throws Refusal vendor-return-unknown, also for a return of a store that is not the user's */
export async function findVendorReturn(db: Kysely<Schema>, scope: Scope, id: string): Promise<ReturnRow> {
  const row = await selectCards(db).where('back.return_id', '=', id.toLowerCase()).executeTakeFirst()
  const isTheirs = row && (row.store_id === scope.store_id || (await storesOf(db, scope.id_user)).includes(row.store_id))
  if (!isTheirs) throw new Refusal('vendor-return-unknown')
  return row
}

/** The pieces of a return, in the order in which they were added. */
export async function linesOf(db: Kysely<Schema>, id: string) {
  const lines = await db
    .selectFrom('vendor_return_lines')
    .selectAll()
    .where('return_id', '=', id)
    .orderBy('place')
    .orderBy('id_inventory')
    .execute()
  const ids = lines.map(({ id_inventory }) => id_inventory)
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  const byId = new Map(frames.map((frame) => [frame.id_inventory, frame]))
  return lines.flatMap((line) => {
    const frame = byId.get(line.id_inventory)
    return frame ? [{ ...line, frame }] : []
  })
}

/** Returns a return with its pieces and its timeline. @throws Refusal vendor-return-unknown */
export async function readVendorReturn(db: Kysely<Schema>, scope: Scope, id: string): Promise<VendorReturn> {
  const row = await findVendorReturn(db, scope, id)
  const lines = await linesOf(db, row.return_id)
  const timeline = await db
    .selectFrom('vendor_return_history')
    .select(['at', 'rep', 'action', 'detail'])
    .where('return_id', '=', row.return_id)
    .orderBy('id', 'desc')
    .execute()
  return {
    ...toCard(row, scope),
    lines: lines.map(({ frame, cost_cents }) => ({ frame: toFrame(frame), cost_cents: seesCosts(scope) ? cost_cents : null })),
    timeline,
  }
}
