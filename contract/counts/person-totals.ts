import type { LedgerScan } from '#contract/counts/scan-lists.ts'

export type PersonTotal = { author_id: number; author_name: string; counted: number; last_at: string }

/** How much each person has counted on one sheet, and when each was last at work. */
export class PersonTotals {
  #people = new Map<number, PersonTotal>()

  /** Notes that someone was at work, even if their event does not count. */
  note(event: LedgerScan): void {
    const person = this.#of(event)
    if (event.captured_at < person.last_at) return
    person.last_at = event.captured_at
    person.author_name = event.author_name
  }

  /** Credits a scan to its person, or takes the credit back. */
  credit(scan: LedgerScan, by: 1 | -1): void {
    this.#of(scan).counted += by
  }

  /** Finds someone's last activity again from their remaining events. Needed only after a withdrawal, which is rare. */
  noteAgain(author: number, events: Iterable<LedgerScan>): void {
    const person = this.#people.get(author)
    if (!person) return
    person.last_at = ''
    for (const event of events) if (event.author_id === author) this.note(event)
  }

  countedBy(author: number | undefined): number {
    return author === undefined ? 0 : (this.#people.get(author)?.counted ?? 0)
  }

  /** Returns the people who have counted something (set-aside pieces included), most first. */
  list(): PersonTotal[] {
    return [...this.#people.values()]
      .filter((person) => person.counted > 0)
      .sort((a, b) => b.counted - a.counted || a.author_id - b.author_id)
  }

  #of(event: LedgerScan): PersonTotal {
    const known = this.#people.get(event.author_id)
    if (known) return known
    const person = { author_id: event.author_id, author_name: event.author_name, counted: 0, last_at: event.captured_at }
    this.#people.set(event.author_id, person)
    return person
  }
}
