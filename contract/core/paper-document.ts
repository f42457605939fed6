/**
 * A document for paper, as blocks of finished text without HTML. A pure function makes it from data. Who draws it knows
 * only these blocks (decision 0093).
 */
export type PaperDocument = readonly PaperBlock[]

export type PaperBlock =
  | { kind: 'heading'; text: string }
  /** A paragraph. It keeps its line breaks. */
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: readonly PaperFact[] }
  | ({ kind: 'table' } & PaperTable)
  /** A typed name, or the strokes of a drawing as x, y, x, y… in a box of 1000 by 300. */
  | { kind: 'signature'; mark: string | readonly (readonly number[])[]; caption: string }

export type PaperFact = readonly [label: string, value: string]

export type PaperTable = {
  columns: readonly PaperColumn[]
  /** The cells of each row. A text alone is the head of the rows after it. */
  rows: readonly (readonly string[] | string)[]
  /** The last rows, which sum up the others. */
  totals?: readonly (readonly string[])[]
}

/** `label` names its row, `amount` is aligned to the right. */
export type PaperColumn = { head: string; as?: 'label' | 'amount' }
