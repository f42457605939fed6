import type { securityLogEndpoints } from '#contract/people/security-log.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import {
  countUnseenAlerts,
  markSeen,
  readPeople,
  readSecurityLog,
  storesWatched,
} from '#server/features/settings/security-log/read-security-log.ts'

/** The security log of a manager's stores, and the alerts in it. */
export const securityLogHandlers: HandlersOf<keyof typeof securityLogEndpoints> = {
  async listSecurityLog({ services, scope, query }) {
    const { pool } = services.db
    const stores = await storesWatched(pool, scope)
    const { entries, total } = await readSecurityLog(pool, { scope, stores, ...query })
    return { entries, total, people: await readPeople(pool, stores), server_time: new Date(services.clock.now()).toISOString() }
  },

  async securityAlerts({ services, scope }) {
    const { pool } = services.db
    return await countUnseenAlerts(pool, scope, await storesWatched(pool, scope))
  },

  async markAlertsSeen({ services, scope, body }) {
    await markSeen(services.db.pool, scope, body.up_to, new Date(services.clock.now()).toISOString())
    return { ok: true }
  },
}
