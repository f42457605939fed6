/**
 * A list that is always in order. Finding a place costs a handful of comparisons, so a count sheet of 10,000 lines
 * can be kept in order at 10 scans a second without ever being sorted again.
 *
 * Screens read it by place (`at`), never as a copy.
 */
export class SortedList<T> {
  readonly #rows: T[] = []
  readonly #compare: (a: T, b: T) => number

  /** @param compare a total order: 0 only for the same entry */
  constructor(compare: (a: T, b: T) => number, rows: Iterable<T> = []) {
    this.#compare = compare
    this.#rows.push(...[...rows].sort(compare))
  }

  get length(): number {
    return this.#rows.length
  }

  at(place: number): T | undefined {
    return this.#rows[place]
  }

  /** Where the entry stands, or where it would stand. */
  placeOf(row: T): { place: number; found: boolean } {
    let low = 0
    let high = this.#rows.length
    // Most entries are the newest: looking at the end first makes them free.
    const last = this.#rows[high - 1]
    if (last !== undefined && this.#compare(last, row) < 0) return { place: high, found: false }
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.#rows[middle]
      if (entry !== undefined && this.#compare(entry, row) < 0) low = middle + 1
      else high = middle
    }
    const entry = this.#rows[low]
    return { place: low, found: entry !== undefined && this.#compare(entry, row) === 0 }
  }

  /** Puts the entry in its place; one that compares equal is replaced. */
  put(row: T): void {
    const { place, found } = this.placeOf(row)
    if (found) this.#rows[place] = row
    else if (place === this.#rows.length) this.#rows.push(row)
    else this.#rows.splice(place, 0, row)
  }

  delete(row: T): boolean {
    const { place, found } = this.placeOf(row)
    if (found) this.#rows.splice(place, 1)
    return found
  }

  toArray(): T[] {
    return [...this.#rows]
  }

  /** A copy in the opposite order. */
  toReversed(): T[] {
    return this.#rows.toReversed()
  }
}
