import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { formatNumberOf } from '#src/ui/format.ts'

/**
 * Whether the page is being printed, by the button or by the browser's own command, and the function for the button.
 */
export function usePrinting(): { printing: boolean; print: () => void } {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // A list of thousands is rendered for the printer only, and must be complete before the browser captures the page.
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return { printing, print: () => window.print() }
}

/** A whole list on paper, with checkboxes. While it is rendered, only it is printed. */
export function PrintedList({
  title,
  note,
  ticked,
  columns,
  rows,
}: {
  title: string
  note: string | null
  /** The meaning of a checked box. */
  ticked: string
  columns: readonly string[]
  rows: readonly { key: string; head: string | null; cells: readonly string[] }[]
}) {
  return createPortal(
    <section className="printed-list" aria-hidden="true">
      <h1>{title}</h1>
      <p>
        {formatNumberOf(rows.length, 'frame')}
        {note && ` · ${note}`}
      </p>
      <table>
        <thead>
          <tr>
            <th>{ticked}</th>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => [
            row.head !== null && (
              <tr key={`${row.key}-head`} className="group">
                <th colSpan={columns.length + 1}>{row.head}</th>
              </tr>
            ),
            <tr key={row.key}>
              <td className="tick">☐</td>
              {row.cells.map((cell, place) => (
                <td key={columns[place]}>{cell}</td>
              ))}
            </tr>,
          ])}
        </tbody>
      </table>
    </section>,
    document.body,
  )
}
