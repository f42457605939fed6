/**
 * What was read, by the very bytes of the question and by what stood in the tables that it reads: tablets that ask again and again
 * whether there is news, and histories that begin alike, are answered without running the query again. What stands in a table is
 * known by a number, which is never given to anything else.
 */
export class KnownAnswers {
  readonly #contents = new Map<string, number>()
  /** Tables that were written to since they were last put back. */
  readonly #written = new Set<string>()
  readonly #effects = new Map<string, Effect>()
  /** Tables that lose rows, too, when a row of this one is deleted. */
  readonly #dependents = new Map<string, string[]>()
  /** Tables that a trigger writes to when this one is written to. */
  readonly #followers = new Map<string, string[]>()
  #lastContent = 0
  #recent = new Map<string, Uint8Array>()
  #older = new Map<string, Uint8Array>()

  /** What stands in a table now. */
  contentOf(table: string): number {
    const known = this.#contents.get(table)
    if (known !== undefined) return known
    const content = this.newContent()
    this.#contents.set(table, content)
    return content
  }

  /** The number of what has stood in no table yet. */
  newContent(): number {
    return ++this.#lastContent
  }

  /** A table holds again what it held when its content had this number. */
  isAgain(table: string, content: number): void {
    this.#contents.set(table, content)
    this.#written.delete(table)
  }

  hasDependents(table: string, dependents: string[]): void {
    this.#dependents.set(table, dependents)
    this.#effects.clear()
  }

  isFollowedBy(table: string, followers: string[]): void {
    this.#followers.set(table, followers)
    this.#effects.clear()
  }

  /** Anything may have changed. */
  forgetAll(): void {
    this.#contents.clear()
    this.#written.clear()
  }

  /** What was written may be undone, now or by this very statement. */
  undo(): void {
    for (const table of this.#written) this.#contents.delete(table)
  }

  /** Notes what a statement may change. */
  note({ kind, writes }: Effect): void {
    if (kind === 'unknown') this.forgetAll()
    else if (kind === 'undo') this.undo()
    for (const table of writes) this.#wasWritten(table)
  }

  answer(statement: string, asked: string, run: () => { answer: Uint8Array; isKept: boolean }): Uint8Array {
    const effect = this.effectOf(statement)
    if (effect.kind !== 'read') {
      this.note(effect)
      return run().answer
    }
    const key = `${effect.reads.map((table) => this.contentOf(table)).join(' ')} ${asked}`
    const known = this.#recent.get(key) ?? this.#older.get(key)
    const { answer, isKept } = known ? { answer: known, isKept: true } : run()
    if (isKept) this.#keep(key, answer)
    return answer
  }

  effectOf(statement: string): Effect {
    const known = this.#effects.get(statement)
    if (known) return known
    const writes = Array.from(statement.matchAll(written), ([, table = '']) => table)
    const effect: Effect = {
      kind: kindOf(statement),
      reads: Array.from(statement.matchAll(/(?:from|join) "?(\w+)/g), ([, table = '']) => table),
      writes: Array.from(statement.matchAll(deleted), ([, table = '']) => this.#dependents.get(table) ?? [])
        .flat()
        .concat(writes)
        .flatMap((table) => [table, ...(this.#followers.get(table) ?? [])]),
    }
    this.#effects.set(statement, effect)
    return effect
  }

  #wasWritten(table: string): void {
    this.#contents.set(table, this.newContent())
    this.#written.add(table)
  }

  /** Those that nobody has asked for in a while are let go. */
  #keep(key: string, answer: Uint8Array): void {
    if (this.#recent.size >= 3000) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, answer)
  }
}

/** `read`: only reads, and is the same as long as what it reads is. `undo`: takes back what was written. `unknown`: does whatever it likes. */
export type Effect = { kind: 'read' | 'plain' | 'undo' | 'unknown'; reads: string[]; writes: string[] }

const plainRead = /^select (?!.*(?:nextval|setval|for update|pg_))/s
const written = /(?:insert into|delete from|(?<!do )update) "?(\w+)/g
const deleted = /delete from "?(\w+)/g
/** Tells by its text what it writes to, or writes nothing. */
const plain = /^\s*(?:select|insert|update|delete|with|begin|start transaction|commit|savepoint|release)\b/

function kindOf(statement: string): Effect['kind'] {
  if (plainRead.test(statement)) return 'read'
  if (plain.test(statement)) return 'plain'
  return /^\s*rollback\b/.test(statement) ? 'undo' : 'unknown'
}
