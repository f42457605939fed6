import { SelectField } from '#src/ui/forms/select-field.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { labelOf, type Mapping } from '../model/columns.ts'
import type { ImportKind } from '../model/import-kind.ts'
import type { FileTable } from '../model/read-file.ts'

const samples = 3
const leftOut = { value: '', label: 'Skip' } as const

type Props = {
  kind: Pick<ImportKind<never>, 'targets'>
  table: FileTable
  mapping: Mapping
  disabled: boolean
  onChange: (mapping: Mapping) => void
}

/** Each column of the file: its header, the values of its first rows, and its meaning here. */
export function ColumnChoices({ kind, table, mapping, disabled, onChange }: Props) {
  function set(at: number, target: string) {
    // A field has one column. Choosing another column for it clears the first.
    onChange(mapping.map((now, column) => (column === at ? target || null : now === target ? null : now)))
  }
  return (
    <section aria-label="Columns" className="rounded-lg border border-line bg-surface">
      <h2 className="px-4 pt-3 text-lg font-semibold">Columns</h2>
      <p className="px-4 text-sm text-ink-2">
        {formatNumberOf(table.headers.length, 'column')}, {formatNumberOf(table.lines.length, 'row')}, read as {table.encoding}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {table.headers.map((header, at) => (
          <li key={at} className="grid items-center gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[1fr_16rem]">
            <div className="min-w-0">
              <p className="font-medium break-words">{header || `Column ${at + 1}`}</p>
              <p className="truncate text-sm text-ink-2">
                {table.lines
                  .slice(0, samples)
                  .map(({ cells }) => cells[at]?.trim() || '–')
                  .join(' · ')}
              </p>
            </div>
            <SelectField
              label={`${header || `Column ${at + 1}`} →`}
              hideLabel
              disabled={disabled}
              options={[leftOut, ...Object.keys(kind.targets).map((target) => ({ value: target, label: labelOf(kind, target) }))]}
              value={mapping[at] ?? ''}
              onChange={(target) => set(at, target)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
