import type { CSSProperties, ReactNode } from 'react'
import { VirtualList, type VirtualListProps } from './virtual-list.tsx'

export type Column<Row> = {
  key: string
  header: ReactNode
  /** A CSS grid track: `6rem`, `1fr`, `minmax(8rem, 2fr)`. */
  width: string
  cell: (row: Row) => ReactNode
  /** Numbers to compare: at the right, in figures of equal width. */
  numeric?: boolean
  /** Hidden when the table is narrower than 36 rem, or than 44. */
  from?: 'md' | 'lg'
}

const visibility = { md: '@max-[36rem]/list:hidden', lg: '@max-[44rem]/list:hidden' }

/** A virtual list in columns, with a head that stays. */
export function VirtualTable<Row>({
  columns,
  ...list
}: Omit<VirtualListProps<Row>, 'renderRow' | 'head' | 'semantics'> & { columns: readonly Column<Row>[] }) {
  // The tracks of hidden columns must go with them, so each width has its own template.
  const tracks = (hidden: readonly string[]) =>
    columns
      .filter((column) => !column.from || !hidden.includes(column.from))
      .map((column) => column.width)
      .join(' ')
  const templates: CSSProperties & Record<`--${string}`, string> = {
    '--tracks': tracks(['md', 'lg']),
    '--tracks-md': tracks(['lg']),
    '--tracks-lg': tracks([]),
  }
  const line =
    'grid items-center gap-x-4 px-4 [grid-template-columns:var(--tracks)] @min-[36rem]/list:[grid-template-columns:var(--tracks-md)] @min-[44rem]/list:[grid-template-columns:var(--tracks-lg)]'
  return (
    <VirtualList
      {...list}
      semantics="grid"
      head={
        <div role="row" style={templates} className={`${line} min-h-10`}>
          {columns.map((column) => (
            <div
              key={column.key}
              role="columnheader"
              className={`truncate engraved ${column.numeric ? 'text-right' : ''} ${column.from ? visibility[column.from] : ''}`}
            >
              {column.header}
            </div>
          ))}
        </div>
      }
      renderRow={(row) => (
        <div style={templates} className={`${line} min-h-row py-(--row-pad)`}>
          {columns.map((column) => (
            <div
              key={column.key}
              role="gridcell"
              className={`min-w-0 ${column.numeric ? 'text-right figures' : ''} ${column.from ? visibility[column.from] : ''}`}
            >
              {column.cell(row)}
            </div>
          ))}
        </div>
      )}
    />
  )
}
