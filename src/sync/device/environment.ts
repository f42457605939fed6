import type { Wire } from '#src/api/call.ts'

/**
 * Everything of the outside world that the sync code uses. It is a parameter, so that tests and the simulation run the
 * code that ships. They bring their own clock, network, locks, randomness and storage.
 */
export type Environment = Wire & {
  indexedDB: IDBFactory
  IDBKeyRange: typeof IDBKeyRange
  /** Null in a worker, which cannot read it. */
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  /** Null when the browser has no Web Locks: then a lease in IndexedDB replaces them. */
  locks: LockManager | null
  caches: Pick<CacheStorage, 'keys' | 'delete'> | null
  /** Null when there is none: then the storage event carries the news. */
  openChannel: ((name: string) => Channel) | null
  /** The device's wall clock, ms. */
  now: () => number
  /** Milliseconds since the app started; never jumps. */
  monotonic: () => number
  /** At least 0 and below 1. */
  random: () => number
  /** A new UUID, version 7. */
  newId: () => string
  /** SHA-256 of a text's UTF-8, as lower-case hex. */
  sha256: (text: string) => Promise<string>
  /** Null when the page has no cryptography (plain http): then this device keeps nothing of a patient. */
  subtle: SubtleCrypto | null
  /** Makes and uses the keys that sign work; null when the page has no cryptography. */
  signing: Pick<SubtleCrypto, 'generateKey' | 'exportKey' | 'sign'> | null
  timeZone: () => string
  /** The version of the app, for the server. Absent when the app was not built. */
  appVersion?: string
  /** A write without an answer for this long counts as hung, ms. */
  diskPatienceMs: number
  /** Reports an unexpected error of work that nobody awaits. */
  report: (error: unknown) => void
  /** Name of the hot database; tests open several devices in one process. */
  databaseName?: string
  /**
   * Prepares the disk at each start, before the app relies on it; absent when there is nothing to do. Never rejects.
   */
  prepareDisk?: () => Promise<void>
  /** Whether every part of the app is on this device, so that none is out of reach; absent when that is always so. */
  codeIsKept?: () => boolean
  /** The page's own events; null in a worker. */
  page: PageMoments | null
}

export type Channel = {
  post(message: unknown): void
  listen(listener: (message: unknown) => void): void
  close(): void
}

export type PageMoments = {
  visible(): boolean
  /** Calls back on pageshow, on becoming visible and on `online`. Returns a function that stops it. */
  onReturn(listener: () => void): () => void
  /**
   * Calls back when the page goes away. `isKept`: the browser's back/forward cache keeps it frozen, and it reloads when
   * shown again. Returns a function that stops it.
   */
  onLeave(listener: (isKept: boolean) => void): () => void
  onOffline(listener: () => void): () => void
  /** Calls back when another tab changed local storage. */
  onStorage(listener: (key: string | null) => void): () => void
  /** Asks the browser to wake the worker when the network is back. Does nothing when the browser cannot. */
  askForBackgroundSync(): void
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(environment: Pick<Environment, 'schedule'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = environment.schedule(ms, end)
    signal?.addEventListener('abort', end)
  })
}
