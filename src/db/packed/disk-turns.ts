/** The browser has it; `kept` resolves when the disk has it too. */
export type Given = { kept: Promise<void> }

/** Lets the users of a mirror's disk work one after another, so that each finds memory as the one before left it. */
export class DiskTurns {
  readonly #readRows: () => Promise<void>
  #queue: Promise<unknown> = Promise.resolve()
  /** The last part of a pull. It rejects when the disk refuses the part. */
  #part: Promise<void> = Promise.resolve()

  /** @param readRows resolves when the rows are in memory; every turn waits for it */
  constructor(readRows: () => Promise<void>) {
    this.#readRows = readRows
  }

  /** Work that starts when the last part is kept or failed. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const part = this.#part
    return this.#next(async () => {
      await part.catch(() => undefined)
      return await work()
    })
  }

  /** Work that starts when the last part is kept, and fails with it. */
  afterPart<T>(work: () => Promise<T>): Promise<T> {
    const part = this.#part
    return this.#next(async () => {
      await part
      return await work()
    })
  }

  /**
   * The next part of a pull. Its turn is over when the browser has it, so the following part may be packed meanwhile.
   *
   * @param give gets the part before, which may still be on its way to the disk
   * @returns resolves when the disk has the part
   */
  part(give: (before: Promise<void>) => Promise<Given>): Promise<void> {
    const before = this.#part
    const given = this.#next(() => give(before))
    this.#part = given.then(({ kept }) => kept)
    this.#part.catch(() => undefined)
    return this.#part
  }

  /** Resolves when the last part is kept or failed. */
  partEnded(): Promise<void> {
    return this.#part.catch(() => undefined)
  }

  /** Later parts no longer depend on the last one. */
  forgetPart(): void {
    this.#part = Promise.resolve()
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      await this.#readRows()
      return work()
    })
    this.#queue = turn.catch(() => undefined)
    return turn
  }
}
