import { PrintedList } from '#src/ui/print/printed-list.tsx'

type Piece = {
  id_inventory: number
  sku: string
  serial: string
  brand_name: string
  title_product: string
  title_variant: string
  size: string | null
}

/** The frames for a box, on paper, with a checkbox for each. */
export function PackingList({ title, note, pieces }: { title: string; note: string; pieces: readonly Piece[] }) {
  return (
    <PrintedList
      title={title}
      note={note === '' ? null : note}
      ticked="Packed"
      columns={['Tag', 'F#', 'Frame', 'Size']}
      rows={pieces.map((piece) => ({
        key: String(piece.id_inventory),
        head: null,
        cells: [piece.sku, piece.serial, [piece.brand_name, piece.title_product, piece.title_variant].join(' '), piece.size ?? '–'],
      }))}
    />
  )
}
