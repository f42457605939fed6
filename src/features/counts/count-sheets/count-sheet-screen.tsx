import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, EllipsisVertical, Pause, Play, ScanBarcode, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { useWork } from '#src/sync/react/use-work.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { fetchedItems, Menu } from '#src/ui/menu.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageSpinner } from '#src/ui/spinner.tsx'
import { Announcer } from './components/announcer.tsx'
import { BrandProgressList, CountFigures, People } from './components/count-figures.tsx'
import { LastScanCard } from './components/last-scan-card.tsx'
import { laterPart } from './components/later-part.tsx'
import { SaveProblems } from './components/save-problems.tsx'
import type { OpenDialog } from './components/sheet-dialog.tsx'
import { SheetTabs, type SheetTab } from './components/sheet-tabs.tsx'
import { UndoButton } from './components/undo-button.tsx'
import { useScopeNames, useSheet } from './queries.ts'
import { scopeInWords } from './model/scope-words.ts'
import type { SheetModel } from './model/sheet-model.ts'
import { useCounting, type Counting } from './hooks/use-counting.ts'

const CountNotices = laterPart(async () => (await import('./components/count-notices.tsx')).CountNotices)
const ClosedSheet = lazy(async () => ({ default: (await import('./components/closed-sheet.tsx')).ClosedSheet }))
const NotForCounting = laterPart(async () => (await import('./components/not-for-counting.tsx')).NotForCounting)
const NotOnTablet = laterPart(async () => (await import('./components/not-on-tablet.tsx')).NotOnTablet)
const SheetMenuItems = fetchedItems(async () => (await import('./components/sheet-menu-items.tsx')).SheetMenuItems)
const SheetDialog = fetchedDialog(async () => (await import('./components/sheet-dialog.tsx')).SheetDialog)
const CountCamera = fetchedDialog(async () => (await import('./components/count-camera.tsx')).CountCamera)

