import { Boxes, Download, Plus, Tags } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import { useStore } from 'zustand'
import type { Frame } from '#contract/stock/frame.ts'
import type { StockedModel } from '#contract/stock/stock.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { FilterBar } from './components/filter-bar.tsx'
import { LocationList } from './components/frame-sheet.tsx'
import { FrameTable, ModelTable } from './components/stock-tables.tsx'
import { ViewPicker } from './components/view-picker.tsx'
import { everything, type StockFilters, type StockOrderKey } from './model/filters.ts'
import type { FrameLine, Store } from './model/stock-list.ts'
import { reports, shownStore } from './model/stock-views.ts'
import { useStock } from './hooks/use-stock.ts'

const AddDialog = fetchedDialog(async () => (await import('./components/add-dialog.tsx')).AddDialog)
const FrameSheet = fetchedDialog(async () => (await import('./components/frame-sheet.tsx')).FrameSheet)
const PriceDialog = fetchedDialog(async () => (await import('./components/price-dialog.tsx')).PriceDialog)
const PricesDialog = fetchedDialog(async () => (await import('./components/price-dialog.tsx')).PricesDialog)

const views = [
  { key: 'frames', label: 'Frames' },
  { key: 'models', label: 'By model' },
] as const
type View = (typeof views)[number]['key']

type Props = {
  view: View
  onView: (view: View) => void
  /** Shows history and status of a piece. It belongs to another feature. */
  LookUp: ComponentType<{ code: string; onClose: () => void }>
  /** Prints the labels of pieces. It belongs to another feature. */
  Labels: ComponentType<{ ids: readonly number[]; sku?: string | undefined; onClose: () => void }>
}

/** /inventory: the chain's frames, by piece or by model. */
export function InventoryScreen(props: Props) {
  const home = useSession((session) => session.home)
  const idUser = useStore(shownStore, (shown) => shown.idUser)
  // A new user starts with the stock of their store.
  useEffect(() => {
    if (!home || idUser === home.id_user) return
    const [first] = reports
    const filters = { ...(first?.filters ?? everything), store: String(home.store_id) }
    shownStore.setState({ idUser: home.id_user, filters, order: first?.order ?? 'model' })
  }, [home, idUser])
  return home && idUser === home.id_user ? <Stock {...props} /> : null
}

type Open =
  | { kind: 'add' }
  | { kind: 'prices' | 'labels'; ids: number[] }
  | { kind: 'frame' | 'price' | 'look-up' | 'label'; frame: Frame }
  | { kind: 'model'; model: StockedModel }

