import { ChevronRight } from 'lucide-react'
import { sizeOf } from '#contract/stock/frame.ts'
import type { ReceivedPiece } from '#contract/receiving/store-invoices.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatMoney } from '#src/ui/format.ts'
import { StatusBadge } from '#src/ui/status-badge.tsx'

/** The received pieces, newest first. */
export function ReceivedPieces({ pieces, onOpen }: { pieces: readonly ReceivedPiece[]; onOpen: (piece: ReceivedPiece) => void }) {
  return (
    <ul aria-label="Received pieces" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {pieces.map((piece) => {
        const { frame } = piece
        return (
          <li key={frame.id_inventory}>
            <button
              type="button"
              onClick={() => onOpen(piece)}
              className="flex min-h-16 w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="figures w-32 font-semibold">{frame.sku}</span>
              <span className="min-w-0 flex-[1_1_12rem]">
                <span className="block truncate font-medium">
                  {frame.brand_name} {frame.title_product}
                </span>
                <span className="block truncate text-sm text-ink-2">
                  {[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}
                </span>
              </span>
              {frame.status !== 'Ready for Sale' && <StatusBadge status={frame.status} />}
              {frame.pb_selling_price === null ? (
                <Badge tone="warn">No price</Badge>
              ) : (
                <span className="figures text-sm">{formatMoney(frame.pb_selling_price)}</span>
              )}
              <ChevronRight size={18} aria-hidden className="text-ink-3" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
