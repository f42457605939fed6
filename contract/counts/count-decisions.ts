import type { CountDecision, ExceptionDecision } from '#contract/counts/count-sheets.ts'

/** The decisions on the exceptions of one sheet: the server's, covered by the unsent ones of this device. */
export class CountDecisions {
  /** The server's decisions, by the key of the exception. */
  #settled = new Map<string, CountDecision>()
  /** Decisions saved here and not confirmed, by the key of the exception and then by the command. */
  #pending = new Map<string, Map<string, CountDecision>>()
  #keyOfCommand = new Map<string, string>()

  /** Adds the server's decision. Of two for the same exception the one with the higher revision wins. */
  add(decision: CountDecision): void {
    const known = this.#settled.get(decision.key)
    if (known && known.revision > decision.revision) return
    this.#settled.set(decision.key, decision)
  }

  /** Adds a decision that is saved here and that the server has not confirmed. `id` is its command. */
  addPending(id: string, decision: CountDecision): void {
    this.removePending(id)
    const waiting = this.#pending.get(decision.key) ?? new Map<string, CountDecision>()
    waiting.set(id, decision)
    this.#pending.set(decision.key, waiting)
    this.#keyOfCommand.set(id, decision.key)
  }

  /** Removes the decision of a command that was confirmed or discarded. */
  removePending(id: string): void {
    const key = this.#keyOfCommand.get(id)
    if (key === undefined) return
    this.#keyOfCommand.delete(id)
    const waiting = this.#pending.get(key)
    waiting?.delete(id)
    if (waiting?.size === 0) this.#pending.delete(key)
  }

  /** Returns the decision in force on an exception, with its author and reason; null when nobody has decided. */
  rowOn(key: string): CountDecision | null {
    let latest: { id: string; row: CountDecision } | null = null
    for (const [id, row] of this.#pending.get(key) ?? []) if (!latest || isLater({ id, row }, latest)) latest = { id, row }
    return latest?.row ?? this.#settled.get(key) ?? null
  }

  on(key: string): ExceptionDecision {
    return this.rowOn(key)?.decision ?? 'undecided'
  }
}

type Waiting = { id: string; row: CountDecision }

/** The id orders decisions of the same millisecond, the same way everywhere. */
function isLater(a: Waiting, b: Waiting): boolean {
  return a.row.decided_at === b.row.decided_at ? a.id > b.id : a.row.decided_at > b.row.decided_at
}
