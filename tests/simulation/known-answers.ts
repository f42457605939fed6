/**
 * Caches the answers of queries, by the bytes of the query and the contents of its tables. Tablets ask again and again
 * for news, and histories start alike, so the cache saves most queries. A number names the contents of a table, and no
 * other contents ever get it.
 */
export class KnownAnswers {
  readonly #contents = new Map<string, number>()
  /** Tables with writes since they were last restored. */
  readonly #written = new Set<string>()
  readonly #effects = new Map<string, Effect>()
  /** The tables that also lose rows when a row of this one is deleted. */
  readonly #dependents = new Map<string, string[]>()
  /** The tables that a trigger writes to when this one is written. */
  readonly #followers = new Map<string, string[]>()
  #lastContent = 0
  #recent = new Map<string, Uint8Array>()
  #older = new Map<string, Uint8Array>()

  /** Returns the number of a table's current contents. */
  contentOf(table: string): number {
    const known = this.#contents.get(table)
    if (known !== undefined) return known
    const content = this.newContent()
    this.#contents.set(table, content)
    return content
  }

  /** Returns a number for new contents. */
  newContent(): number {
    return ++this.#lastContent
  }

  /** The table has the contents of this number again. */
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

  /** Forgets everything, because any table may have changed. */
  forgetAll(): void {
    this.#contents.clear()
    this.#written.clear()
  }

  /** Forgets written tables, because this statement may undo the writes. */
  undo(): void {
    for (const table of this.#written) this.#contents.delete(table)
  }

  /** Notes the possible changes of a statement. */
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

  /** Drops answers that nobody has asked for in a while. */
  #keep(key: string, answer: Uint8Array): void {
    if (this.#recent.size >= 3000) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, answer)
  }
}

/**
 * `read`: only reads, and gives the same answer while its tables are unchanged. `undo`: takes writes back. `unknown`:
 * may do anything.
 */
export type Effect = { kind: 'read' | 'plain' | 'undo' | 'unknown'; reads: string[]; writes: string[] }

const plainRead = /^select (?!.*(?:nextval|setval|for update|pg_))/s
const written = /(?:insert into|delete from|(?<!do )update) "?(\w+)/g
const deleted = /delete from "?(\w+)/g
/** Statements that write nothing, or name the written table in their text. */
const plain = /^\s*(?:select|insert|update|delete|with|begin|start transaction|commit|savepoint|release)\b/

function kindOf(statement: string): Effect['kind'] {
  if (plainRead.test(statement)) return 'read'
  if (plain.test(statement)) return 'plain'
  return /^\s*rollback\b/.test(statement) ? 'undo' : 'unknown'
}
