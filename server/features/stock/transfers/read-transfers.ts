import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type Transfer, type TransferCard, transferPageSize, type TransferTab } from '#contract/stock/transfers.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Actor } from '#server/platform/http/use-case.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

const arrivedStates = ['received', 'damaged'] as const

function selectCards(db: Kysely<Schema>) {
  return db
    .selectFrom('transfers')
    .innerJoin('stores as origin', 'origin.store_id', 'transfers.from_store_id')
    .innerJoin('stores as destination', 'destination.store_id', 'transfers.to_store_id')
    .selectAll('transfers')
    .select(['origin.store_name as from_store', 'destination.store_name as to_store'])
    .select((expr) => {
      const lines = expr.selectFrom('transfer_lines').whereRef('transfer_lines.id_transfer', '=', 'transfers.id_transfer')
      const counted = lines.select((line) => line.fn.countAll<string>().as('n'))
      return [counted.as('pieces'), counted.where('transfer_lines.state', 'in', arrivedStates).as('arrived')]
    })
}
type CardRow = Awaited<ReturnType<ReturnType<typeof selectCards>['executeTakeFirstOrThrow']>>

const toCard = (row: CardRow): TransferCard => ({ ...row, pieces: Number(row.pieces), arrived: Number(row.arrived) })

/** A page of transfers from and to a store. Open ones come longest under way first, done ones newest first. */
export async function listTransfers(db: Kysely<Schema>, storeId: number, tab: TransferTab, page: number) {
  const found = selectCards(db)
    .$if(tab === 'to-send', (query) => query.where('from_store_id', '=', storeId).where('status', '=', 'draft'))
    .$if(tab === 'in-transit', (query) => query.where('from_store_id', '=', storeId).where('status', 'in', ['sent', 'partly received']))
    .$if(tab === 'to-receive', (query) => query.where('to_store_id', '=', storeId).where('status', 'in', ['sent', 'partly received']))
    .$if(tab === 'done', (query) =>
      query
        .where((where) => where.or([where('from_store_id', '=', storeId), where('to_store_id', '=', storeId)]))
        .where('status', 'in', ['received', 'discrepancy', 'cancelled']),
    )
  const { total } = await found
    .clearSelect()
    .select((expr) => expr.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .orderBy('number', tab === 'done' || tab === 'to-send' ? 'desc' : 'asc')
    .limit(transferPageSize)
    .offset((page - 1) * transferPageSize)
    .execute()
  return { transfers: rows.map(toCard), page, page_size: transferPageSize, total: Number(total) }
}

/** @throws Refusal transfer-unknown, also for a transfer between stores that are not the user's */
export async function findTransfer(db: Kysely<Schema>, actor: Pick<Actor, 'id_user' | 'store_id'>, id: string): Promise<CardRow> {
  const row = await selectCards(db).where('id_transfer', '=', id.toLowerCase()).executeTakeFirst()
  const theirs = new Set([actor.store_id, ...(await storesOf(db, actor.id_user))])
  if (!row || !(theirs.has(row.from_store_id) || theirs.has(row.to_store_id))) throw new Refusal('transfer-unknown')
  return row
}

/** Returns a transfer with its pieces, in the order in which they were added. @throws Refusal transfer-unknown */
export async function readTransfer(db: Kysely<Schema>, scope: Scope, id: string): Promise<Transfer> {
  const row = await findTransfer(db, scope, id)
  const lines = await db
    .selectFrom('transfer_lines')
    .selectAll()
    .where('id_transfer', '=', row.id_transfer)
    .orderBy('place')
    .orderBy('id_inventory')
    .execute()
  const ids = lines.map(({ id_inventory }) => id_inventory)
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  const byId = new Map(frames.map((frame) => [frame.id_inventory, toFrame(frame)]))
  return {
    ...toCard(row),
    lines: lines.flatMap(({ id_inventory, state, received_by, received_at, note }) => {
      const frame = byId.get(id_inventory)
      return frame ? [{ frame, state, received_by, received_at, note }] : []
    }),
  }
}
