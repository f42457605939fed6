import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, ClipboardList, Clock, CloudOff, MessageSquare, TriangleAlert, Upload } from 'lucide-react'
import { type ComponentType, Suspense, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { openSession, type ClockPunch } from '#contract/people/time-clock.ts'
import { unsentWork } from '#src/sync/device/unsent-work.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClasses } from '#src/ui/button.tsx'
import { formatAge, formatCount, formatDateTime, formatDay, formatMinutes, formatNumberOf, formatTime } from '#src/ui/format.ts'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Panel } from '#src/ui/panel.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

const dayMs = 86_400_000

/** A count sheet on the home page: the mirror folded with the unsent commands of this device. */
export type OpenSheet = { sheet: CountSheet; counted: number; unsent: number; onlyHere: boolean; deletion: boolean }

/**
 * The sources of the home page. The route passes them in, because they belong to other features. Both return undefined
 * until they have read.
 */
export type HomeSources = {
  useSheets: (storeId: number | null) => OpenSheet[] | undefined
  usePunches: (home: HomeInfo | null, since: string) => ClockPunch[] | undefined
  /** The open work of the patient portal, as lines of a list. */
  PortalWork: ComponentType
}

/** Shows the open work of the portal, today's open counts, the user's own clock, and the work that this device has not sent. */
export function HomeScreen({ useSheets, usePunches, PortalWork }: HomeSources) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const now = useMinute(useCallback(() => device.serverNow(), [device]))
  const timeZone = home?.locations.find((location) => location.store_id === home.store_id)?.time_zone
  return (
    <>
      <PageHeader title="Today" caption={home?.store_name}>
        {formatDay(now, timeZone)}
        {home && (
          <>
            {' '}
            · Hello, <bdi>{home.first_name}</bdi>
          </>
        )}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {home?.permissions.includes('patient.read') && (
            <Panel
              title="Patient portal"
              icon={<MessageSquare size={18} aria-hidden />}
              action={
                <Link to="/pt-portal" className={buttonClasses('quiet')}>
                  Open<span className="sr-only"> the patient portal</span>
                </Link>
              }
            >
              <Suspense fallback={<Skeleton lines={2} height="row" />}>
                <PortalWork />
              </Suspense>
            </Panel>
          )}
          {home?.permissions.includes('count.scan') && <OpenCounts useSheets={useSheets} timeZone={timeZone} />}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <OwnClock usePunches={usePunches} now={now} timeZone={timeZone} />
          <ThisDevice now={now} />
        </div>
      </div>
    </>
  )
}

/** Returns the time, and reads it again every half minute. */
function useMinute(read: () => number): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), 30_000)
    return () => clearInterval(timer)
  }, [read])
  return now
}

/** Returns true when the page may say "there is none": the device has pulled since the start, or is offline. */
function useHasRead(): boolean {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  return useStore(device.mirror.progress, (progress) => progress.lastPulledAt !== null) || isOffline
}

