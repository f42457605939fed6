/** Lines of text in order. The search runs over one text, at memory speed. */
export class TextLines {
  readonly #text: string
  /** The start of each line. */
  readonly #starts: Uint32Array

  /** @param lines lines without a line break */
  constructor(lines: readonly string[]) {
    this.#text = `${lines.join('\n')}\n`
    this.#starts = new Uint32Array(lines.length + 1)
    for (const [at, line] of lines.entries()) this.#starts[at + 1] = this.#starts[at]! + line.length + 1
  }

  /** The numbers of the lines that contain this, in order. */
  *containing(part: string): Generator<number> {
    let from = 0
    for (;;) {
      const hit = this.#text.indexOf(part, from)
      if (hit === -1) return
      const line = this.#lineAt(hit)
      yield line
      from = this.#starts[line + 1]!
    }
  }

  #lineAt(position: number): number {
    let low = 0
    let high = this.#starts.length - 2
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#starts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}
