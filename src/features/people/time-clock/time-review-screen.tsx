import { CircleCheck, ShieldAlert } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import { LoadFailure } from '#src/features/people/time-clock/components/load-failure.tsx'
import { PersonWeek } from '#src/features/people/time-clock/components/person-week.tsx'
import { ResolveDialog } from '#src/features/people/time-clock/components/resolve-dialog.tsx'
import { ReviewEntries, type Resolution } from '#src/features/people/time-clock/components/review-entries.tsx'
import type { Person } from '#src/features/people/time-clock/components/time-dialog.tsx'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { showToast } from '#src/ui/toast-store.ts'

const refreshMs = 60_000
const timeoutMs = 15_000
type Tab = 'open' | 'resolved' | 'week'

/** For managers: the punches to review, the recent decisions, and any employee's week. Needs a connection. */
export function TimeReviewScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  const store = home.locations.find((location) => location.store_id === home.store_id)
  const timeZone = store?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <PageHeader title="Time review" caption={home.store_name}>
        Punches to review and weekly timesheets
      </PageHeader>
      {home.permissions.includes('time.review') ? (
        <Review timeZone={timeZone} />
      ) : (
        <EmptyState icon={<ShieldAlert aria-hidden />} title="Managers only">
          Your hours are under Time clock. If something’s wrong, tell your manager.
        </EmptyState>
      )}
    </>
  )
}

function Review({ timeZone }: { timeZone: string }) {
  const device = useDevice()
  const isOnline = useConnection((connection) => connection.online) !== false
  const [tab, setTab] = useState<Tab>('open')
  const [deciding, setDeciding] = useState<{ entry: ReviewEntry; resolution: Resolution; withRepeats: boolean } | null>(null)

  const loadOpen = useCallback(() => device.call(timeCardEndpoints.punchReview, { query: { resolved: 'no' } }, { timeoutMs }), [device])
  const loadResolved = useCallback(
    () => device.call(timeCardEndpoints.punchReview, { query: { resolved: 'recent' } }, { timeoutMs }),
    [device],
  )
  const loadPeople = useCallback(() => device.call(timeCardEndpoints.people, {}, { timeoutMs }), [device])
  const open = useLoaded(loadOpen)
  const resolved = useLoaded(loadResolved)
  const people = useLoaded(loadPeople)

  const reloadOpen = open.reload
  const reloadPeople = people.reload
  const hasPeople = people.value !== undefined
  useEffect(() => {
    if (!isOnline) return
    void reloadOpen()
    if (!hasPeople) void reloadPeople()
    const timer = setInterval(() => void reloadOpen(), refreshMs)
    return () => clearInterval(timer)
  }, [isOnline, reloadOpen, reloadPeople, hasPeople])

  function done() {
    showToast({ title: 'Decision saved', tone: 'good' })
    void open.reload()
    void resolved.reload()
  }

  return (
    <>
      {!isOnline && (
        <div className="mb-4">
          <Notice tone="warn" title="No connection">
            You can review punches when you’re back online. You can still clock in and out offline.
          </Notice>
        </div>
      )}
      <Tabs
        label="Time review"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { key: 'open', label: 'To review', count: open.value?.entries.length },
          { key: 'resolved', label: 'Decided' },
          { key: 'week', label: 'Weeks' },
        ]}
      >
        <div className="pt-4">
          {tab === 'open' && (
            <Entries
              loaded={open}
              timeZone={timeZone}
              empty="Nothing to review"
              emptyText="Late, duplicate and unverified punches appear here, and sessions over 16 hours."
              onResolve={isOnline ? (entry, resolution, withRepeats = false) => setDeciding({ entry, resolution, withRepeats }) : null}
            />
          )}
          {tab === 'resolved' && (
            <Entries
              loaded={resolved}
              timeZone={timeZone}
              empty="No recent decisions"
              emptyText="Decisions from the last 30 days appear here."
              onResolve={null}
            />
          )}
          {tab === 'week' && <Weeks people={people} timeZone={timeZone} />}
        </div>
      </Tabs>
      {deciding && (
        <ResolveDialog
          {...deciding}
          people={people.value?.people ?? []}
          timeZone={timeZone}
          onClose={() => setDeciding(null)}
          onDone={done}
        />
      )}
    </>
  )
}

function Weeks({ people, timeZone }: { people: Loaded<{ people: Person[] }>; timeZone: string }) {
  if (people.value) return <PersonWeek people={people.value.people} timeZone={timeZone} />
  if (people.failure) return <LoadFailure failure={people.failure} onRetry={() => void people.reload()} />
  return <Skeleton lines={4} height="row" />
}

function Entries({
  loaded,
  timeZone,
  empty,
  emptyText,
  onResolve,
}: {
  loaded: Loaded<{ entries: ReviewEntry[] }>
  timeZone: string
  empty: string
  emptyText: string
  onResolve: ((entry: ReviewEntry, resolution: Resolution) => void) | null
}) {
  if (!loaded.value && loaded.failure) return <LoadFailure failure={loaded.failure} onRetry={() => void loaded.reload()} />
  if (!loaded.value) return <Skeleton lines={4} height="row" />
  if (loaded.value.entries.length === 0) {
    return (
      <EmptyState icon={<CircleCheck aria-hidden />} title={empty}>
        {emptyText}
      </EmptyState>
    )
  }
  return <ReviewEntries entries={loaded.value.entries} timeZone={timeZone} onResolve={onResolve} />
}
