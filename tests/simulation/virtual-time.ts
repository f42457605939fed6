import { createHmac } from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { dice } from './dice.ts'

/**
 * One clock for everything in the process. Timers wait in a queue by time, then by order of planning. Immediate work
 * (setImmediate, message ports) waits in line. All work of a moment runs before time moves on, in an order that depends
 * only on the code.
 */

type Planned = { at: number; seq: number; work: () => void; cancelled: boolean }
type Gate = { settled: Promise<unknown>; open: () => void }

const realImmediate = globalThis.setImmediate
const realTimeout = globalThis.setTimeout

/** So many steps at one moment are a loop that would drain a tablet's battery. */
const busyLimit = 400_000

export class Livelock extends Error {}

export class VirtualTime {
  #now = 0
  #seq = 0
  #heap: Planned[] = []
  #line: (() => void)[] = []
  #gates: Gate[] = []
  #busy = 0

  now(): number {
    return this.#now
  }

  /** Forgets all planned work and starts over. */
  reset(now = 0): void {
    this.#now = now
    this.#seq = 0
    this.#heap = []
    this.#line = []
    this.#gates = []
    this.#busy = 0
  }

  schedule(ms: number, work: () => void): () => void {
    const planned: Planned = { at: this.#now + Math.max(0, ms), seq: this.#seq++, work, cancelled: false }
    push(this.#heap, planned)
    return () => {
      planned.cancelled = true
    }
  }

  soon(work: () => void): void {
    this.#line.push(work)
  }

  /**
   * Holds the result of another thread (cryptography), which ends at a random moment. Results come in the order of
   * their calls, and only when there is nothing else to do.
   */
  gate<T>(real: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let open = () => {}
      const settled = real.then(
        (value) => void (open = () => resolve(value)),
        (error: unknown) => void (open = () => reject(error instanceof Error ? error : new Error(String(error)))),
      )
      this.#gates.push({ settled, open: () => open() })
    })
  }

