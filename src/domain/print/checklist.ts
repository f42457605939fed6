import type { PaperColumn, PaperDocument } from '#contract/core/paper-document.ts'
import { formatNumberOf } from '#src/ui/format.ts'

type Checklist = {
  title: string
  note: string | null
  /** The meaning of a checked box. */
  ticked: string
  columns: readonly PaperColumn[]
  rows: readonly { head: string | null; cells: readonly string[] }[]
}

/** Returns a list of frames for paper, with a box to check for each. */
export function checklist({ title, note, ticked, columns, rows }: Checklist): PaperDocument {
  return [
    { kind: 'heading', text: title },
    { kind: 'text', text: [formatNumberOf(rows.length, 'frame'), note].filter(Boolean).join(' · ') },
    {
      kind: 'table',
      columns: [{ head: ticked }, ...columns],
      rows: rows.flatMap(({ head, cells }) => [...(head === null ? [] : [head]), ['☐', ...cells]]),
    },
  ]
}
