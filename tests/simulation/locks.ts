import type { Process } from './process.ts'

type Granted = (lock: Lock | null) => unknown
type Waiting = {
  name: string
  mode: LockMode
  process: Process
  granted: Granted
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Held = Waiting & { lock: Lock }

/** The Web Locks of one device. A lock ends with its process, and a browser may take it from a frozen process. */
export class DeviceLocks {
  #held: Held[] = []
  #waiting: Waiting[] = []

  face(process: Process): LockManager {
    process.onEnd(() => {
      this.#held = this.#held.filter((held) => held.process !== process)
      this.#waiting = this.#waiting.filter((waiting) => waiting.process !== process)
      this.#grant()
    })
    const request = (name: string, second: LockOptions | Granted, third?: Granted): Promise<never> => {
      const options = typeof second === 'function' ? {} : second
      const granted = typeof second === 'function' ? second : third
      if (!granted) throw new TypeError('A lock needs a callback')
      const asked = new Promise<unknown>((resolve, reject) => {
        if (options.signal?.aborted) return reject(options.signal.reason)
        const waiting: Waiting = { name, mode: options.mode ?? 'exclusive', process, granted, resolve, reject }
        if (options.steal) {
          this.#takeAway(this.#held.filter((held) => held.name === name))
          this.#waiting.unshift(waiting)
        } else {
          this.#waiting.push(waiting)
        }
        options.signal?.addEventListener('abort', () => {
          if (!this.#waiting.includes(waiting)) return
          this.#waiting = this.#waiting.filter((other) => other !== waiting)
          reject(options.signal?.reason)
          this.#grant()
        })
        this.#grant()
      })
      return asked as Promise<never>
    }
    return {
      request,
      query: () => process.answered('locks', Promise.resolve({ held: this.#held.map(({ lock }) => lock), pending: [] })),
    }
  }

  holds(process: Process): string[] {
    return this.#held.filter((held) => held.process === process).map(({ name }) => name)
  }

  /** Takes every lock from a process, which continues as if it had them. */
  steal(process: Process): string[] {
    const taken = this.#held.filter((held) => held.process === process)
    this.#takeAway(taken)
    this.#grant()
    return taken.map(({ name }) => name)
  }

  #takeAway(taken: readonly Held[]): void {
    this.#held = this.#held.filter((held) => !taken.includes(held))
    for (const held of taken) {
      held.process.enter('lock stolen', () => held.reject(new DOMException('The lock was taken away', 'AbortError')))
    }
  }

  #grant(): void {
    for (let at = 0; at < this.#waiting.length;) {
      const next = this.#waiting[at]
      if (!next || !this.#isFree(next, at)) {
        at += 1
        continue
      }
      this.#waiting.splice(at, 1)
      const held: Held = { ...next, lock: { name: next.name, mode: next.mode } }
      this.#held.push(held)
      next.process.enter(`lock ${next.name}`, () => this.#run(held))
    }
  }

  #isFree({ name, mode }: Waiting, at: number): boolean {
    const isShared = (other: { mode: LockMode }) => mode === 'shared' && other.mode === 'shared'
    const ofName = (other: { name: string }) => other.name === name
    return this.#held.filter(ofName).every(isShared) && this.#waiting.slice(0, at).filter(ofName).every(isShared)
  }

  #run(held: Held): void {
    void Promise.resolve()
      .then(() => held.granted(held.lock))
      .then(held.resolve, held.reject)
      .finally(() => {
        this.#held = this.#held.filter((other) => other !== held)
        this.#grant()
      })
  }
}