  /**
   * Runs all work of this moment.
   * @throws Livelock
   */
  async runDry(): Promise<void> {
    for (;;) {
      await realTurn()
      const next = this.#line.shift()
      if (next) {
        this.#busy += 1
        if (this.#busy > busyLimit) throw new Livelock(`${busyLimit} steps without time moving on`)
        next()
        continue
      }
      const gate = this.#gates.shift()
      if (!gate) return
      await gate.settled
      gate.open()
    }
  }

  /** Moves on by `ms` and runs all work until then. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await this.runDry()
      const next = this.#next(end)
      if (!next) break
      next.work()
    }
    this.#now = end
    this.#busy = 0
  }

  /** Moves on until the promise has settled. Used for the simulation's own waits. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    let isDone = false
    promise.finally(() => (isDone = true)).catch(() => undefined)
    for (let idle = 0; !isDone && idle < 2000;) {
      await this.runDry()
      if (isDone) break
      const next = this.#next(Infinity)
      if (next) {
        next.work()
        idle = 0
      } else {
        idle += 1
        await new Promise((resolve) => realTimeout(resolve, 1))
      }
    }
    if (!isDone) throw new Error('The simulation waits for something that never ends')
    return await promise
  }

  #next(end: number): Planned | null {
    for (;;) {
      const next = this.#heap[0]
      if (!next || next.at > end) return null
      pop(this.#heap)
      if (next.cancelled) continue
      if (next.at > this.#now) this.#busy = 0
      this.#now = Math.max(this.#now, next.at)
      return next
    }
  }
}

function realTurn(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}

function isBefore(a: Planned, b: Planned): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq)
}

function push(heap: Planned[], item: Planned): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (!above || isBefore(above, item)) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function pop(heap: Planned[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    const left = heap[child]
    if (!left) break
    const right = heap[child + 1]
    if (right && isBefore(right, left)) child += 1
    const least = heap[child]
    if (!least || !isBefore(least, last)) break
    heap[at] = least
    at = child
  }
  heap[at] = last
}

export const time = new VirtualTime()

let random = dice(0, 'process')

/** Restarts the random numbers for the next history. */
export function seedChance(seed: number): void {
  random = dice(seed, 'process')
}

const start = Date.parse('2026-11-20T14:00:00.000Z')
export const wallStart = start

class Timer {
  cancel: () => void
  constructor(cancel: () => void) {
    this.cancel = cancel
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

/** A message between the ends of a channel takes no time. */
class VirtualPort {
  other: VirtualPort | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  postMessage(data: unknown): void {
    time.soon(() => this.other?.onmessage?.({ data }))
  }
  close(): void {
    this.onmessage = null
  }
}

class VirtualMessageChannel {
  port1 = new VirtualPort()
  port2 = new VirtualPort()
  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}

const broadcasting = new Map<string, Set<VirtualBroadcastChannel>>()

/** For the mirror of frames, which all tabs of a device share. */
class VirtualBroadcastChannel {
  onmessage: ((event: { data: unknown }) => void) | null = null
  readonly name: string
  readonly #listeners = new Set<(event: { data: unknown }) => void>()
  constructor(name: string) {
    this.name = name
    const members = broadcasting.get(name) ?? new Set()
    broadcasting.set(name, members.add(this))
  }
  postMessage(data: unknown): void {
    for (const member of broadcasting.get(this.name) ?? []) if (member !== this) time.soon(() => member.#hear(data))
  }
  #hear(data: unknown): void {
    if (!broadcasting.get(this.name)?.has(this)) return
    this.onmessage?.({ data })
    for (const listener of this.#listeners) listener({ data })
  }
  addEventListener(_: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.delete(listener)
  }
  close(): void {
    broadcasting.get(this.name)?.delete(this)
  }
  unref(): void {}
}

export function forgetBroadcasts(): void {
  broadcasting.clear()
}

const hmacKeys = new WeakMap<object, Uint8Array>()

/** Signs and checks tokens at once in this thread, because every request needs it. Returns null for other calls. */
function quickHmac(name: string, [first, second, third, fourth]: unknown[]): Promise<unknown> | null {
  if (name === 'importKey' && first === 'raw' && isHmac(third) && second instanceof Uint8Array) {
    const key = Object.create(CryptoKey.prototype, {
      type: { value: 'secret' },
      extractable: { value: false },
      algorithm: { value: { name: 'HMAC', hash: { name: 'SHA-256' }, length: second.length * 8 } },
      usages: { value: ['sign', 'verify'] },
    }) as object
    hmacKeys.set(key, second)
    return Promise.resolve(key)
  }
  const bytes = typeof second === 'object' && second !== null ? hmacKeys.get(second) : undefined
  if (!bytes) return null
  const signed = (data: unknown) =>
    createHmac('sha256', bytes)
      .update(data as Uint8Array)
      .digest()
  if (name === 'sign') return Promise.resolve(Uint8Array.from(signed(third)).buffer)
  return name === 'verify' ? Promise.resolve(signed(fourth).equals(third as Uint8Array)) : null
}

/** Derives a key from a password in one round. The usual slowness is on purpose, and not under test here. */
function cheapened(name: string, [how, ...rest]: unknown[]): unknown[] {
  const isSlow = name === 'deriveKey' && typeof how === 'object' && how !== null && 'iterations' in how
  return [isSlow ? { ...how, iterations: 1 } : how, ...rest]
}

function isHmac(algorithm: unknown): boolean {
  return typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm && algorithm.name === 'HMAC'
}

/** From here on the process has only the simulation's time and random numbers. */
export function takeOverTime(): void {
  // Errors are normal here, and nobody reads their stack traces.
  Error.stackTraceLimit = 0
  const later = (ms: unknown, work: () => void) => new Timer(time.schedule(typeof ms === 'number' && ms >= 1 ? ms : 1, work))
  const setTimeoutHere = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => later(ms, () => work(...args))
  const setIntervalHere = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const again = () =>
      time.schedule(typeof ms === 'number' && ms >= 1 ? ms : 1, () => {
        timer.cancel = again()
        work(...args)
      })
    const timer = new Timer(again())
    return timer
  }
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.cancel()
  }
  const setImmediateHere = (work: (...args: unknown[]) => void, ...args: unknown[]) => {
    let isCancelled = false
    const run = () => {
      if (!isCancelled) work(...args)
    }
    // The fake database polls until others have closed it. That is waiting, so it takes time.
    if (work.name === 'waitForOthersClosed') return new Timer(time.schedule(20, run))
    time.soon(run)
    return new Timer(() => void (isCancelled = true))
  }
  const replace = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true })
  replace('setTimeout', setTimeoutHere)
  replace('clearTimeout', clear)
  replace('setInterval', setIntervalHere)
  replace('clearInterval', clear)
  replace('setImmediate', setImmediateHere)
  replace('clearImmediate', clear)
  replace('MessageChannel', VirtualMessageChannel)
  replace('BroadcastChannel', VirtualBroadcastChannel)
  replace('navigator', { userAgent: 'simulation' })
  Date.now = () => Math.floor(start + time.now())
  Object.defineProperty(performance, 'now', { value: () => time.now(), configurable: true })
  Math.random = () => random.next()
  // Node holds these weakly, so an abort could depend on the garbage collection.
  AbortSignal.any = (signals) => {
    const either = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) either.abort(signal.reason)
      else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true })
    }
    return either.signal
  }

  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = random.below(256)
    return view
  }
  const uuid = () => {
    const bytes = fill(new Uint8Array(16))
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    return Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const crypto: Record<string, unknown> = createRequire(import.meta.url)('node:crypto')
  crypto['randomUUID'] = uuid
  crypto['randomBytes'] = (size: number) => Buffer.from(fill(new Uint8Array(size)))
  crypto['randomFillSync'] = fill
  crypto['randomInt'] = (low: number, high?: number) => (high === undefined ? random.below(low) : low + random.below(high - low))
  syncBuiltinESMExports()
  const webCrypto = Object.getPrototypeOf(globalThis.crypto) as Record<string, unknown>
  webCrypto['getRandomValues'] = fill
  webCrypto['randomUUID'] = uuid
  const subtle = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of [
    'digest',
    'sign',
    'verify',
    'importKey',
    'exportKey',
    'generateKey',
    'deriveBits',
    'deriveKey',
    'encrypt',
    'decrypt',
    'wrapKey',
    'unwrapKey',
  ]) {
    const original = subtle[name]
    if (!original) continue
    subtle[name] = function gated(this: unknown, ...args: unknown[]) {
      return quickHmac(name, args) ?? time.gate(original.apply(this, cheapened(name, args)))
    }
  }
}
