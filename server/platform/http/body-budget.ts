import { Refusal } from '#contract/core/errors.ts'
import type { Database } from '#server/platform/db/database.ts'

type BudgetRules = {
  /** Bytes that all bodies together may have. */
  most: number
  /** Bytes that the bodies of one caller may have, so that one caller never takes everything. */
  mostEach: number
}

/** How soon a caller without room may come back, seconds. The answer adds up to as much again by chance. */
const retryAfterS = 2

/** Bytes of request bodies that are in the server at once. A body takes its bytes before the first of them is read. */
export class BodyBudget {
  #taken = 0
  readonly #takenBy = new Map<string, number>()
  readonly #rules: BudgetRules

  constructor(rules: BudgetRules) {
    this.#rules = rules
  }

  get taken(): number {
    return this.#taken
  }

  /**
   * Sets bytes aside for a body.
   * @param holder who sends it: the session, or the address of someone who is not signed in
   * @returns gives the bytes back; a second call does nothing
   * @throws Refusal request-too-frequent when all bodies, or those of this caller, would have too many
   */
  take(bytes: number, holder: string): () => void {
    const theirs = this.#takenBy.get(holder) ?? 0
    if (this.#taken + bytes > this.#rules.most || theirs + bytes > this.#rules.mostEach) {
      throw new Refusal('request-too-frequent', { retry_after_s: retryAfterS + Math.ceil(Math.random() * retryAfterS) })
    }
    this.#taken += bytes
    this.#takenBy.set(holder, theirs + bytes)
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      this.#taken -= bytes
      const left = (this.#takenBy.get(holder) ?? 0) - bytes
      if (left > 0) this.#takenBy.set(holder, left)
      else this.#takenBy.delete(holder)
    }
  }
}

/**
 * Sign-ins and small calls have bytes of their own, so that large bodies never keep them out. So does what tablets push, beside
 * files. What a body becomes while it is parsed is several times as large, so the server holds a few times these numbers for a moment.
 */
type Budgets = { small: BodyBudget; large: BodyBudget; files: BodyBudget }
const budgets = new WeakMap<Database, Budgets>()
const mebibyte = 1024 * 1024

export function bodyBudgetsOf(db: Database): Budgets {
  const known = budgets.get(db)
  if (known) return known
  const made = {
    small: new BodyBudget({ most: 32 * mebibyte, mostEach: 8 * mebibyte }),
    large: new BodyBudget({ most: 96 * mebibyte, mostEach: 32 * mebibyte }),
    files: new BodyBudget({ most: 128 * mebibyte, mostEach: 80 * mebibyte }),
  }
  budgets.set(db, made)
  return made
}
