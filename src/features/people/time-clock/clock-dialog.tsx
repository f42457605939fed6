import { useState } from 'react'
import { PunchCard } from '#src/features/people/time-clock/components/punch-card.tsx'
import { useOwnPunches } from '#src/features/people/time-clock/queries.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

const shownMs = 3 * 86_400_000

/** Clock In/Out from the user menu, on any page. */
export function ClockDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Clock In/Out" size="sm" closeOnOutside={false}>
      <OwnClock />
    </Dialog>
  )
}

function OwnClock() {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const [since] = useState(() => new Date(device.serverNow() - shownMs).toISOString())
  const punches = useOwnPunches(home, since)
  if (!home) return null
  const timeZone = home.locations.find((location) => location.store_id === home.store_id)?.time_zone
  return <PunchCard home={home} punches={punches} timeZone={timeZone} bare />
}
