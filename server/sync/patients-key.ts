import { hkdfSync } from 'node:crypto'
import type { patientsKey, tabletMark } from '#contract/sync/sync.ts'
import type { Handler } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * The key is derived, never stored. A tablet gets the same key for a store from every server of the clinic. So its
 * mirror stays readable for the next user with the right, and for nobody without the server's consent. A tablet that a
 * manager removed gets another key from then on.
 */
export const patientsKeyHandler: Handler<typeof patientsKey> = async ({ services, scope }) => ({
  store_id: scope.store_id,
  key: await derived(services, scope, `lorgnette patients of store ${scope.store_id}`),
})

/** The mark has no meaning alone: a tablet only compares it with the former one. */
export const tabletMarkHandler: Handler<typeof tabletMark> = async ({ services, scope }) => ({
  mark: await derived(services, scope, 'lorgnette tablet'),
})

async function derived({ db, secrets }: Services, scope: Scope, purpose: string): Promise<string> {
  const id = tabletOf(scope)
  const tablet = await db.pool.selectFrom('tablets').select('removed_at').where('id_tablet', '=', id).executeTakeFirst()
  const since = tablet?.removed_at ? `${purpose} since ${tablet.removed_at}` : purpose
  return Buffer.from(hkdfSync('sha256', secrets.recordKey, Buffer.from(id), since, 32)).toString('base64url')
}
