import { ScrollText, ShieldAlert } from 'lucide-react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime, formatNumberOf, formatTime } from '#src/ui/format.ts'
import { ShowOlder } from '#src/ui/lists/show-older.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useOpenedPatient } from './components/opened-patient.tsx'
import { type AccessEntry, useAccessLog } from './queries.ts'
import { visitsOf } from './model/visits.ts'
import { actionWords } from './words.ts'

/** The users who saw and changed the record, newest first. Shows no values of the record. */
export function AccessLog() {
  const mayRead = useSession((session) => session.home?.permissions.includes('patient.audit')) === true
  if (mayRead) return <Log />
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="Managers only">
      The access log shows who viewed or changed a record, and when.
    </EmptyState>
  )
}

const offline = 'The access log is on the server. It’s available online.'

function Log() {
  const { patient } = useOpenedPatient()
  const log = useAccessLog(patient.id)
  return (
    <section aria-label="Access log" className="@container rounded-lg border border-line bg-surface">
      {!log.value && !log.failure && <Skeleton lines={6} height="row" />}
      {!log.value && log.failure && <NotLoaded failure={log.failure} offline={offline} onRetry={() => void log.reload()} />}
      {log.value && log.total === 0 && (
        <EmptyState icon={<ScrollText aria-hidden />} title="No one has opened this record yet">
          Views and changes will be listed here.
        </EmptyState>
      )}
      {log.answers.map(({ entries }, at) => (
        <ol key={at} className="divide-y divide-line">
          {visitsOf(entries).map(({ first, also }) => (
            <Entry key={first.id} entry={first} also={also} />
          ))}
        </ol>
      ))}
      {log.more && (
        <div className="border-t border-line p-3">
          <ShowOlder of={log} one="entry" many="entries" offline={offline} />
        </div>
      )}
    </section>
  )
}

function Entry({ entry, also }: { entry: AccessEntry; also: readonly AccessEntry[] }) {
  const timeZone = useSession((session) => session.home?.locations.find((store) => store.store_id === session.home?.store_id)?.time_zone)
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-3 @md:grid-cols-[11rem_minmax(0,1fr)] @2xl:grid-cols-[11rem_12rem_minmax(0,1fr)]">
      <time dateTime={entry.at} className="figures text-ink-2">
        {formatDateTime(entry.at, timeZone)}
      </time>
      <span className="font-medium">
        <bdi>{entry.rep}</bdi>
        {entry.store_name && <span className="block text-sm font-normal text-ink-3">{entry.store_name}</span>}
      </span>
      <span className="min-w-0 break-words @md:col-start-2 @2xl:col-start-3">
        {actionWords(entry.action, entry.detail)}
        {entry.reason && <span className="text-ink-2">, {entry.reason}</span>}
        {entry.delivered_by !== null && (
          <span className="text-ink-2">
            , delivered by <bdi>{entry.delivered_by}</bdi>
          </span>
        )}
        {entry.offline && (
          <span className="ml-2 inline-block">
            <Badge tone="neutral">Offline</Badge>
          </span>
        )}
        {also.length > 0 && (
          <details className="text-ink-2">
            <summary className="inline-flex min-h-target cursor-pointer items-center text-sm underline">
              {formatNumberOf(also.length, 'more entry', 'more entries')} in this visit
            </summary>
            <ul className="pb-1 text-sm">
              {also.map((look) => (
                <li key={look.id}>
                  {formatTime(look.at, timeZone)} {actionWords(look.action, look.detail)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </span>
    </li>
  )
}
