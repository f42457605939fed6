import { CodeColumn, compareCodes } from '#src/db/packed/code-column.ts'

/**
 * Which rows have which words. A few hundred names are shared by thousands: each word is sorted and kept once, with its rows beside it,
 * which takes a seventh of sorting the words of all rows.
 */
export class WordIndex {
  readonly #words: CodeColumn
  readonly #rows: Uint32Array
  /** Where the rows of each word begin among all, and where the last one's end. */
  readonly #starts: Uint32Array

  /** @param texts of each row, its words with one blank between them */
  constructor(texts: readonly string[]) {
    const rowsOfWord = new Map<string, number[]>()
    for (const [row, text] of texts.entries()) {
      for (const word of text.split(' ')) {
        const rows = rowsOfWord.get(word)
        if (rows) rows.push(row)
        else rowsOfWord.set(word, [row])
      }
    }
    // A text without words is split into an empty one.
    rowsOfWord.delete('')
    const sorted = [...rowsOfWord].sort(([a], [b]) => compareCodes(a, b))
    this.#words = new CodeColumn(sorted.map(([word]) => word))
    this.#rows = Uint32Array.from(sorted.flatMap(([, rows]) => rows))
    this.#starts = new Uint32Array(sorted.length + 1)
    for (const [at, [, rows]] of sorted.entries()) this.#starts[at + 1] = this.#starts[at]! + rows.length
  }

  /** The rows with a word that begins so; one with two such words is there twice. */
  rowsBeginning(start: string): Uint32Array {
    const [from, to] = this.#words.rangeBeginning(start)
    return this.#rows.subarray(this.#starts[from], this.#starts[to])
  }
}
