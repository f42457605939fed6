import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { v7 as uuidv7 } from 'uuid'
import type { Device } from '#src/sync/device/device.ts'
import { sha256 } from '#src/sync/device/browser-environment.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { openDevice } from '#src/sync/device/open-device.ts'
import { FakeLocks } from '#tests/support/fake-locks.ts'

/** Answers a device's calls: a test server, or a function that plays one. */
export type Answering = (path: string, init: RequestInit) => Promise<Response>

/** The device's network, under the test's control. */
export class FakeNetwork {
  online = true
  /** How many answers still get lost on their way back. The server does the work, and the device never learns it. */
  answersToLose = 0
  /** Loses the answer to the next call whose path starts with this. */
  answerToLose: string | null = null
  /** Sits between device and server when set. It returns null to let the call through. */
  between: ((path: string, init: RequestInit) => Response | null | Promise<Response | null>) | null = null
  readonly calls: { path: string; body: string }[] = []
  readonly #answering: Answering

  constructor(answering: Answering) {
    this.#answering = answering
  }

  callsTo(path: string): { path: string; body: string }[] {
    return this.calls.filter((made) => made.path.startsWith(path))
  }

  fetch = async (path: string, init: RequestInit): Promise<Response> => {
    if (!this.online) throw new TypeError('Failed to fetch')
    // As a browser does: a call that is already canceled never leaves.
    init.signal?.throwIfAborted()
    this.calls.push({ path, body: typeof init.body === 'string' ? init.body : '' })
    const given = await this.between?.(path, init)
    if (given) return given
    const hungUp = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true })
    })
    hungUp.catch(() => undefined)
    const answer = await Promise.race([this.#answering(path, init), hungUp])
    if (!this.online) throw new TypeError('Failed to fetch')
    if (this.answerToLose !== null && path.startsWith(this.answerToLose)) {
      this.answerToLose = null
      throw new TypeError('The connection was lost')
    }
    if (this.answersToLose > 0 && init.method === 'POST') {
      this.answersToLose -= 1
      throw new TypeError('The connection was lost')
    }
    return answer
  }
}

/** A tablet's disk, storage and locks, which survive a kill of the browser. */
export class FakeTablet {
  readonly network: FakeNetwork
  readonly indexedDB = new IDBFactory()
  readonly stored = new Map<string, string>()
  readonly locks = new FakeLocks()
  readonly databaseName = `tablet-${uuidv7()}`
  readonly surprises: unknown[] = []
  /** How many times faster than real time the timers and the clock run. */
  readonly haste: number
  readonly signing: Environment['signing']
  readonly #begun = Date.now()
  readonly #start: number
  readonly #open: Device[] = []
  clockErrorMs = 0
  #passed = 0

  constructor(answering: Answering, options: { start?: number; haste?: number; signing?: Environment['signing'] } = {}) {
    this.network = new FakeNetwork(answering)
    this.haste = options.haste ?? 20
    this.signing = options.signing ?? null
    this.#start = options.start ?? Date.parse('2026-11-20T14:00:00.000Z')
  }

  now(): number {
    return Math.round(this.#start + this.#elapsed() + this.clockErrorMs)
  }

  /** Moves the clock ahead without waiting. */
  pass(ms: number): void {
    this.#passed += ms
  }

  #elapsed(): number {
    return (Date.now() - this.#begun) * this.haste + this.#passed
  }

  environment(): Environment {
    return {
      fetch: this.network.fetch,
      origin: '',
      schedule: (ms, work) => {
        const timer = setTimeout(work, ms / this.haste)
        return () => clearTimeout(timer)
      },
      indexedDB: this.indexedDB,
      IDBKeyRange,
      localStorage: {
        getItem: (key) => this.stored.get(key) ?? null,
        setItem: (key, value) => void this.stored.set(key, value),
        removeItem: (key) => void this.stored.delete(key),
      },
      locks: this.locks,
      caches: null,
      openChannel: (name) => {
        const channel = new BroadcastChannel(`${this.databaseName} ${name}`)
        return {
          post: (message) => channel.postMessage(message),
          listen: (listener) => void (channel.onmessage = (event: MessageEvent<unknown>) => listener(event.data)),
          close: () => channel.close(),
        }
      },
      now: () => this.now(),
      monotonic: () => this.#elapsed(),
      random: () => 0.5,
      newId: () => uuidv7(),
      sha256,
      subtle: null,
      signing: this.signing,
      timeZone: () => 'America/New_York',
      // A test's disk is not faster than others, so its patience grows with `haste`.
      diskPatienceMs: 3000 * this.haste,
      report: (error) => void this.surprises.push(error),
      databaseName: this.databaseName,
      page: null,
    }
  }

  /** Starts the app in a new tab. */
  async open(change: Partial<Environment> = {}): Promise<Device> {
    const device = await openDevice({ ...this.environment(), ...change }).ready
    this.#open.push(device)
    return device
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((device) => device.close()))
  }
}

/**
 * Waits for a condition.
 * @throws an error that names the condition when it stays false
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const limit = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`Waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
