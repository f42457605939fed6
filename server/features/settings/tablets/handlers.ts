import { Refusal } from '#contract/core/errors.ts'
import type { tabletEndpoints } from '#contract/people/tablets.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { readTablets } from '#server/features/settings/tablets/tablet-list.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { forgetTablet } from '#server/domain/people/known-tablets.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'

/** The tablets of a manager's stores, and revoking one. */
export const tabletHandlers: HandlersOf<keyof typeof tabletEndpoints> = {
  async listTablets({ services, scope }) {
    const stores = await storesOf(services.db.pool, scope.id_user)
    return {
      tablets: await readTablets(services, { stores }),
      app_version: services.config.appVersion,
      server_time: new Date(services.clock.now()).toISOString(),
    }
  },

  async revokeTablet({ services, scope, params }) {
    const mine = { stores: await storesOf(services.db.pool, scope.id_user), id: params.id }
    const [known] = await readTablets(services, mine)
    // A tablet of another store gets the same answer as an unknown one.
    if (!known) throw new Refusal('tablet-unknown')
    const at = new Date(services.clock.now()).toISOString()
    // One transaction, so that no session about to end gets a capture token from after the revocation.
    const ended = await services.db.pool.transaction().execute(async (trx) => {
      // First, so that a sign-in in between gets the new keys and is ended below. No session keeps the old keys.
      await trx.updateTable('tablets').set({ removed_at: at }).where('id_tablet', '=', params.id).execute()
      await forgetTablet(trx, params.id)
      const sessions = await trx
        .updateTable('sessions')
        .set({ revoked_at: at, revoked_because: 'tablet' })
        .where('revoked_at', 'is', null)
        // A session without a device counts as a tablet of its own.
        .where((session) =>
          session.or([
            session('device_id', '=', params.id),
            session.and([session('device_id', 'is', null), session('id', '=', params.id)]),
          ]),
        )
        .returning('id')
        .execute()
      await noteSecurityEvent(services, { kind: 'tablet-revoked', detail: params.id, times: Math.max(1, sessions.length) }, trx)
      return sessions
    })
    services.log.info({ id_user: scope.id_user, sessions: ended.length }, 'a tablet was revoked')
    const [revoked = known] = await readTablets(services, mine)
    return revoked
  },
}
