import { useDevice, useSession } from './device-context.tsx'
import { todayAt } from '#src/sync/device/today-at.ts'

/** Today in the user's store, `YYYY-MM-DD`. */
export function useToday(): string {
  const device = useDevice()
  const home = useSession((session) => session.home)
  return todayAt(home, device.serverNow())
}
