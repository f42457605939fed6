import type { Wire } from '#src/api/call.ts'

/**
 * Everything of the outside world that the sync code touches. It is a parameter, so that tests and the simulation drive
 * the very code that ships, with their own clock, network, locks, randomness and storage.
 */
export type Environment = Wire & {
  indexedDB: IDBFactory
  IDBKeyRange: typeof IDBKeyRange
  /** Null in a worker, which cannot see it. */
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  /** Null where the browser has no Web Locks: a lease in IndexedDB stands in. */
  locks: LockManager | null
  caches: Pick<CacheStorage, 'keys' | 'delete'> | null
  /** Null where there is none; the storage event then carries the news. */
  openChannel: ((name: string) => Channel) | null
  /** The device's wall clock, ms. */
  now: () => number
  /** Milliseconds since the app started; never jumps. */
  monotonic: () => number
  /** 0 up to 1. */
  random: () => number
  /** A new UUID, version 7. */
  newId: () => string
  /** SHA-256 of a text's UTF-8, as lower-case hex. */
  sha256: (text: string) => Promise<string>
  /** Null where the page has no cryptography (plain http): then nothing of a patient is kept on this device. */
  subtle: SubtleCrypto | null
  /** What makes and uses the keys that work is signed with; null where the page has no cryptography. */
  signing: Pick<SubtleCrypto, 'generateKey' | 'exportKey' | 'sign'> | null
  timeZone: () => string
  /** The version of the app that the server is told; not said where the app was not built. */
  appVersion?: string
  /** A write that has had no answer for so long counts as hung, ms. */
  diskPatienceMs: number
  /** A surprise that nobody awaits. */
  report: (error: unknown) => void
  /** Name of the hot database; tests open several devices in one process. */
  databaseName?: string
  /** What the disk needs at each start before it is relied upon; absent where there is nothing to do. Never rejects. */
  prepareDisk?: () => Promise<void>
  /** Whether every part of the app is on this device, so that none is out of reach; absent where that is always so. */
  codeIsKept?: () => boolean
  /** The page's own moments; null in a worker. */
  page: PageMoments | null
}

export type Channel = {
  post(message: unknown): void
  listen(listener: (message: unknown) => void): void
  close(): void
}

export type PageMoments = {
  visible(): boolean
  /** Calls back on pageshow, on becoming visible and on `online`; returns the stopping. */
  onReturn(listener: () => void): () => void
  /** The page goes away, or is kept, frozen, in the browser's back/forward cache, and begins anew when it is shown again; returns the stopping. */
  onLeave(listener: (isKept: boolean) => void): () => void
  onOffline(listener: () => void): () => void
  /** Another tab changed local storage. */
  onStorage(listener: (key: string | null) => void): () => void
  /** Asks the browser to wake the worker when the network is back; does nothing where it cannot. */
  askForBackgroundSync(): void
}

/** Resolves after `ms`, at once when the signal ends. */
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
