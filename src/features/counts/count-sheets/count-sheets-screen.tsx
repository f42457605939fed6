import { Link, useNavigate } from '@tanstack/react-router'
import { ClipboardList, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FirstLoad } from './components/first-load.tsx'
import { NotForCounting } from './components/not-for-counting.tsx'
import { useScopeNames, useTimeZone } from './queries.ts'
import { scopeInWords } from './model/scope-words.ts'
import { useSheetSummaries, type SheetSummary } from './summaries.ts'

const NewCountDialog = fetchedDialog(async () => (await import('./components/new-count-dialog.tsx')).NewCountDialog)
const DeleteCountDialog = fetchedDialog(async () => (await import('./components/sheet-dialogs.tsx')).DeleteCountDialog)

/** All counts of the store. `startsNew` opens the dialog for a new count at once, for the install shortcut. */
export function CountSheetsScreen({ startsNew }: { startsNew: boolean }) {
  const home = useSession((session) => session.home)
  const summaries = useSheetSummaries(home?.store_id ?? null)
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  // The page says "none" only after the device has pulled, or when it is offline.
  const isRead = useStore(device.mirror.progress, (progress) => progress.lastPulledAt !== null) || isOffline
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<SheetSummary | null>(null)
  const mayCount = home?.permissions.includes('count.scan') ?? false
  if (home && !mayCount) {
    return (
      <>
        <PageHeader title="Count sheets" caption={home.store_name} />
        <NotForCounting />
      </>
    )
  }
  const setNew = (open: boolean) => void navigate({ to: '/inventory/count-sheets', search: open ? { new: 1 } : {}, replace: true })
  const open = summaries?.filter(({ sheet, deletion }) => sheet.phase !== 'closed' && !deletion)
  const closed = summaries?.filter(({ sheet, deletion }) => sheet.phase === 'closed' && !deletion)
  const newButton = mayCount && (
    <Button variant="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setNew(true)}>
      New count
    </Button>
  )
  return (
    <>
      <PageHeader title="Count sheets" caption={home?.store_name} actions={summaries && summaries.length > 0 && newButton} />
      <div className="mb-5 empty:hidden">
        <FirstLoad />
      </div>
      {summaries === undefined || (summaries.length === 0 && !isRead) ? (
        <div className="flex flex-col gap-3">
          <Skeleton height="card" />
          <Skeleton height="card" />
        </div>
      ) : summaries.length === 0 ? (
        <EmptyState icon={<ClipboardList aria-hidden />} title="Start your first count" action={newButton}>
          Try one brand first. It takes about 10 minutes.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-8">
          <SheetList title="Open" summaries={open ?? []} onDelete={setDeleting} empty="No open counts." />
          {closed && closed.length > 0 && <SheetList title="Closed" summaries={closed} onDelete={setDeleting} empty="" />}
        </div>
      )}
      {startsNew && mayCount && (
        <NewCountDialog
          onClose={() => setNew(false)}
          onCreated={(id) => void navigate({ to: '/inventory/count-sheets/$id_countsheet', params: { id_countsheet: id } })}
        />
      )}
      {deleting && (
        <DeleteCountDialog
          sheet={deleting.sheet}
          scans={deleting.counted + deleting.exceptions + deleting.unknown}
          onClose={() => setDeleting(null)}
          onDeleted={() => setDeleting(null)}
        />
      )}
    </>
  )
}

function SheetList({
  title,
  summaries,
  onDelete,
  empty,
}: {
  title: string
  summaries: readonly SheetSummary[]
  onDelete: (summary: SheetSummary) => void
  empty: string
}) {
  return (
    <section aria-label={`${title} counts`}>
      <h2 className="engraved mb-2">{title}</h2>
      {summaries.length === 0 ? (
        <p className="text-ink-2">{empty}</p>
      ) : (
        <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
          {summaries.map((summary) => (
            <SheetCard key={summary.sheet.id_count_sheet} summary={summary} onDelete={() => onDelete(summary)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SheetCard({ summary, onDelete }: { summary: SheetSummary; onDelete: () => void }) {
  const { sheet, counted, exceptions, unknown, unsent, onlyHere } = summary
  const home = useSession((session) => session.home)
  const { brands, vendors } = useScopeNames(sheet)
  const timeZone = useTimeZone()
  const closed = sheet.phase === 'closed'
  const hidden = sheet.blind && !closed && !home?.permissions.includes('count.see-expected-while-blind')
  const odd = exceptions + unknown
  const mayDelete = !closed && ((home?.permissions.includes('count.delete') ?? false) || counted + odd === 0)
  return (
    <li className="relative flex flex-col gap-2 rounded-lg border border-line bg-surface p-4 hover:border-line-strong">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 className="truncate text-lg font-semibold">
            <Link
              to="/inventory/count-sheets/$id_countsheet"
              params={{ id_countsheet: sheet.id_count_sheet }}
              className="after:absolute after:inset-0 after:rounded-lg"
            >
              {sheet.number === null ? 'New count' : `#${sheet.number}`} · {scopeInWords(sheet.scope, brands, vendors)}
            </Link>
          </h3>
          <p className="text-sm text-ink-2">
            {formatDateTime(sheet.created_at, timeZone)} · {sheet.created_by_name}
          </p>
        </div>
        {mayDelete && (
          <span className="relative -mt-2 -mr-2">
            <IconButton label={`Delete count ${sheet.number ?? ''}`} icon={<Trash2 size={18} aria-hidden />} onClick={onDelete} />
          </span>
        )}
      </div>
      {sheet.notes && <p className="line-clamp-2 text-sm text-ink-2">“{sheet.notes}”</p>}
      {!hidden && !closed && <ProgressBar label="Counted" size="sm" tone="good" done={counted} total={sheet.expected_count} />}
      {closed && sheet.result && (
        <p className="figures text-sm">
          {formatCount(sheet.result.counted)} counted of {formatCount(sheet.result.expected)} · {formatCount(sheet.result.missing)} Missing
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Badge tone={closed ? 'neutral' : 'accent'}>
          {closed ? 'Closed' : sheet.phase === 'recounting' ? `Walk ${sheet.walk}` : 'Counting'}
        </Badge>
        {sheet.blind && <Badge>Blind</Badge>}
        {odd > 0 && <Badge tone="aside">{formatNumberOf(odd, 'exception')}</Badge>}
        {onlyHere && <Badge tone="info">On this tablet only</Badge>}
        {unsent > 0 && <Badge tone="warn">{formatCount(unsent)} to send</Badge>}
      </div>
    </li>
  )
}
