import { hkdfSync } from 'node:crypto'
import type { patientsKey, tabletMark } from '#contract/sync/sync.ts'
import type { Handler } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Nothing is kept of it: the same tablet gets the same key for the same store from whichever server of the clinic it asks, so that what it
 * has mirrored stays readable for the next who may read it, and for nobody without the server's word. A tablet that a manager removed has
 * another key from then on.
 */
export const patientsKeyHandler: Handler<typeof patientsKey> = async ({ services, scope }) => ({
  store_id: scope.store_id,
  key: await derived(services, scope, `lorgnette patients of store ${scope.store_id}`),
})

/** Says nothing by itself: only that it is the same as before, or another. */
export const tabletMarkHandler: Handler<typeof tabletMark> = async ({ services, scope }) => ({
  mark: await derived(services, scope, 'lorgnette tablet'),
})

async function derived({ db, secrets }: Services, scope: Scope, purpose: string): Promise<string> {
  const id = tabletOf(scope)
  const tablet = await db.pool.selectFrom('tablets').select('removed_at').where('id_tablet', '=', id).executeTakeFirst()
  const since = tablet?.removed_at ? `${purpose} since ${tablet.removed_at}` : purpose
  return Buffer.from(hkdfSync('sha256', secrets.recordKey, Buffer.from(id), since, 32)).toString('base64url')
}
