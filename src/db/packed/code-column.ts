/**
 * One column of codes, sorted, as one text and the offsets into it. A binary search finds whole codes and beginnings. A
 * search of the whole text finds middles and ends, at memory speed. Rows without a code are not in it.
 */
export class CodeColumn {
  /** Every code with a line break before and after it. A normalized code never has a line break. */
  readonly #text: string
  readonly #offsets: Uint32Array
  readonly #rows: Uint32Array

  /** @param codes the normalized code of each row; empty when a row has none */
  constructor(codes: readonly string[]) {
    const rows: number[] = []
    for (let row = 0; row < codes.length; row++) if (codes[row] !== '') rows.push(row)
    rows.sort((a, b) => compareCodes(codes[a]!, codes[b]!) || a - b)
    this.#rows = Uint32Array.from(rows)
    this.#offsets = new Uint32Array(rows.length + 1)
    const sorted: string[] = Array.from({ length: rows.length })
    let offset = 1
    for (let at = 0; at < rows.length; at++) {
      const code = codes[rows[at]!]!
      sorted[at] = code
      this.#offsets[at] = offset
      offset += code.length + 1
    }
    this.#offsets[rows.length] = offset
    this.#text = `\n${sorted.join('\n')}\n`
  }

  rowAt(entry: number): number {
    return this.#rows[entry]!
  }

  codeAt(entry: number): string {
    return this.#text.slice(this.#offsets[entry], this.#offsets[entry + 1]! - 1)
  }

  /** Entries of exactly this code. */
  *exact(code: string): Generator<number> {
    for (let entry = this.#lowerBound(code); entry < this.#rows.length && this.codeAt(entry) === code; entry++) yield entry
  }

  /** The range of entries with this beginning: `from` up to and without `to`. */
  rangeBeginning(start: string): [from: number, to: number] {
    return [this.#lowerBound(start), this.#lowerBound(`${start}\uffff`)]
  }

  /** Entries with this beginning, in the order of the codes. */
  *beginning(start: string): Generator<number> {
    for (let entry = this.#lowerBound(start); entry < this.#rows.length; entry++) {
      if (!this.#text.startsWith(start, this.#offsets[entry])) return
      yield entry
    }
  }

  /** Entries whose code contains this, in the order of the codes. */
  *containing(part: string): Generator<number> {
    yield* this.#searching(part)
  }

  /** Entries with this end, in the order of the codes. */
  *ending(end: string): Generator<number> {
    yield* this.#searching(`${end}\n`)
  }

  *#searching(needle: string): Generator<number> {
    let from = 0
    for (;;) {
      const hit = this.#text.indexOf(needle, from)
      if (hit === -1) return
      const entry = this.#entryAt(hit)
      yield entry
      from = this.#offsets[entry + 1]! - 1
    }
  }

  /** The first entry that is not before `code`. */
  #lowerBound(code: string): number {
    let low = 0
    let high = this.#rows.length
    // Codes are given in series, so most segments only have codes before this one, or only codes after it.
    if (high === 0 || !this.#isBefore(0, code)) return 0
    if (this.#isBefore(high - 1, code)) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBefore(middle, code)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares as `compareCodes` does, without copying the entry's code out of the text. */
  #isBefore(entry: number, code: string): boolean {
    const start = this.#offsets[entry]!
    const length = this.#offsets[entry + 1]! - 1 - start
    const shared = Math.min(length, code.length)
    for (let at = 0; at < shared; at++) {
      const difference = this.#text.charCodeAt(start + at) - code.charCodeAt(at)
      if (difference !== 0) return difference < 0
    }
    return length < code.length
  }

  /** The entry at a position of the text. */
  #entryAt(position: number): number {
    let low = 0
    let high = this.#rows.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#offsets[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Compares by code unit, not by language: the order must be the same on every device. */
export function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
