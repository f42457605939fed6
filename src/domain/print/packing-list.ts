import type { PaperDocument } from '#contract/core/paper-document.ts'
import { type Frame, sizeOf } from '#contract/stock/frame.ts'
import { checklist } from './checklist.ts'

type Piece = Pick<
  Frame,
  'sku' | 'serial' | 'brand_name' | 'title_product' | 'title_variant' | 'size_lens_width' | 'size_bridge_width' | 'size_temple_length'
>

/** Returns the frames for a box, with a box to check for each. Empty notes are left out. */
export function packingList(title: string, notes: readonly (string | null)[], pieces: readonly Piece[]): PaperDocument {
  return checklist({
    title,
    note: notes.filter(Boolean).join(' · '),
    ticked: 'Packed',
    columns: [{ head: 'Tag' }, { head: 'F#' }, { head: 'Frame' }, { head: 'Size' }],
    rows: pieces.map((piece) => ({
      head: null,
      cells: [piece.sku, piece.serial, [piece.brand_name, piece.title_product, piece.title_variant].join(' '), sizeOf(piece) ?? '–'],
    })),
  })
}