function OpenCounts({ useSheets, timeZone }: Pick<HomeSources, 'useSheets'> & { timeZone: string | undefined }) {
  const home = useSession((session) => session.home)
  const sheets = useSheets(home?.store_id ?? null)?.filter(({ sheet, deletion }) => sheet.phase !== 'closed' && !deletion)
  const isRead = useHasRead()
  return (
    <Panel
      title="Open counts"
      icon={<ClipboardList size={18} aria-hidden />}
      action={
        <Link to="/inventory/count-sheets" search={{ new: 1 }} className={buttonClasses('quiet')}>
          New count
        </Link>
      }
    >
      {sheets === undefined || (sheets.length === 0 && !isRead) ? (
        <div className="p-4">
          <Skeleton lines={3} height="row" />
        </div>
      ) : sheets.length === 0 ? (
        <p className="px-4 py-8 text-ink-2">No open counts in this store. Try one brand first. It takes about 10 minutes.</p>
      ) : (
        <ul className="divide-y divide-line">
          {sheets.map((open) => (
            <li key={open.sheet.id_count_sheet}>
              <SheetLine open={open} timeZone={timeZone} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function SheetLine({ open: { sheet, counted, unsent, onlyHere }, timeZone }: { open: OpenSheet; timeZone: string | undefined }) {
  const seesAll = useSession((session) => session.home?.permissions.includes('count.see-expected-while-blind') ?? false)
  const hidden = sheet.blind && !seesAll
  const name = sheet.number === null ? 'New count' : `Count #${sheet.number}`
  return (
    <Link
      to="/inventory/count-sheets/$id_countsheet"
      params={{ id_countsheet: sheet.id_count_sheet }}
      className="flex min-h-16 items-center gap-3 px-4 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <strong className="font-semibold">{name}</strong>
          {sheet.phase === 'recounting' && <Badge tone="info">Recount</Badge>}
          {unsent > 0 && (
            <Badge tone="warn" icon={<Upload aria-hidden />}>
              {onlyHere ? 'Not sent yet' : `${formatCount(unsent)} to send`}
            </Badge>
          )}
        </span>
        <span className="block truncate text-sm text-ink-2">
          {sheet.created_by_name} · {formatDateTime(sheet.created_at, timeZone)}
          {sheet.notes && ` · ${sheet.notes}`}
        </span>
      </span>
      {/* A counter of a blind sheet must not see here how many the others have found. */}
      {!hidden && (
        <span className="text-right text-sm text-ink-3">
          <span className="block figures text-lg text-ink">{formatCount(counted)}</span>
          of {formatCount(sheet.expected_count)}
        </span>
      )}
      <ChevronRight size={18} aria-hidden className="shrink-0 text-ink-3" />
    </Link>
  )
}

function OwnClock({ usePunches, now, timeZone }: Pick<HomeSources, 'usePunches'> & { now: number; timeZone: string | undefined }) {
  const home = useSession((session) => session.home)
  const [since] = useState(() => new Date(now - 7 * dayMs).toISOString())
  const punches = usePunches(home, since)
  const open = punches ? openSession(punches, now) : null
  const isRead = useHasRead()
  return (
    <Panel
      title="Your time clock"
      icon={<Clock size={18} aria-hidden />}
      action={
        <Link to="/time-clock" className={buttonClasses('quiet')}>
          Open<span className="sr-only"> your time clock</span>
        </Link>
      }
    >
      <div className="flex items-baseline justify-between gap-4 px-4 py-4">
        {punches === undefined || (punches.length === 0 && !isRead) ? (
          <Skeleton />
        ) : open ? (
          <>
            <span className="text-ink-2">Clocked in since {formatTime(open.in.at, timeZone)}</span>
            <span className="figures text-xl whitespace-nowrap">{formatMinutes((now - Date.parse(open.in.at)) / 60_000)}</span>
          </>
        ) : (
          <span className="text-ink-2">You’re not clocked in.</span>
        )}
      </div>
    </Panel>
  )
}

function ThisDevice({ now }: { now: number }) {
  const device = useDevice()
  const connection = useConnection((state) => state)
  const { oldestAt, online, files } = connection
  const unsent = unsentWork(connection)
  const needsAttention = connection.needsAttention + (files?.refused ?? 0)
  const loading = useStore(device.mirror.progress, (progress) => progress.loading)
  return (
    <Panel title="This device" icon={<Upload size={18} aria-hidden />}>
      <div className="flex flex-col gap-3 px-4 py-4">
        {unsent === 0 && needsAttention === 0 && (
          <p className="flex items-center gap-2 text-good">
            <CircleCheck size={18} aria-hidden /> Everything is sent
          </p>
        )}
        {unsent > 0 && (
          <p className="flex items-center gap-2 text-warn">
            {online === false ? <CloudOff size={18} aria-hidden /> : <Upload size={18} aria-hidden />}
            <span className="figures">
              {formatCount(unsent)} to send{oldestAt !== null && `, oldest ${formatAge(now - oldestAt)}`}
            </span>
          </p>
        )}
        {needsAttention > 0 && (
          <p className="flex items-center gap-2 text-bad">
            <TriangleAlert size={18} aria-hidden /> {formatNumberOf(needsAttention, 'entry needs', 'entries need')} attention
          </p>
        )}
        {loading && <ProgressBar label={`Loading ${loading.collection.replaceAll('_', ' ')}`} done={loading.done} total={loading.total} />}
      </div>
    </Panel>
  )
}