/** One count sheet, for a user with one free hand who reads it from five feet away. */
export function CountSheetScreen({ idCountSheet }: { idCountSheet: string }) {
  const counting = useCounting(idCountSheet)
  const mayCount = useSession(({ home }) => home === null || home.permissions.includes('count.scan'))
  if (!mayCount) {
    return (
      <Suspense>
        <NotForCounting />
      </Suspense>
    )
  }
  if (counting.problem !== null) {
    return (
      <Notice
        tone="bad"
        title="Couldn’t open this count on this tablet"
        actions={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {counting.problem} Your saved work is safe.
      </Notice>
    )
  }
  if (!counting.model) return <PageSpinner label="Opening the count…" />
  return <OpenedSheet counting={counting} model={counting.model} />
}

function OpenedSheet({ counting, model }: { counting: Counting; model: SheetModel }) {
  const sheet = useSheet(model, (state) => state.sheet)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [tab, setTab] = useState<SheetTab>('to-find')
  const [hasCamera, setCamera] = useState(false)
  const navigate = useNavigate()
  useWork(sheet && sheet.phase !== 'closed' ? 'scans' : null)
  const title = sheet === null ? 'Count' : sheet.number === null ? 'New count' : `Count #${sheet.number}`
  useEffect(() => {
    document.title = `${title} · Lorgnette`
  }, [title])
  if (!sheet) {
    return (
      <Suspense>
        <NotOnTablet />
      </Suspense>
    )
  }
  const closed = sheet.phase === 'closed'
  return (
    // Exactly as high as the screen, so only the list scrolls. On a very low screen, the page scrolls.
    <div className="@container/count fills-page min-h-[38rem] gap-2 landscape:min-h-[30rem]">
      <Announcer model={model} />
      <SheetHead model={model} sheet={sheet} onOpen={setDialog} onCamera={() => setCamera(!hasCamera)} />
      <SaveProblems model={model} />
      <Suspense>
        <CountNotices model={model} sheet={sheet} onShow={() => setTab('exceptions')} />
      </Suspense>
      {closed ? (
        <Suspense fallback={<PageSpinner />}>
          <ClosedSheet model={model} sheet={sheet} />
        </Suspense>
      ) : (
        <>
          <StartBar counting={counting} model={model} />
          <div className={layout}>
            <div className="flex shrink-0 flex-col gap-2 @min-[42rem]/count:grid @min-[42rem]/count:grid-cols-[3fr_2fr] @min-[42rem]/count:gap-3 landscape:@min-[42rem]/count:flex landscape:@min-[42rem]/count:min-h-0 landscape:@min-[42rem]/count:flex-col landscape:@min-[42rem]/count:overflow-y-auto">
              {hasCamera && <CountCamera onClose={() => setCamera(false)} />}
              <LastScanCard model={model} />
              <div className="flex min-h-0 flex-col gap-2 @min-[42rem]/count:gap-3 landscape:@min-[42rem]/count:flex-1">
                <div className="shrink-0 @max-[42rem]/count:hidden">
                  <UndoButton model={model} size="lg" />
                </div>
                <CountFigures model={model} />
                <div className="min-h-0 @max-[42rem]/count:hidden">
                  <People model={model} />
                </div>
                {/* If there is no room for it, the group heads of the list To find show the progress of each brand. */}
                <div className="hidden min-h-0 flex-1 flex-col landscape:@min-[42rem]/count:[@media(min-height:56rem)]:flex">
                  <BrandProgressList model={model} />
                </div>
              </div>
            </div>
            <SheetTabs model={model} selected={tab} onSelect={setTab} />
          </div>
          <PhoneBar model={model} onPause={() => model.setPaused(!model.state.getState().paused)} onToFind={() => setTab('to-find')} />
        </>
      )}
      {dialog && (
        <SheetDialog
          dialog={dialog}
          model={model}
          sheet={sheet}
          wake={counting.wake}
          onClose={() => setDialog(null)}
          onExceptions={() => {
            setDialog(null)
            setTab('exceptions')
          }}
          onDeleted={() => void navigate({ to: '/inventory/count-sheets' })}
        />
      )}
    </div>
  )
}

/**
 * Side by side on a wide screen. On a tall screen, the last scan and the figures are above the lists. Stacked on a
 * phone.
 */
const layout =
  'flex min-h-0 flex-1 flex-col gap-2 @min-[42rem]/count:gap-3 landscape:@min-[42rem]/count:grid landscape:@min-[42rem]/count:grid-cols-[minmax(20rem,2fr)_minmax(0,3fr)]'

type SheetHeadProps = { model: SheetModel; sheet: CountSheet; onOpen: (dialog: OpenDialog) => void; onCamera: () => void }

function SheetHead({ model, sheet, onOpen, onCamera }: SheetHeadProps) {
  const home = useSession((session) => session.home)
  const online = useConnection((connection) => connection.online)
  const { unsent, attention, paused, isEmpty } = useSheet(
    model,
    useShallow((state) => ({
      unsent: state.unsent,
      attention: state.attention,
      paused: state.paused,
      isEmpty: model.ledger.events.size === 0,
    })),
  )
  const { brands, vendors } = useScopeNames(sheet)
  const may = (permission: 'count.close' | 'count.delete') => home?.permissions.includes(permission) ?? false
  const closed = sheet.phase === 'closed'
  const mayDelete = !closed && (may('count.delete') || isEmpty)
  return (
    <header className="flex shrink-0 items-center gap-1">
      <Link
        to="/inventory/count-sheets"
        aria-label="All counts"
        className="-ml-2 inline-flex size-target shrink-0 items-center justify-center rounded-md hover:bg-hover"
      >
        <ArrowLeft size={20} aria-hidden />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="line-clamp-2 text-xl leading-tight font-semibold">
          {sheet.number === null ? 'New count' : `Count #${sheet.number}`}
          <span className="font-normal text-ink-2 @max-[30rem]/count:block @max-[30rem]/count:truncate @max-[30rem]/count:text-base">
            <span className="@max-[30rem]/count:hidden"> · </span>
            {scopeInWords(sheet.scope, brands, vendors)}
          </span>
        </h1>
        <div className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
          {sheet.walk > 1 && <span>Walk {sheet.walk}</span>}
          {sheet.blind && <Badge>Blind</Badge>}
          {closed && <Badge tone="good">Closed</Badge>}
          {paused && <Badge tone="warn">Paused</Badge>}
          {!closed && (
            <span aria-live="off" className={unsent === 0 ? '@max-[30rem]/count:hidden' : ''}>
              {unsent > 0 ? `${online === false ? 'Offline, ' : ''}${formatCount(unsent)} to send` : 'All sent'}
            </span>
          )}
          {attention > 0 && (
            <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
              {formatCount(attention)} need{attention === 1 && 's'} attention
            </Badge>
          )}
          {sheet.notes && <span className="min-w-0 truncate @max-[42rem]/count:hidden">“{sheet.notes}”</span>}
        </div>
      </div>
      {!closed && (
        <>
          <IconButton label="Camera" icon={<ScanBarcode size={20} aria-hidden />} onClick={onCamera} />
          <div className="@max-[30rem]/count:hidden">
            <IconButton
              label={paused ? 'Resume counting' : 'Pause'}
              icon={paused ? <Play size={20} aria-hidden /> : <Pause size={20} aria-hidden />}
              onClick={() => model.setPaused(!paused)}
            />
          </div>
          {may('count.close') && (
            <Button variant="primary" aria-label="Close count" onClick={() => onOpen('close')}>
              <span className="@max-[36rem]/count:hidden">Close count</span>
              <span className="hidden @max-[36rem]/count:inline" aria-hidden="true">
                Close
              </span>
            </Button>
          )}
          <Menu
            button={
              <button
                type="button"
                aria-label="More"
                className="inline-flex size-target shrink-0 items-center justify-center rounded-md hover:bg-hover"
              >
                <EllipsisVertical size={20} aria-hidden />
              </button>
            }
          >
            <SheetMenuItems mayDelete={mayDelete} onOpen={onOpen} />
          </Menu>
        </>
      )}
    </header>
  )
}

/** A browser needs a press before a page may play sound and keep the screen on. This button is that press. */
function StartBar({ counting, model }: { counting: Counting; model: SheetModel }) {
  const paused = useSheet(model, (state) => state.paused)
  if (paused) {
    return (
      <div role="status" className="flex items-center justify-between gap-3 rounded-lg bg-warn-solid px-4 py-2 text-warn-solid-ink">
        <p className="text-lg font-bold">Paused. Scans aren’t recorded.</p>
        <Button icon={<Play size={18} aria-hidden />} onClick={() => model.setPaused(false)}>
          Resume
        </Button>
      </div>
    )
  }
  if (!counting.started) {
    return (
      <div className="flex items-center justify-between gap-3 rounded-lg border border-accent bg-accent-soft px-4 py-2">
        <p className="min-w-0">
          <strong className="font-semibold">Ready — works offline</strong>{' '}
          <span className="@max-[36rem]/count:hidden">Starting turns on sounds and keeps the screen on.</span>
        </p>
        <Button variant="primary" icon={<Play size={18} aria-hidden />} onClick={counting.start}>
          Start counting
        </Button>
      </div>
    )
  }
  if (!counting.soundWorks || counting.wake === 'refused') {
    return (
      <p className="text-sm text-ink-2" role="status">
        {!counting.soundWorks && 'No sound on this tablet. Watch the screen. '}
        {counting.wake === 'refused' && 'The screen may turn off on this tablet.'}
      </p>
    )
  }
  return null
}

function PhoneBar({ model, onPause, onToFind }: { model: SheetModel; onPause: () => void; onToFind: () => void }) {
  const paused = useSheet(model, (state) => state.paused)
  useSheet(model, (state) => state.version)
  return (
    <nav
      aria-label="Counting"
      className="sticky bottom-0 z-10 -mx-3 -mb-4 flex shrink-0 gap-2 border-t border-line bg-surface p-2 sm:-mx-5 @min-[42rem]/count:hidden [&>*]:min-w-0 [&>*]:flex-1 [&>*]:px-1.5"
    >
      <UndoButton model={model} />
      <Button icon={paused ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />} onClick={onPause}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {model.seesExpected() && <Button onClick={onToFind}>To find ({formatCount(model.ledger.toFindTotal)})</Button>}
    </nav>
  )
}
