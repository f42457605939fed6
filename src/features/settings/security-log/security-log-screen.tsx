import { ScrollText, ShieldAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useStore } from 'zustand'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatNumberOf, formatTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { alertStore, markAlertsSeen, readAlerts } from './model/alerts.ts'
import { LogRows, type PatientLink } from './components/log-rows.tsx'
import { type LogFilter, noFilter, type SecurityLogPage, useSecurityLog } from './queries.ts'
import { viewOptions } from './words.ts'

/** Settings → Security log, for managers: events around sign-in, rights and reads of many patients in their stores. */
export function SecurityLogScreen({ patientLink }: { patientLink: PatientLink }) {
  const home = useSession((session) => session.home)
  if (!home) return null
  return (
    <>
      <PageHeader title="Security log" caption="Settings">
        Sign-ins, refusals, and who viewed or exported patient records
      </PageHeader>
      {home.permissions.includes('audit.read') ? (
        <Log timeZone={home.locations.find((store) => store.store_id === home.store_id)?.time_zone} patientLink={patientLink} />
      ) : (
        <EmptyState icon={<ShieldAlert aria-hidden />} title="Managers only">
          Ask your manager to check the log.
        </EmptyState>
      )}
    </>
  )
}

const words = {
  offline: 'The security log is available online.',
  none: { title: 'Nothing to show', hint: 'No events match these filters.' },
}

function Log({ timeZone, patientLink }: { timeZone: string | undefined; patientLink: PatientLink }) {
  const isOffline = useConnection((connection) => connection.online) === false
  const [filter, setFilter] = useState(noFilter)
  const [people, setPeople] = useState<SecurityLogPage['people']>([])
  const problem = rangeProblem(filter)
  // An invalid range does not filter.
  const asked = problem === null ? filter : { ...filter, from: '', to: '' }
  const list = useSecurityLog(asked)
  const { value, failure, reload } = list
  // The choices stay while another page loads.
  if (value && value.people !== people) setPeople(value.people)
  const change = (part: Partial<LogFilter>) => setFilter({ ...filter, ...part })
  return (
    <div className="flex flex-col gap-4">
      <Alerts isOffline={isOffline} onShow={() => change({ ...noFilter, view: 'alerts' })} onSeen={reload} />
      <Filters filter={filter} people={people} problem={problem} onChange={change} />
      {isOffline && value && (
        <Notice tone="warn" title="No connection">
          As of {formatTime(value.server_time, timeZone)}.
        </Notice>
      )}
      {!isOffline && failure && value && (
        <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          As of {formatTime(value.server_time, timeZone)}. {failure.message}
        </Notice>
      )}
      <ServerList of={list} words={words} icon={<ScrollText aria-hidden />}>
        {(entries) => (
          <>
            <p role="status" className="text-ink-2">
              {formatNumberOf(list.total, 'event')}, newest first
            </p>
            <LogRows entries={entries} timeZone={timeZone} patientLink={patientLink} />
          </>
        )}
      </ServerList>
    </div>
  )
}

/** Returns the problem of the days, or null when the range is valid. */
function rangeProblem({ from, to }: LogFilter): string | null {
  if (from === incompleteDate || to === incompleteDate) return 'Enter a full date'
  return from !== '' && to !== '' && from > to ? 'The end date is before the start date' : null
}

function Filters({
  filter,
  people,
  problem,
  onChange,
}: {
  filter: LogFilter
  people: SecurityLogPage['people']
  problem: string | null
  onChange: (part: Partial<LogFilter>) => void
}) {
  const title = useId()
  const isNarrowed = filter.view !== noFilter.view || filter.person !== '' || filter.from !== '' || filter.to !== ''
  const everyone = { value: 'all', label: 'Everyone' }
  return (
    <section aria-labelledby={title} className="grid items-end gap-3 sm:grid-cols-2 xl:grid-cols-5">
      <h2 id={title} className="sr-only">
        Filters
      </h2>
      <SelectField label="Event" options={viewOptions} value={filter.view} onChange={(view) => onChange({ view })} />
      <SelectField
        label="Person"
        options={[everyone, ...people.map(({ id_user, name }) => ({ value: String(id_user), label: name }))]}
        value={filter.person || 'all'}
        onChange={(person) => onChange({ person: person === 'all' ? '' : person })}
      />
      <DateField label="From" value={filter.from} onChange={(from) => onChange({ from })} />
      <DateField label="To" value={filter.to} error={problem ?? undefined} onChange={(to) => onChange({ to })} />
      <Button disabled={!isNarrowed} onClick={() => onChange(noFilter)}>
        Clear filters
      </Button>
    </section>
  )
}

function Alerts({ isOffline, onShow, onSeen }: { isOffline: boolean; onShow: () => void; onSeen: () => Promise<void> }) {
  const device = useDevice()
  const unseen = useStore(alertStore, (alerts) => alerts.unseen)
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    if (!isOffline) void readAlerts(device)
  }, [device, isOffline])
  if (unseen === 0) return null
  async function mark() {
    const answer = await markAlertsSeen(device)
    setFailed(answer.ok ? null : answer.failure.message)
    if (answer.ok) await onSeen()
  }
  return (
    <Notice
      tone="warn"
      title={`${formatNumberOf(unseen, 'new alert')}`}
      actions={
        <>
          <Button onClick={onShow}>Show alerts</Button>
          <Button disabled={isOffline} onClick={() => void mark()}>
            Mark as seen
          </Button>
        </>
      }
    >
      Someone was locked out, refused many times in a row, or used a copied session.
      {failed !== null && <p role="alert">NOT MARKED. {failed}</p>}
    </Notice>
  )
}
