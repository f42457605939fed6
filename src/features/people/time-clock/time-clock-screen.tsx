import { useState } from 'react'
import { addDays, dayOf, startOfDay, weekOf } from '#contract/people/time-clock.ts'
import { PunchCard } from '#src/features/people/time-clock/components/punch-card.tsx'
import { WeekView } from '#src/features/people/time-clock/components/week-view.tsx'
import { useOwnPunches, useServerNow } from '#src/features/people/time-clock/queries.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { formatDay } from '#src/ui/format.ts'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The user's own clock, and their weeks as this device knows them, with unsent punches. */
export function TimeClockScreen() {
  const home = useSession((session) => session.home)
  const now = useServerNow()
  const store = home?.locations.find((location) => location.store_id === home.store_id)
  const timeZone = store?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = dayOf(now, timeZone)
  const [chosen, setChosen] = useState<string | null>(null)
  const day = chosen ?? today
  // Starts two days early, so that a night shift from Sunday is complete. Always includes today.
  const first = weekOf(day < today ? day : today)[0] ?? day
  const since = new Date(startOfDay(addDays(first, -2), timeZone)).toISOString()
  const punches = useOwnPunches(home, since)
  if (!home) return null
  return (
    <>
      <PageHeader title="Time clock" caption={home.store_name}>
        {formatDay(now, timeZone)}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <PunchCard home={home} punches={punches} timeZone={timeZone} />
        {punches ? (
          <WeekView day={day} onDay={setChosen} punches={punches} timeZone={timeZone} now={now} />
        ) : (
          <Skeleton lines={7} height="row" />
        )}
      </div>
    </>
  )
}
