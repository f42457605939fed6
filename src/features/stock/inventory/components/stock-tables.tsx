import { Square, SquareCheck } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { sizeOf, type Frame } from '#contract/stock/frame.ts'
import type { StockedModel } from '#contract/stock/stock.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatCount, formatDate, formatMoney } from '#src/ui/format.ts'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import type { FrameLine } from '../model/stock-list.ts'

const keyOfLine = (line: FrameLine) => line.id

/** Reads a line's frame once for all its cells, which are drawn one after the other. */
function frameReader({ frames }: Pick<Device, 'frames'>): (line: FrameLine) => Frame | null {
  let last: { line: FrameLine; frame: Frame | null } | null = null
  return (line) => {
    if (last?.line !== line) last = { line, frame: line.listed ?? frames.get(line.id) }
    return last.frame
  }
}

/** A table of pieces. While pieces are selected, a press selects another. */
export function FrameTable({
  lines,
  storeName,
  timeZone,
  now,
  chosen,
  showsTime,
  onOpen,
}: {
  lines: readonly FrameLine[]
  storeName: (id: number) => string
  timeZone: string | undefined
  now: number
  chosen: ReadonlySet<number> | null
  /** Shows when a piece was received or last seen, for lists about that. Otherwise shows its store. */
  showsTime: boolean
  onOpen: (line: FrameLine) => void
}) {
  const device = useDevice()
  const columns = useMemo(() => {
    const frameOf = frameReader(device)
    const cell = (draw: (frame: Frame) => ReactNode) => (line: FrameLine) => {
      const frame = frameOf(line)
      return frame && draw(frame)
    }
    const isAged = lines.some((line) => line.listed?.receipt_at)
    const list: (Column<FrameLine> | false)[] = [
      chosen !== null && {
        key: 'chosen',
        header: <span className="sr-only">Selected</span>,
        width: '1.5rem',
        cell: (line) =>
          chosen.has(line.id) ? (
            <SquareCheck size={22} className="text-accent-text" aria-label="Selected" />
          ) : (
            <Square size={22} className="text-ink-3" aria-label="Not selected" />
          ),
      },
      {
        key: 'model',
        header: 'Brand and model',
        width: 'minmax(0, 1fr)',
        cell: cell((frame) => (
          <>
            <p className="truncate font-medium">
              {frame.brand_name} {frame.title_product}
            </p>
            <p className="truncate text-sm text-ink-2">{[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}</p>
            <p className="figures truncate text-sm text-ink-2 @min-[36rem]/list:hidden">
              {[frame.sku, frame.pb_selling_price === null ? null : formatMoney(frame.pb_selling_price)].filter(Boolean).join(' · ')}
            </p>
          </>
        )),
      },
      {
        key: 'tag',
        header: 'Tag, F#',
        width: '6.5rem',
        from: 'md',
        cell: cell((frame) => (
          <>
            <p className="figures truncate">{frame.sku}</p>
            <p className="figures truncate text-sm text-ink-2">{frame.serial}</p>
          </>
        )),
      },
      !showsTime && {
        key: 'place',
        header: 'Store, place',
        width: '8rem',
        from: 'lg',
        cell: cell((frame) => (
          <>
            <p className="truncate">{storeName(frame.store_id)}</p>
            <p className="truncate text-sm text-ink-2">{frame.board_location}</p>
          </>
        )),
      },
      showsTime && {
        key: 'seen',
        header: isAged ? 'Received' : 'Last seen',
        width: '7rem',
        from: 'lg',
        cell: (line) => {
          const frame = frameOf(line)
          const at = isAged ? (line.listed?.receipt_at ?? null) : (frame?.last_seen_at ?? null)
          if (at === null) return <span className="text-sm text-ink-3">{isAged ? '—' : 'never'}</span>
          const days = Math.max(0, Math.floor((now - Date.parse(at)) / 86_400_000))
          return (
            <>
              <p className="figures text-sm">{formatDate(at, timeZone)}</p>
              <p className="figures text-sm text-ink-2">{days === 1 ? '1 day' : `${formatCount(days)} days`}</p>
            </>
          )
        },
      },
      { key: 'status', header: 'Status', width: '8rem', cell: cell((frame) => <StatusBadge status={frame.status} />) },
      {
        key: 'price',
        header: 'Price',
        width: '5rem',
        numeric: true,
        from: 'md',
        cell: cell((frame) => (frame.pb_selling_price === null ? '–' : formatMoney(frame.pb_selling_price))),
      },
    ]
    return list.filter((column) => column !== false)
  }, [device, lines, storeName, timeZone, now, chosen, showsTime])
  return <VirtualTable label="Frames" columns={columns} rows={lines} rowKey={keyOfLine} rowHeight={64} onOpen={onOpen} />
}

const keyOfModel = (model: StockedModel) => `${model.brand_id} ${model.model} ${model.title_variant}`
const piecesOf = (model: StockedModel) => model.locations.reduce((sum, { quantity }) => sum + quantity, 0)

const modelColumns: readonly Column<StockedModel>[] = [
  {
    key: 'model',
    header: 'Brand and model',
    width: 'minmax(0, 1.5fr)',
    cell: (model) => (
      <>
        <p className="truncate font-medium">
          {model.brand_name} {model.model}
        </p>
        <p className="truncate text-sm text-ink-2">{model.title_variant}</p>
      </>
    ),
  },
  {
    key: 'stores',
    header: 'Stores',
    width: 'minmax(0, 2fr)',
    from: 'md',
    cell: (model) => (
      <p className="truncate text-ink-2">
        {model.locations.map(({ short_name, quantity }) => `${short_name} ${formatCount(quantity)}`).join(' · ')}
      </p>
    ),
  },
  { key: 'pieces', header: 'Pieces', width: '4.5rem', numeric: true, cell: (model) => formatCount(piecesOf(model)) },
]

/** A table of models by color, with the number of pieces in each store. */
export function ModelTable({ models, onOpen }: { models: readonly StockedModel[]; onOpen: (model: StockedModel) => void }) {
  return <VirtualTable label="Models" columns={modelColumns} rows={models} rowKey={keyOfModel} rowHeight={60} onOpen={onOpen} />
}
