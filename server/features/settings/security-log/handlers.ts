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
    const { reads } = services.db
    const stores = await storesWatched(reads, scope)
    const { entries, total } = await readSecurityLog(reads, { scope, stores, ...query })
    return { entries, total, people: await readPeople(reads, stores), server_time: new Date(services.clock.now()).toISOString() }
  },

  async securityAlerts({ services, scope }) {
    const { reads } = services.db
    return await countUnseenAlerts(reads, scope, await storesWatched(reads, scope))
  },

  async markAlertsSeen({ services, scope, body }) {
    await markSeen(services.db.reads, scope, body.up_to, new Date(services.clock.now()).toISOString())
    return { ok: true }
  },
}
