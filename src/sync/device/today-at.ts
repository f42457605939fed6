import type { HomeInfo } from '#contract/people/session.ts'
import { dayOf } from '#contract/people/time-clock.ts'

/**
 * Today in the store that one works in, `YYYY-MM-DD`: in its evening the rest of the world is at tomorrow already.
 * @param now ms, by the server's clock
 */
export function todayAt(home: HomeInfo | null, now: number): string {
  const timeZone = home?.locations.find((store) => store.store_id === home.store_id)?.time_zone
  return dayOf(now, timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}
