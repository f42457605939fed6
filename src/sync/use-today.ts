import { dayOf } from '#contract/time-clock.ts'
import { useDevice, useSession } from './device-context.tsx'

/** Today in the store that one works in, `YYYY-MM-DD`: in its evening the rest of the world is at tomorrow already. */
export function useToday(): string {
  const device = useDevice()
  const timeZone = useSession(({ home }) => home?.locations.find((store) => store.store_id === home.store_id)?.time_zone)
  return dayOf(device.serverNow(), timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}
