import { CalendarClock, ShieldAlert } from 'lucide-react'
import { type Appointment, expectedStatuses } from '#contract/calendar/appointments.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { ShowOlder } from '#src/ui/lists/show-older.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useAppointments, useMayRead, useTimeZoneOf } from './queries.ts'
import { placeWords, statusLooks } from './words.ts'

const needsServer = 'Appointments are available online.'

/** A patient's appointments: the upcoming ones, and the past ones below. */
export function AppointmentListTab({ idPatient }: { idPatient: string }) {
  if (useMayRead()) return <Appointments key={idPatient} idPatient={idPatient} />
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to appointments">
      The front desk, opticians, doctors, billers and managers can view them.
    </EmptyState>
  )
}

function Appointments({ idPatient }: { idPatient: string }) {
  const device = useDevice()
  const list = useAppointments(idPatient)
  const { value, failure, reload } = list
  if (!value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    return <NotLoaded failure={failure} offline={needsServer} onRetry={() => void reload()} />
  }
  if (list.total === 0) {
    return (
      <EmptyState icon={<CalendarClock aria-hidden />} title="No appointments yet">
        This patient’s appointments and visits will be listed here.
      </EmptyState>
    )
  }
  const now = new Date(device.serverNow()).toISOString()
  const isAhead = ({ start_at, status }: Appointment) => start_at >= now && expectedStatuses.includes(status)
  // The first page is the latest. It holds all upcoming appointments, the nearest at its end.
  const ahead = value.appointments.filter(isAhead).toReversed()
  return (
    <div className="flex flex-col gap-4">
      {failure && (
        <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          This list may be out of date.
        </Notice>
      )}
      <Group title="Upcoming" appointments={ahead} empty="No upcoming appointments." />
      <Group title="Past" appointments={value.appointments.filter((appointment) => !isAhead(appointment))} empty="None yet." />
      {list.answers.slice(1).map(({ appointments }, at) => (
        <Group key={at} title={`Past, page ${at + 2}`} appointments={appointments} empty="None." />
      ))}
      <ShowOlder of={list} one="appointment" offline={needsServer} />
    </div>
  )
}

function Group({ title, appointments, empty }: { title: string; appointments: readonly Appointment[]; empty: string }) {
  const timeZoneOf = useTimeZoneOf()
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface">
      <h2 className="border-b border-line px-4 py-3 font-semibold">{title}</h2>
      {appointments.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-line">
          {appointments.map((appointment) => {
            const look = statusLooks[appointment.status]
            return (
              <li key={appointment.id_appointment} className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
                <div className="min-w-0 flex-1">
                  <h3 className="font-semibold">
                    <time dateTime={appointment.start_at}>{formatDateTime(appointment.start_at, timeZoneOf(appointment.store_id))}</time>,{' '}
                    {appointment.type}
                  </h3>
                  <p className="text-ink-2">{placeWords(appointment)}</p>
                  {appointment.reason && <p className="text-sm break-words text-ink-2">{appointment.reason}</p>}
                </div>
                <Badge tone={look.tone}>{look.words}</Badge>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
