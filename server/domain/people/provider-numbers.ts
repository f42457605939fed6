import { type Kysely, sql } from 'kysely'
import type { Provider, ProviderNumbers } from '#contract/settings/providers.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { personName } from '#server/domain/people/person-name.ts'

/** The doctors of the chain, sorted by name, as a user at this store sees them. */
export async function readProviders(db: Kysely<Schema>, storeId: number): Promise<Provider[]> {
  return await db
    .selectFrom('users')
    .select(['id_user', 'license_no', 'npi', sql<string>`${personName('users')}`.as('name')])
    .select(
      sql<boolean>`exists (select from user_stores where user_stores.id_user = users.id_user and user_stores.store_id = ${storeId})`.as(
        'is_here',
      ),
    )
    .where(sql<boolean>`'doctor' = any(role_ids)`)
    .where('disabled_at', 'is', null)
    .orderBy('last_name')
    .orderBy('id_user')
    .execute()
}

/** Returns a person's license and NPI, also for a former doctor. */
export async function numbersOf(db: Kysely<Schema>, idUser: number): Promise<ProviderNumbers> {
  return await db.selectFrom('users').select(['license_no', 'npi']).where('id_user', '=', idUser).executeTakeFirstOrThrow()
}
