import type { ReactNode } from 'react'
import { sizeOf } from '#contract/stock/frame.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'

type Piece = NonNullable<ReturnType<SheetModel['pieceOf']>>

/** One frame in a list: its name, tag, size and color. `children` goes at the right. */
export function PieceLine({
  piece,
  code,
  children,
  under,
}: {
  piece: Piece | null
  code: string
  children?: ReactNode
  under?: ReactNode
}) {
  return (
    <div className="flex min-h-16 items-center gap-3 px-3 py-2 md:px-4">
      <div className="min-w-0 flex-1">
        {piece ? (
          <>
            <p>
              <span className="font-semibold">{piece.brand_name}</span> {piece.title_product}
            </p>
            {/* The tag comes first: a user compares it with the label, so it must never be cut off. */}
            <p className="flex flex-wrap gap-x-3 text-sm text-ink-2">
              <span className="figures whitespace-nowrap text-ink">{piece.sku}</span>
              {sizeOf(piece) && <span className="figures whitespace-nowrap">{sizeOf(piece)}</span>}
              <span>{piece.title_variant}</span>
            </p>
          </>
        ) : (
          <p className="figures font-semibold break-all">{code}</p>
        )}
        {under && <div className="text-sm text-ink-2">{under}</div>}
      </div>
      {children}
    </div>
  )
}
