/** Lets many work together, or one alone. */
export class Turns {
  #working = new Set<Promise<unknown>>()
  #alone: Promise<unknown> = Promise.resolve()

  async together<T>(work: () => Promise<T>): Promise<T> {
    await this.#alone
    const running = work()
    const ended = running.catch(() => undefined).finally(() => this.#working.delete(ended))
    this.#working.add(ended)
    return await running
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#alone.then(async () => {
      await Promise.all(this.#working)
      return await work()
    })
    this.#alone = running.catch(() => undefined)
    return await running
  }
}

/** A bell that others wait for. Its ring can wait until they have finished. */
export class Bell {
  #waiting = new Set<(release: () => void) => void>()

  /**
   * @param ms the wait, after which the promise resolves anyway
   * @returns a function that ends the wait of `ring`
   */
  next(ms: number): Promise<() => void> {
    return new Promise((resolve) => {
      const heard = (release: () => void) => {
        clearTimeout(patience)
        resolve(release)
      }
      const patience = setTimeout(() => {
        this.#waiting.delete(heard)
        resolve(() => undefined)
      }, ms)
      this.#waiting.add(heard)
    })
  }

  /** Resolves when everyone who waited has released it. */
  async ring(): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    await Promise.all(waiting.map((heard) => new Promise<void>((release) => heard(release))))
  }
}
