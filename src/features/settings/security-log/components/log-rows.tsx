import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { alertKinds, type SecurityEntry } from '#contract/people/security-log.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { eventWords } from '../words.ts'

export type PatientLink = (idPatient: string) => ReactNode

/** The entries of one page, newest first. */
export function LogRows({
  entries,
  timeZone,
  patientLink,
}: {
  entries: readonly SecurityEntry[]
  timeZone: string | undefined
  patientLink: PatientLink
}) {
  return (
    <ol aria-label="Security log" className="@container divide-y divide-line rounded-lg border border-line bg-surface">
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} timeZone={timeZone} patientLink={patientLink} />
      ))}
    </ol>
  )
}

function Row({ entry, timeZone, patientLink }: { entry: SecurityEntry; timeZone: string | undefined; patientLink: PatientLink }) {
  const isAlert = alertKinds.some((kind) => kind === entry.kind)
  const person = entry.by ?? entry.about
  const places = [entry.store_name, entry.device_name ?? (entry.device_id && `Device ${entry.device_id.slice(-6)}`), entry.address]
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-3 @md:grid-cols-[11rem_minmax(0,1fr)] @2xl:grid-cols-[11rem_12rem_minmax(0,1fr)]">
      <time dateTime={entry.at} className="figures text-ink-2">
        {formatDateTime(entry.at, timeZone)}
      </time>
      <span className="min-w-0 font-medium">
        {person ? <bdi>{person.name}</bdi> : 'Not signed in'}
        {entry.by === null && entry.about && <span className="block text-sm font-normal text-ink-3">Account tried</span>}
      </span>
      <div className="min-w-0 break-words @md:col-start-2 @2xl:col-start-3">
        <p className="flex flex-wrap items-center gap-2">
          {isAlert && (
            <Badge tone="warn" icon={<TriangleAlert aria-hidden />}>
              {entry.is_new ? 'New alert' : 'Alert'}
            </Badge>
          )}
          <span className="min-w-0 break-words">{eventWords(entry)}</span>
        </p>
        <p className="text-sm text-ink-3">
          {places.filter(Boolean).join(' · ')}
          {entry.request_id && <span className="block break-all">Request {entry.request_id}</span>}
        </p>
        {entry.id_patient && patientLink(entry.id_patient)}
      </div>
    </li>
  )
}
