import type { Frame } from '#contract/stock/frames.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { formatCount } from '#src/ui/format.ts'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'

type Props = {
  frames: readonly Frame[]
  onPick: (frame: Frame) => void
  /** For a blind count: hides their number and their status. */
  isBlind?: boolean
}

/** The pieces that share a UPC. The user chooses one. */
export function PieceList({ frames, onPick, isBlind = false }: Props) {
  const locations = useSession(({ home }) => home?.locations)
  const storeName = (id: number) => locations?.find(({ store_id }) => store_id === id)?.store_name ?? `Store ${id}`
  return (
    <section aria-label="Frames with this UPC" className="flex flex-col gap-2">
      <p>This UPC matches {isBlind ? 'several' : formatCount(frames.length)} frames. Choose the one in your hand.</p>
      <VirtualList
        label="Frames"
        rows={frames}
        rowKey={(frame) => String(frame.id_inventory)}
        rowHeight={64}
        height="content"
        onOpen={onPick}
        renderRow={(frame) => (
          <div className="flex min-h-16 items-center justify-between gap-3 px-3 py-2">
            <div className="min-w-0">
              <p className="figures font-medium">
                {frame.serial} · {frame.sku}
              </p>
              <p className="truncate text-sm text-ink-2">
                {frame.brand_name} {frame.title_product}, {frame.title_variant} · {storeName(frame.store_id)}
              </p>
            </div>
            {!isBlind && <StatusBadge status={frame.status} />}
          </div>
        )}
      />
    </section>
  )
}
