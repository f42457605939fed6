import { Refusal } from '#contract/core/errors.ts'
import type { Database } from '#server/platform/db/database.ts'

type TurnRules = {
  /** How many run at once. */
  places: number
  /** How many may wait. Further callers have to come back later. */
  mostWaiting?: number
  /** While callers wait in these turns, only one at a time runs here. */
  yieldsTo?: Turns
}
type Waiting = { signal: AbortSignal; enter(): void; refuse(): void }

const longestRetryS = 60

/** Runs so much work at once; the rest waits in order of arrival. */
export class Turns {
  #inside = 0
  /** Average time of recent work, ms. */
  #usualMs = 50
  readonly #waiting: Waiting[] = []
  readonly #rules: TurnRules

  constructor(rules: TurnRules) {
    this.#rules = rules
  }

  /** @throws `request-too-frequent` when the queue is full, so one more caller should come back later. */
  assertRoom(): void {
    if (this.#waiting.length >= (this.#rules.mostWaiting ?? Infinity)) throw this.#comeBack()
  }

  /**
   * Does the work when its turn has come. Throws `request-too-frequent` when there is no room, or when the caller has
   * gone meanwhile.
   * @param hasBegun true when part of the answer is on its way: it waits, no matter how long the queue is
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>, hasBegun = false): Promise<T> {
    if (this.#inside < this.#places()) this.#inside += 1
    else {
      if (!hasBegun) this.assertRoom()
      await new Promise<void>((enter, reject) => this.#waiting.push({ signal, enter, refuse: () => reject(this.#comeBack()) }))
    }
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.#usualMs += (performance.now() - began - this.#usualMs) / 10
      this.#inside -= 1
      this.#letIn()
    }
  }

  #places(): number {
    const { places, yieldsTo } = this.#rules
    return yieldsTo && yieldsTo.#waiting.length > 0 ? 1 : places
  }

  #letIn(): void {
    while (this.#inside < this.#places()) {
      const next = this.#waiting.shift()
      if (!next) return
      if (next.signal.aborted) next.refuse()
      else {
        this.#inside += 1
        next.enter()
      }
    }
  }

  /**
   * Asks the caller to come back after the queue's expected time, or up to twice that, so that callers sent away
   * together do not return together.
   */
  #comeBack(): Refusal {
    const seconds = (this.#waiting.length * this.#usualMs) / this.#rules.places / 1000
    return new Refusal('request-too-frequent', {
      retry_after_s: Math.min(longestRetryS, 2 + Math.ceil(seconds * (1 + Math.random()))),
    })
  }
}

const mostOpenExports = 20
const mostOpenExportsEach = 4

/**
 * Open downloads. Each holds a part of its file for as long as its reader takes. They are counted beside the turns,
 * because a slow reader holds no turn between parts.
 */
class OpenExports {
  #open = 0
  readonly #byHolder = new Map<string, number>()

  /**
   * @param holder the session that downloads
   * @returns a function to call when the download has ended, in any way; a second call does nothing
   * @throws Refusal request-too-frequent when too many are open
   */
  begin(holder: string): () => void {
    const theirs = this.#byHolder.get(holder) ?? 0
    if (this.#open >= mostOpenExports || theirs >= mostOpenExportsEach) {
      throw new Refusal('request-too-frequent', { retry_after_s: 5 + Math.ceil(Math.random() * 5) })
    }
    this.#open += 1
    this.#byHolder.set(holder, theirs + 1)
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.#open -= 1
      const left = (this.#byHolder.get(holder) ?? 0) - 1
      if (left > 0) this.#byHolder.set(holder, left)
      else this.#byHolder.delete(holder)
    }
  }
}

/**
 * After an outage all tablets come at once, each with a day's work. Heavy work takes turns. So it never holds all
 * connections to the database, nobody waits for one until it is an error, and memory does not grow with the number of
 * tablets. Saving people's work comes before showing them data: pages of a pull make way for pushes.
 */
type HeavyTurns = { largeBodies: Turns; pages: Turns; files: Turns; exports: Turns; openExports: OpenExports }
const turns = new WeakMap<Database, HeavyTurns>()

export function turnsOf(db: Database): HeavyTurns {
  const known = turns.get(db)
  if (known) return known
  // Even a slow machine serves the whole queue within the minute that the app waits. Later answers would be wasted.
  const largeBodies = new Turns({ places: 4, mostWaiting: 40 })
  const pages = new Turns({ places: 4, mostWaiting: 100, yieldsTo: largeBodies })
  const made = {
    largeBodies,
    pages,
    files: new Turns({ places: 6, mostWaiting: 60 }),
    // Nobody in a shop waits for a list of thousands of rows, so exports leave the machine to people who wait.
    exports: new Turns({ places: 2, mostWaiting: 20, yieldsTo: pages }),
    openExports: new OpenExports(),
  }
  turns.set(db, made)
  return made
}
