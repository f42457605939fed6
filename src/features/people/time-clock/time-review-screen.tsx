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

/** For managers: punches that wait for a word, what was decided lately, and anybody's week. Only with a connection. */
export function TimeReviewScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  const store = home.locations.find((location) => location.store_id === home.store_id)
  const timeZone = store?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <PageHeader title="Time review" caption={home.store_name}>
        Punches that need a manager’s word, and the weeks of the people of your stores
      </PageHeader>
      {home.permissions.includes('time.review') ? (
        <Review timeZone={timeZone} />
      ) : (
        <EmptyState icon={<ShieldAlert aria-hidden />} title="This is for managers">
          Your own hours are under Time clock. If something in them is wrong, please tell your manager.
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
    showToast({ title: 'The decision is saved', tone: 'good' })
    void open.reload()
    void resolved.reload()
  }

  return (
    <>
      {!isOnline && (
        <div className="mb-4">
          <Notice tone="warn" title="No connection">
            Reviewing works again as soon as the server can be reached. Clocking in and out works without it.
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
              empty="Nothing waits for you"
              emptyText="Punches that are late, doubled, or could not be proven would stand here, and sessions of more than 16 hours."
              onResolve={isOnline ? (entry, resolution, withRepeats = false) => setDeciding({ entry, resolution, withRepeats }) : null}
            />
          )}
          {tab === 'resolved' && (
            <Entries
              loaded={resolved}
              timeZone={timeZone}
              empty="Nothing was decided lately"
              emptyText="Decisions of the last 30 days stand here."
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
