import { sql, type Kysely } from 'kysely'
import { normaliseCode } from '#contract/codes.ts'
import { Refusal } from '#contract/errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Scope } from '#server/http/scope.ts'
import { storesOf } from '#server/people/stores-of.ts'
import { type FrameWithNames, selectFrames } from '#server/stock/frame-rows.ts'

/** The frame that a person or a scanner means: by serial, then by store tag, then by its number. Throws `frame-unknown`. */
export async function findFrame(db: Kysely<Schema>, typed: string): Promise<FrameWithNames> {
  const code = normaliseCode(typed)
  const id = /^[1-9]\d{0,9}$/.test(code) && Number(code) <= 2_147_483_647 ? Number(code) : 0
  const found = await selectFrames(db)
    .where((where) => where.or([where('frames.serial', '=', code), where('frames.sku', '=', code), where('frames.id_inventory', '=', id)]))
    .execute()
  const frame = found.find((one) => one.serial === code) ?? found.find((one) => one.sku === code) ?? found[0]
  if (!frame) throw new Refusal('frame-unknown')
  return frame
}

/** Who asks, and in which store they are. */
type Asker = Pick<Scope, 'id_user' | 'store_id'>

/** The frames with these numbers, all of them, and all of stores that the person belongs to. @throws Refusal frame-unknown, store-foreign */
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
