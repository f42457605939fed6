/**
 * A tab or a worker as the operating system sees it. It can die or freeze whenever the outside world calls it. All such
 * calls go through `enter`.
 */
export class Process {
  readonly name: string
  state: 'alive' | 'frozen' | 'dead' = 'alive'
  /** After this many calls, the next call kills it. */
  crashAfter: number | null = null
  /** After this many calls, the next call freezes it. */
  freezeAfter: number | null = null
  onKilled: (where: string) => void = () => {}
  readonly #held: (() => void)[] = []
  readonly #ends: (() => void)[] = []
  readonly #thaws: (() => void)[] = []

  constructor(name: string) {
    this.name = name
  }

  enter(where: string, work: () => void): void {
    if (this.state === 'dead') return
    if (this.state === 'frozen') {
      this.#held.push(() => this.enter(where, work))
      return
    }
    if (this.isStruck(where)) return
    if (this.freezeAfter !== null && this.freezeAfter-- <= 0) {
      this.freezeAfter = null
      this.freeze()
      this.#held.push(() => this.enter(where, work))
      return
    }
    work()
  }

  /** Returns true when the process is dead, or dies at this point. */
  isStruck(where: string): boolean {
    if (this.state === 'dead') return true
    if (this.crashAfter === null || this.crashAfter-- > 0) return false
    this.kill(where)
    return true
  }

  /** Passes an answer to this process only while it lives. */
  answered<T>(where: string, outside: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      outside.then(
        (value) => this.enter(where, () => resolve(value)),
        (error: unknown) => this.enter(where, () => reject(error instanceof Error ? error : new Error(String(error)))),
      )
    })
  }

  freeze(): void {
    if (this.state === 'alive') this.state = 'frozen'
  }

  thaw(): void {
    if (this.state !== 'frozen') return
    this.state = 'alive'
    for (const work of this.#thaws.splice(0)) work()
    for (const work of this.#held.splice(0)) work()
  }

  kill(where: string): void {
    if (this.state === 'dead') return
    this.state = 'dead'
    for (const end of this.#ends.splice(0)) end()
    this.onKilled(where)
  }

  onEnd(work: () => void): void {
    this.#ends.push(work)
  }

  whenThawed(work: () => void): void {
    this.#thaws.push(work)
  }
}
