import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Role } from '#contract/core/roles.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'

/** The reviewer: a scope, or the author of a command. */
export type Reviewer = { id_user: number; role_ids: readonly Role[] }

/**
 * The stores whose people this manager reviews: the manager's own. Null for administrators, who see the whole chain.
 */
export async function reviewedStores(db: Kysely<Schema>, reviewer: Reviewer): Promise<number[] | null> {
  if (reviewer.role_ids.includes('admin')) return null
  return await storesOf(db, reviewer.id_user)
}

/** Everybody who belongs to one of these stores, by name. Disabled accounts stay in, because their hours do. */
export async function peopleOf(db: Kysely<Schema>, stores: readonly number[] | null) {
  let query = db
    .selectFrom('users')
    .innerJoin('stores', 'stores.store_id', 'users.store_id')
    .select(['users.id_user', 'users.username', 'users.first_name', 'users.last_name', 'stores.store_name', 'stores.time_zone'])
    .orderBy('users.first_name')
    .orderBy('users.last_name')
    .orderBy('users.id_user')
  if (stores !== null) {
    if (stores.length === 0) return []
    query = query.where((where) =>
      where.or([
        where('users.store_id', 'in', stores),
        where(
          'users.id_user',
          'in',
          where.selectFrom('user_stores').select('user_stores.id_user').where('user_stores.store_id', 'in', stores),
        ),
      ]),
    )
  }
  return await query.execute()
}

/** @throws Refusal `punch-unknown` for a person outside the manager's stores, as if they did not exist */
export async function assertMayReview(db: Kysely<Schema>, reviewer: Reviewer, idUser: number): Promise<void> {
  const people = await peopleOf(db, await reviewedStores(db, reviewer))
  if (!people.some((person) => person.id_user === idUser)) throw new Refusal('punch-unknown', { message: 'Person not found' })
}
