import type { Product } from '#contract/library/frame-library.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatCount } from '#src/ui/format.ts'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'

const keyOf = (product: Product) => product.id_product

const columns: readonly Column<Product>[] = [
  {
    key: 'title',
    header: 'Product',
    width: 'minmax(0, 1.5fr)',
    cell: (product) => (
      <>
        <p className="truncate font-medium">
          {product.title} {product.discontinued_at !== null && <Badge tone="warn">Discontinued</Badge>}
        </p>
        <p className="truncate text-sm text-ink-2">{product.brand_name}</p>
      </>
    ),
  },
  {
    key: 'about',
    header: 'Material, shape',
    width: 'minmax(0, 1fr)',
    from: 'lg',
    cell: ({ material, shape, gender }) => (
      <p className="truncate text-sm text-ink-2">{[material, shape, gender].filter(Boolean).join(' · ') || '–'}</p>
    ),
  },
  { key: 'models', header: 'Models', width: '4.5rem', numeric: true, cell: ({ models }) => formatCount(models) },
  { key: 'stock', header: 'In stock', width: '5rem', numeric: true, cell: ({ in_stock }) => formatCount(in_stock) },
]

/** The products, with the number of models and of pieces in the chain. */
export function ProductList({ products, onOpen }: { products: readonly Product[]; onOpen: (product: Product) => void }) {
  return <VirtualTable label="Products" columns={columns} rows={products} rowKey={keyOf} rowHeight={60} onOpen={onOpen} />
}
