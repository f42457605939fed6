import { Printer, Square, SquareCheck, Tag } from 'lucide-react'
import { useCallback, useState } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { sizeOf } from '#contract/stock/frame.ts'
import { labelEndpoints, type LabelRequest } from '#contract/stock/labels.ts'
import { ScanEntry } from '#src/camera/scan-entry.tsx'
import { announcement } from '#src/domain/pieces/announcement.ts'
import { PieceChoice } from '#src/domain/pieces/piece-choice.tsx'
import { usePieceScan } from '#src/domain/pieces/use-piece-scan.ts'
import { untilSent } from '#src/sync/react/use-cut-off.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { labelRequests } from '#src/domain/labels/record-label-requests.ts'
import { useReloadWhenSent } from '#src/domain/pieces/use-reload-when-sent.ts'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatCount, formatDateTime, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { requestLabels } from './actions.ts'
import { StockFields, useStockChoice } from './components/stock-fields.tsx'
import { printLabels } from './model/print-labels.ts'

const nobody: ReadonlySet<string> = new Set()

/** /inventory/labels: the store's requests for labels. */
export function LabelsScreen() {
  const device = useDevice()
  const store = useSession((session) => session.home?.store_id)
  // Another store has other requests.
  const load = useCallback(() => device.call(labelEndpoints.listLabelRequests, {}), [device, store]) // oxlint-disable-line react-hooks/exhaustive-deps
  const { value, failure, reload } = useLoaded(load)
  const waiting = useWaiting(labelRequests)
  const kept = waiting?.filter(({ refusal }) => refusal === null).length ?? 0
  useReloadWhenSent(waiting, reload)
  const scan = usePieceScan({
    storeId: store,
    async take(frame, name) {
      const acted = await requestLabels(device, [frame])
      if (!acted.ok) return announcement(`${name} was not put on the list. ${acted.failure.message}`, 'bad', 'not-recorded')
      if ('kept' in acted)
        return announcement(`${name}: saved on this tablet. It is put on the list ${untilSent(acted.kept)}.`, 'good', 'counted')
      void reload()
      return acted.value.added === 0
        ? announcement(`${name} is on the list already.`, 'warn', 'duplicate')
        : announcement(`${name}: put on the list.`, 'good', 'counted')
    },
  })
  return (
    <div className="fills-page">
      <PageHeader title="Labels">Labels to print</PageHeader>
      <ScanEntry
        label="Put a frame on the list"
        placeholder="Store tag, F# or UPC"
        takes
        disabled={false}
        clean={normaliseCode}
        isKnown={(code) => device.frames.find(code) !== null}
        notice={scan.notice}
        onCode={scan.take}
      />
      <PieceChoice scan={scan} />
      {kept > 0 && (
        <Notice tone="warn" title={`${formatNumberOf(kept, 'label')} requested on this tablet`}>
          They’re waiting to send and will then appear on the list.
        </Notice>
      )}
      {!value && !failure && <Skeleton lines={6} height="row" />}
      {!value && failure && (
        <NotLoaded
          failure={failure}
          title="Couldn’t load labels"
          offline="You need a connection to see and print waiting labels."
          onRetry={() => void reload()}
        />
      )}
      {value?.total === 0 && (
        <EmptyState icon={<Tag aria-hidden />} title="No labels waiting.">
          Select frames in Inventory, then choose “Print labels” and “Print later”.
        </EmptyState>
      )}
      {value && value.total > 0 && <Waiting key={store} requests={value.requests} total={value.total} reload={reload} />}
    </div>
  )
}

