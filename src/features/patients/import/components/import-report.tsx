import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { giveFile } from '#src/device/give-file.ts'
import { Button } from '#src/ui/button.tsx'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import type { Checked, RowProblem, Told } from '../actions.ts'
import type { ImportKind } from '../model/import-kind.ts'
import type { FileTable } from '../model/read-file.ts'
import { type Skipped, skippedRows } from '../model/skipped-rows.ts'

type Props = {
  kind: Pick<ImportKind<never>, 'words' | 'placeOf'>
  checked: Checked
  told: { rows: Told[]; wasImport: boolean; wasStopped: boolean } | null
  /** The problems of single rows that the server reported. */
  refused: RowProblem[]
  /** The chosen file. */
  table: FileTable
}

/** The result of the check or of the import, row by row. */
export function ImportReport({ kind, checked, told, refused, table }: Props) {
  const of = (verdict: Told['verdict']) => told?.rows.filter((row) => row.verdict === verdict) ?? []
  const imported = of('imported')
  const notYet = checked.good.length - (told?.rows.length ?? 0)
  const bad = [...refused, ...checked.bad]
  const skipped: Skipped[] = [
    ...bad.map(({ line, field, message }) => ({ line, why: `${field}: ${message}` })),
    ...of('left-out').map(({ line, why }) => ({ line, why: why ?? '' })),
  ]
  return (
    <>
      {told?.wasImport && (
        <Notice tone={told.wasStopped ? 'warn' : 'good'} title={`${formatNumberOf(imported.length, kind.words.one)} imported`}>
          {told.wasStopped
            ? `The import stopped with ${formatNumberOf(notYet, 'row')} not sent. Import the same file again to continue.`
            : kind.words.after}
        </Notice>
      )}
      {told && !told.wasImport && (
        <Notice tone={told.wasStopped ? 'warn' : 'info'} title={`${formatNumberOf(of('new').length, kind.words.one)} ready to import`}>
          {told.wasStopped ? 'Not every row was checked. Check again.' : 'Nothing is saved yet.'}
        </Notice>
      )}
      {skipped.length > 0 && (
        <div>
          <Button
            icon={<Download size={18} aria-hidden />}
            onClick={() => giveFile(new Blob([skippedRows(table, skipped)], { type: 'text/csv' }), 'skipped-rows.csv')}
          >
            Download {formatNumberOf(new Set(skipped.map(({ line }) => line)).size, 'skipped row')}
          </Button>
        </div>
      )}
      <Rows title={`${formatNumberOf(checked.badRows, 'row')} with a problem, skipped`} rows={alike(bad)}>
        {(group) => <Alike group={group} />}
      </Rows>
      <Rows title={`${formatNumberOf(new Set(checked.mended.map(({ line }) => line)).size, 'row')} corrected`} rows={alike(checked.mended)}>
        {(group) => <Alike group={group} />}
      </Rows>
      <Rows title={`${formatNumberOf(checked.repeated.length, 'row')} duplicated in this file`} rows={checked.repeated}>
        {({ line, first }) => `Line ${line}: same as line ${first}`}
      </Rows>
      <Rows title={`${formatNumberOf(of('left-out').length, 'row')} that can’t be imported`} rows={of('left-out')}>
        {({ line, why }) => `Line ${line}: ${why}`}
      </Rows>
      <Rows title={`${formatNumberOf(of('already-there').length, 'row')} already on file`} rows={of('already-there')}>
        {({ line }) => `Line ${line}: imported before`}
      </Rows>
      <Rows title={`${formatNumberOf(of('same-person').length, 'row')} ${kind.words.known}`} rows={of('same-person')}>
        {({ line, id }) => {
          const place = id === null ? null : kind.placeOf(id)
          return (
            <>
              Line {line}: {kind.words.same}
              {place !== null && (
                <>
                  {' '}
                  <a className="inline-flex min-h-target items-center underline" href={place} target="_blank" rel="noreferrer">
                    this {kind.words.one}
                  </a>
                </>
              )}
            </>
          )
        }}
      </Rows>
    </>
  )
}

type AlikeRows = { field: string; message: string; lines: number[] }

/** Groups rows that have the same problem. The problem of the most rows comes first. */
function alike(rows: readonly RowProblem[]): AlikeRows[] {
  const groups = new Map<string, AlikeRows>()
  for (const { line, field, message } of rows) {
    const key = `${field} ${message}`
    const group = groups.get(key) ?? { field, message, lines: [] }
    groups.set(key, group)
    group.lines.push(line)
  }
  return [...groups.values()].sort((a, b) => b.lines.length - a.lines.length)
}

function Alike({ group: { field, message, lines } }: { group: AlikeRows }) {
  const what = (
    <>
      <strong className="font-semibold">{field}:</strong> {message}
    </>
  )
  if (lines.length === 1)
    return (
      <>
        Line {lines[0]}: {what}
      </>
    )
  return (
    <>
      {formatNumberOf(lines.length, 'row')}: {what}
      <details>
        <summary className="flex min-h-target w-fit cursor-pointer items-center text-ink-2 underline">
          Lines {lines.slice(0, 5).join(', ')}
          {lines.length > 5 && ` and ${formatCount(lines.length - 5)} more`}
        </summary>
        <p className="figures pb-2 text-sm text-ink-2">{lines.join(', ')}</p>
      </details>
    </>
  )
}

const shownAtOnce = 100

function Rows<R>({ title, rows, children }: { title: string; rows: readonly R[]; children: (row: R) => ReactNode }) {
  const [shown, setShown] = useState(shownAtOnce)
  if (rows.length === 0) return null
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface">
      <h2 className="px-4 py-3 font-semibold">{title}</h2>
      <ul className="divide-y divide-line border-t border-line">
        {rows.slice(0, shown).map((row, at) => (
          <li key={at} className="px-4 py-2 break-words">
            {children(row)}
          </li>
        ))}
      </ul>
      {shown < rows.length && (
        <div className="border-t border-line p-3">
          <Button wide onClick={() => setShown(shown + 10 * shownAtOnce)}>
            Show more, {formatNumberOf(rows.length - shown, 'line')} left
          </Button>
        </div>
      )}
    </section>
  )
}
