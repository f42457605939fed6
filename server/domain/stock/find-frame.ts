import { sql, type Kysely } from 'kysely'
import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import { Refusal } from '#contract/core/errors.ts'
import { serialSpellings } from '#contract/stock/stock-codes.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { type FrameWithNames, selectFrames } from '#server/domain/stock/frame-rows.ts'

/** A user would not choose from a longer list. The message gives the total. */
const mostToChoose = 50

/**
 * Finds the frame by its serial, store tag, F# in any spelling or number. A UPC also finds it when its model has one
 * piece.
 * @throws Refusal frame-unknown; frame-not-one with the pieces to choose from, of all stores
 */
export async function findFrame(db: Kysely<Schema>, typed: string): Promise<FrameWithNames> {
  const code = normaliseCode(typed)
  const id = /^[1-9]\d{0,9}$/.test(code) && Number(code) <= 2_147_483_647 ? Number(code) : 0
  const serials = [code, ...serialSpellings(code)]
  const found = await selectFrames(db)
    .where((where) =>
      where.or([
        where('frames.serial', '=', sql<string>`any(${serials}::text[])`),
        where('frames.sku', '=', code),
        where('frames.id_inventory', '=', id),
      ]),
    )
    .execute()
  // The codes on the label win over the number, which only the database gives.
  const frame =
    found.find((one) => one.serial === code) ??
    found.find((one) => one.sku === code) ??
    found.find((one) => serials.includes(one.serial)) ??
    found[0]
  return frame ?? (await onlyPieceOf(db, gtin14(typed)))
}

/** @throws Refusal frame-unknown, frame-not-one */
async function onlyPieceOf(db: Kysely<Schema>, gtin: string | null): Promise<FrameWithNames> {
  if (gtin === null) throw new Refusal('frame-unknown')
  const learned = db.selectFrom('model_upcs').select('id_model').where('gtin', '=', gtin)
  const pieces = await selectFrames(db)
    .where((where) => where.or([where('frames.gtin', '=', gtin), where('frames.id_model', 'in', learned)]))
    .orderBy('frames.store_id')
    .orderBy('frames.sku')
    .execute()
  const [only, ...others] = pieces
  if (!only) throw new Refusal('frame-unknown', { message: 'No frame has this UPC' })
  if (others.length === 0) return only
  throw new Refusal('frame-not-one', {
    message: `${pieces.length} frames have this UPC. Scan or type the store tag`,
    details: {
      total: pieces.length,
      pieces: pieces.slice(0, mostToChoose).map(({ id_inventory, sku, serial, status, store_id, store_name }) => ({
        id_inventory,
        sku,
        serial,
        status,
        store_id,
        store_name,
      })),
    },
  })
}

/** The user who asks, and the store where they work now. */
type Asker = Pick<Scope, 'id_user' | 'store_id'>

/**
 * Returns all the frames with these numbers, which must be of the person's stores.
 * @throws Refusal frame-unknown, store-foreign
 */
export async function framesOf(db: Kysely<Schema>, asker: Asker, ids: readonly number[]): Promise<FrameWithNames[]> {
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${[...ids]}::int[])`)
    .orderBy('frames.id_inventory')
    .execute()
  if (frames.length < new Set(ids).size) throw new Refusal('frame-unknown')
  await assertTheirs(db, asker, frames)
  return frames
}

/** @throws Refusal store-foreign, when one of the frames is of a store that the person does not belong to */
export async function assertTheirs(
  db: Kysely<Schema>,
  { id_user, store_id }: Asker,
  frames: readonly Pick<FrameWithNames, 'store_id' | 'store_name'>[],
): Promise<void> {
  const theirs = await storesOf(db, id_user)
  const foreign = frames.find((frame) => frame.store_id !== store_id && !theirs.includes(frame.store_id))
  if (foreign) throw new Refusal('store-foreign', { message: `This frame belongs to ${foreign.store_name}` })
}
