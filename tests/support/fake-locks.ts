type Granted = (lock: Lock | null) => unknown
type Held = { lock: Lock; reject: (error: unknown) => void }
type Waiter = { mode: LockMode; granted: Granted; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/** The Web Locks of one device, which all its tabs and its worker share. */
export class FakeLocks implements LockManager {
  readonly #held = new Map<string, Held[]>()
  readonly #waiting = new Map<string, Waiter[]>()

  request(name: string, second: LockOptions | Granted, third?: Granted): Promise<never> {
    const options = typeof second === 'function' ? {} : second
    const granted = typeof second === 'function' ? second : third
    if (!granted) throw new TypeError('A lock needs a callback')
    const asked = new Promise<unknown>((resolve, reject) => {
      const waiter = { mode: options.mode ?? 'exclusive', granted, resolve, reject }
      if (options.signal?.aborted) return reject(options.signal.reason)
      if (options.steal) {
        for (const held of this.#held.get(name) ?? []) held.reject(new DOMException('The lock was taken away', 'AbortError'))
        this.#held.delete(name)
      }
      const others = this.#waiting.get(name) ?? []
      this.#waiting.set(name, options.steal ? [waiter, ...others] : [...others, waiter])
      options.signal?.addEventListener('abort', () => {
        const queue = this.#waiting.get(name) ?? []
        if (!queue.includes(waiter)) return
        this.#waiting.set(
          name,
          queue.filter((other) => other !== waiter),
        )
        reject(options.signal?.reason)
      })
      this.#next(name)
    })
    return asked as Promise<never>
  }

  query(): Promise<LockManagerSnapshot> {
    return Promise.resolve({ held: [...this.#held.values()].flat().map(({ lock }) => lock), pending: [] })
  }

  #next(name: string) {
    const held = this.#held.get(name) ?? []
    const [waiter, ...rest] = this.#waiting.get(name) ?? []
    if (!waiter) return
    const isFree = held.length === 0 || (waiter.mode === 'shared' && held.every(({ lock }) => lock.mode === 'shared'))
    if (!isFree) return
    this.#waiting.set(name, rest)
    const lock: Lock = { name, mode: waiter.mode }
    this.#held.set(name, [...held, { lock, reject: waiter.reject }])
    Promise.resolve()
      .then(() => waiter.granted(lock))
      .then(waiter.resolve, waiter.reject)
      .finally(() => {
        this.#held.set(
          name,
          (this.#held.get(name) ?? []).filter((other) => other.lock !== lock),
        )
        this.#next(name)
      })
    this.#next(name)
  }
}