function Stock({ view, onView, LookUp, Labels }: Props) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const { filters, order } = useStore(shownStore)
  const stores = useStores()
  const stock = useStock(view, filters, order, stores)
  const [open, setOpen] = useState<Open | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const exporting = useExport(filters)
  const may = (permission: 'frame.add' | 'frame.price' | 'frame.label') => home?.permissions.includes(permission) ?? false
  const storeName = useCallback((id: number) => nameOf(stores, id), [stores])
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone

  function show(next: { filters?: StockFilters; order?: StockOrderKey }) {
    shownStore.setState(next)
    setChosen(null)
  }
  const refetch = () => {
    void device.pull()
    if (stock.source === 'server') stock.reload()
  }
  function openLine(line: FrameLine) {
    if (chosen) {
      const next = new Set(chosen)
      if (!next.delete(line.id)) next.add(line.id)
      return setChosen(next)
    }
    const frame = device.frames.get(line.id) ?? line.listed
    if (frame) setOpen({ kind: 'frame', frame })
  }

  const { page } = stock
  const rows = page?.rows.view === view ? page.rows : null
  const close = () => setOpen(null)
  return (
    <div className="fills-page">
      <PageHeader
        title="Inventory"
        actions={
          <>
            {view === 'frames' && (
              <Button
                icon={<Download size={18} aria-hidden />}
                disabled={isOffline || !page || page.total === 0 || exporting.progress !== null}
                onClick={exporting.begin}
              >
                Export
              </Button>
            )}
            {may('frame.add') && (
              <Button variant="primary" icon={<Plus size={18} aria-hidden />} disabled={isOffline} onClick={() => setOpen({ kind: 'add' })}>
                Add
              </Button>
            )}
          </>
        }
      />
      <Tabs label="Inventory" tabs={views} selected={view} onSelect={onView} fill>
        <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
          <FilterBar
            filters={filters}
            order={order}
            stores={stores}
            withOrder={view === 'frames'}
            onFilters={(next) => show({ filters: next })}
            onOrder={(next) => show({ order: next })}
          >
            {home && (
              <ViewPicker
                idUser={home.id_user}
                store={filters.store}
                filters={filters}
                order={order}
                onChoose={(chosenView) => show({ filters: chosenView.filters, order: chosenView.order })}
              />
            )}
            {view === 'frames' && (may('frame.price') || may('frame.label')) && rows && page && page.total > 0 && chosen === null && (
              <Button icon={<Tags size={18} aria-hidden />} onClick={() => setChosen(new Set())}>
                Select frames
              </Button>
            )}
          </FilterBar>
          {exporting.progress && (
            <div className="flex items-center gap-4 rounded-lg border border-line bg-surface px-4 py-2">
              <div className="min-w-0 flex-1">
                <ProgressBar label="data.csv" done={exporting.progress.done} total={exporting.progress.total} />
              </div>
              <Button onClick={exporting.cancel}>Cancel</Button>
            </div>
          )}
          {chosen && rows?.view === 'frames' && (
            <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-4 py-2">
              <p role="status" className="mr-auto">
                {formatNumberOf(chosen.size, 'frame')} selected
              </p>
              <Button onClick={() => setChosen(new Set(rows.lines.map(({ id }) => id)))}>
                Select all {formatCount(rows.lines.length)}
              </Button>
              {may('frame.label') && (
                <Button disabled={chosen.size === 0} onClick={() => setOpen({ kind: 'labels', ids: [...chosen] })}>
                  Print labels
                </Button>
              )}
              {may('frame.price') && (
                <Button
                  variant="primary"
                  disabled={chosen.size === 0 || isOffline}
                  onClick={() => setOpen({ kind: 'prices', ids: [...chosen] })}
                >
                  Change prices
                </Button>
              )}
              <Button onClick={() => setChosen(null)}>Done</Button>
            </div>
          )}
          {!page && stock.failure && (
            <NotLoaded
              failure={stock.failure}
              title="Failed to load inventory data. Please try again"
              offline={
                device.frames.size() === 0
                  ? 'Frames haven’t been downloaded to this device yet. They’ll download when you’re online.'
                  : 'Time in stock is available online. Every other filter works offline.'
              }
              onRetry={stock.reload}
            />
          )}
          {!rows && !stock.failure && <Skeleton lines={8} height="row" />}
          {rows && page && page.total === 0 && !stock.isLoading && (
            <EmptyState
              icon={<Boxes aria-hidden />}
              title="No items found for the given filter."
              action={<Button onClick={() => show({ filters: everything })}>Show everything</Button>}
            />
          )}
          {rows && page && page.total > 0 && (
            <>
              <p role="status" className="text-sm text-ink-2">
                {view === 'frames' ? formatNumberOf(page.total, 'frame') : formatNumberOf(page.total, 'model')}
                {stock.source === 'server' && ' · from the server'}
              </p>
              {rows.view === 'frames' ? (
                <FrameTable
                  lines={rows.lines}
                  storeName={storeName}
                  timeZone={timeZone}
                  now={device.serverNow()}
                  chosen={chosen}
                  showsTime={filters.unseenDays !== '' || filters.ageDays !== '' || order === 'unseen' || order === 'oldest'}
                  onOpen={openLine}
                />
              ) : (
                <ModelTable models={rows.lines} onOpen={(model) => setOpen({ kind: 'model', model })} />
              )}
              {stock.more && (
                <Button busy={stock.isLoading} onClick={stock.more}>
                  Show more: {formatCount(rows.lines.length)} of {formatCount(page.total)}
                </Button>
              )}
            </>
          )}
        </div>
      </Tabs>
      {open?.kind === 'add' && (
        <AddDialog onClose={close} onAdded={refetch} onLabels={may('frame.label') ? (ids) => setOpen({ kind: 'labels', ids }) : null} />
      )}
      {open?.kind === 'prices' && (
        <PricesDialog
          ids={open.ids}
          onClose={close}
          onChanged={() => {
            setChosen(null)
            refetch()
          }}
        />
      )}
      {open?.kind === 'labels' && <Labels ids={open.ids} onClose={close} />}
      {open?.kind === 'label' && <Labels ids={[open.frame.id_inventory]} sku={open.frame.sku} onClose={close} />}
      {open?.kind === 'price' && <PriceDialog frame={open.frame} onClose={close} onChanged={refetch} />}
      {open?.kind === 'look-up' && <LookUp code={open.frame.sku} onClose={close} />}
      {open?.kind === 'frame' && (
        <FrameSheet
          frame={open.frame}
          stores={stores}
          timeZone={timeZone}
          onClose={close}
          onLookUp={() => setOpen({ kind: 'look-up', frame: open.frame })}
          onLabel={() => setOpen({ kind: 'label', frame: open.frame })}
          onPrice={() => setOpen({ kind: 'price', frame: open.frame })}
        />
      )}
      {open?.kind === 'model' && (
        <Dialog
          open
          onClose={close}
          title={`${open.model.brand_name} ${open.model.model}`}
          description={open.model.title_variant}
          footer={
            <Button
              variant="primary"
              onClick={() => {
                show({ filters: { ...filters, brand: String(open.model.brand_id), search: open.model.model } })
                close()
                onView('frames')
              }}
            >
              Show frames
            </Button>
          }
        >
          <LocationList locations={open.model.locations} />
        </Dialog>
      )}
    </div>
  )
}

function nameOf(stores: readonly Store[], id: number): string {
  return stores.find(({ store_id }) => store_id === id)?.store_name ?? `Store ${id}`
}

/** Exports the filtered frames. `progress` is null while no download is running. */
function useExport(filters: StockFilters) {
  const device = useDevice()
  const [progress, setProgress] = useState<{ done: number; total: number | null } | null>(null)
  const controller = useRef<AbortController | null>(null)

  async function run() {
    const { signal } = (controller.current = new AbortController())
    setProgress({ done: 0, total: null })
    try {
      const { exportFrames } = await import('./model/export-frames.ts')
      const onProgress = (done: number, total: number) => setProgress({ done, total })
      const result = await exportFrames(device, filters, { signal, onProgress })
      if (result.done) showToast({ title: `${formatNumberOf(result.rows, 'frame')} in data.csv`, tone: 'good' })
      else if (result.failure) showToast({ title: 'data.csv not saved', description: result.failure.message, tone: 'bad' })
    } catch {
      showToast({ title: 'data.csv not saved', description: 'Part of the app didn’t load.', tone: 'bad' })
    }
    setProgress(null)
  }
  return { progress, begin: () => void run(), cancel: () => controller.current?.abort() }
}
