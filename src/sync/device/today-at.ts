import type { HomeInfo } from '#contract/people/session.ts'
import { dayOf } from '#contract/people/time-clock.ts'

/**
 * Today in the user's store, `YYYY-MM-DD`. In the store's evening, much of the world already has tomorrow.
 * @param now ms, by the server's clock
 */
export function todayAt(home: HomeInfo | null, now: number): string {
  const timeZone = home?.locations.find((store) => store.store_id === home.store_id)?.time_zone
  return dayOf(now, timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}