function Waiting({ requests, total, reload }: { requests: readonly LabelRequest[]; total: number; reload: () => Promise<void> }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const choice = useStockChoice()
  /** Every request is selected until a user leaves it out. */
  const [left, setLeft] = useState(nobody)
  /** The requests that were sent to the printer, until the user says which came out. Null before. */
  const [sent, setSent] = useState<ReadonlySet<string> | null>(null)
  const [busy, setBusy] = useState<'print' | 'printed' | 'withdrawn' | null>(null)
  const rows = sent ? requests.filter(({ id_request }) => sent.has(id_request)) : requests
  const chosen = rows.filter(({ id_request }) => !left.has(id_request))

  function toggle({ id_request }: LabelRequest) {
    const next = new Set(left)
    if (!next.delete(id_request)) next.add(id_request)
    setLeft(next)
  }

  async function print() {
    if (choice.skip === null) return
    setBusy('print')
    const ids = chosen.map(({ frame }) => frame.id_inventory)
    if (await printLabels(device, { ids, stock: choice.stock, skip: choice.skip })) {
      setSent(new Set(chosen.map(({ id_request }) => id_request)))
    }
    setBusy(null)
  }

  async function settle(outcome: 'printed' | 'withdrawn') {
    setBusy(outcome)
    const body = { ids: chosen.map(({ id_request }) => id_request), outcome }
    const answer = await device.call(labelEndpoints.settleLabelRequests, { body })
    if (answer.ok) {
      const number = formatNumberOf(chosen.length, 'frame')
      showToast({ title: outcome === 'printed' ? `${number} labeled` : `${number} removed from the list`, tone: 'good' })
      if (outcome === 'printed') choice.forget()
      setSent(null)
      setLeft(nobody)
      await reload()
    } else showToast({ title: 'NOT SAVED', description: answer.failure.message, tone: 'bad' })
    setBusy(null)
  }

  const isBusy = busy !== null
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      {isOffline && <Notice tone="warn">You need a connection to print.</Notice>}
      {sent ? (
        <Notice
          tone="info"
          title="Did they all print?"
          actions={
            <>
              <Button
                variant="primary"
                busy={busy === 'printed'}
                disabled={isOffline || chosen.length === 0}
                onClick={() => void settle('printed')}
              >
                {chosen.length === rows.length ? 'All printed' : `${formatCount(chosen.length)} printed`}
              </Button>
              <Button
                disabled={isBusy}
                onClick={() => {
                  setSent(null)
                  setLeft(nobody)
                }}
              >
                None printed
              </Button>
            </>
          }
        >
          Tap any that didn’t — they’ll stay on the list.
        </Notice>
      ) : (
        <>
          <StockFields {...choice} />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              variant="primary"
              icon={<Printer size={18} aria-hidden />}
              busy={busy === 'print'}
              disabled={isOffline || chosen.length === 0 || choice.skip === null || busy === 'withdrawn'}
              onClick={() => void print()}
            >
              Print {formatNumberOf(chosen.length, 'label')}
            </Button>
            <Button
              busy={busy === 'withdrawn'}
              disabled={isOffline || chosen.length === 0 || busy === 'print'}
              onClick={() => void settle('withdrawn')}
            >
              Remove
            </Button>
            <Button
              disabled={isBusy}
              onClick={() => setLeft(chosen.length > 0 ? new Set(rows.map(({ id_request }) => id_request)) : nobody)}
            >
              {chosen.length > 0 ? 'Clear' : 'Select all'}
            </Button>
          </div>
        </>
      )}
      <p role="status" className="text-sm text-ink-2">
        {sent
          ? `${formatNumberOf(rows.length, 'label')} sent to the printer`
          : total > requests.length
            ? `${formatNumberOf(total, 'label')} waiting. Showing the first ${formatCount(requests.length)}`
            : `${formatNumberOf(total, 'label')} waiting`}
      </p>
      <VirtualTable
        label="Waiting labels"
        columns={columnsOf(left, timeZone)}
        rows={rows}
        rowKey={idOf}
        rowHeight={80}
        onOpen={(row) => {
          if (!isBusy) toggle(row)
        }}
      />
    </div>
  )
}

const idOf = ({ id_request }: LabelRequest) => id_request

function columnsOf(left: ReadonlySet<string>, timeZone: string | undefined): Column<LabelRequest>[] {
  return [
    {
      key: 'chosen',
      header: <span className="sr-only">Selected</span>,
      width: '1.5rem',
      cell: ({ id_request }) =>
        left.has(id_request) ? (
          <Square size={22} className="text-ink-3" aria-label="Not selected" />
        ) : (
          <SquareCheck size={22} className="text-accent-text" aria-label="Selected" />
        ),
    },
    {
      key: 'frame',
      header: 'Frame',
      width: 'minmax(0, 1fr)',
      cell: ({ frame }) => (
        <>
          <p className="truncate font-medium">
            {frame.brand_name} {frame.title_product}
          </p>
          <p className="truncate text-sm text-ink-2">{[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}</p>
          <p className="figures truncate text-sm text-ink-2">
            {[frame.sku, frame.pb_selling_price === null ? null : formatMoney(frame.pb_selling_price)].filter(Boolean).join(' · ')}
          </p>
        </>
      ),
    },
    {
      key: 'asked',
      header: 'Requested by',
      width: '11rem',
      from: 'md',
      cell: ({ asked_by, asked_at }) => (
        <>
          <p className="truncate">
            <bdi>{asked_by}</bdi>
          </p>
          <p className="figures truncate text-sm text-ink-2">{formatDateTime(asked_at, timeZone)}</p>
        </>
      ),
    },
    { key: 'status', header: 'Status', width: '8rem', from: 'lg', cell: ({ frame }) => <StatusBadge status={frame.status} /> },
  ]
}
