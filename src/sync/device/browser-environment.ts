import { v7 as uuidv7 } from 'uuid'
import { beginNewLog } from '#src/db/indexed/begin-new-log.ts'
import type { Channel, Environment, PageMoments } from '#src/sync/device/environment.ts'

/** The tag that wakes the worker to drain. */
export const backgroundSyncTag = 'lorgnette-outbox'

/** The real environment of a page, or of the service worker, which has neither local storage nor a window. */
export function browserEnvironment(): Environment {
  const isPage = typeof window !== 'undefined'
  return {
    fetch: (input, init) => fetch(input, init),
    origin: '',
    schedule(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    indexedDB,
    IDBKeyRange,
    localStorage: isPage ? window.localStorage : null,
    locks: typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null,
    caches: typeof caches === 'undefined' ? null : caches,
    openChannel: typeof BroadcastChannel === 'undefined' ? null : openChannel,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    newId: () => uuidv7(),
    sha256,
    subtle: typeof crypto === 'undefined' ? null : (crypto.subtle ?? null),
    signing: typeof crypto === 'undefined' ? null : (crypto.subtle ?? null),
    diskPatienceMs: 3000,
    // If this fails, the disk reports the error at the first write, to the user of that write.
    prepareDisk: () => beginNewLog(indexedDB).catch(() => undefined),
    codeIsKept: () => 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
    timeZone,
    appVersion: import.meta.env.VITE_APP_VERSION as string,
    report: (error) => reportError(error),
    page: isPage ? pageMoments() : null,
  }
}

/**
 * How long the time zone is cached, ms. Reading it costs a good part of a scan, and no device changes zones that fast.
 */
const zoneKeptMs = 60_000
let zone = { name: '', askedAt: -Infinity }

function timeZone(): string {
  const now = performance.now()
  if (now - zone.askedAt > zoneKeptMs) zone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, askedAt: now }
  return zone.name
}

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function openChannel(name: string): Channel {
  const channel = new BroadcastChannel(name)
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      channel.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data))
    },
    close: () => channel.close(),
  }
}

function pageMoments(): PageMoments {
  return {
    visible: () => document.visibilityState === 'visible',
    onReturn(listener) {
      const ifVisible = () => document.visibilityState === 'visible' && listener()
      const onShow = (event: PageTransitionEvent) => event.persisted || listener()
      window.addEventListener('pageshow', onShow)
      window.addEventListener('online', listener)
      document.addEventListener('visibilitychange', ifVisible)
      return () => {
        window.removeEventListener('pageshow', onShow)
        window.removeEventListener('online', listener)
        document.removeEventListener('visibilitychange', ifVisible)
      }
    },
    onLeave(listener) {
      const onHide = (event: PageTransitionEvent) => {
        listener(event.persisted)
        // A page that the browser kept has closed its databases, so it reloads.
        if (event.persisted) window.addEventListener('pageshow', () => window.location.reload(), { once: true })
      }
      window.addEventListener('pagehide', onHide)
      return () => window.removeEventListener('pagehide', onHide)
    },
    onOffline(listener) {
      window.addEventListener('offline', listener)
      return () => window.removeEventListener('offline', listener)
    },
    onStorage(listener) {
      const hear = (event: StorageEvent) => listener(event.key)
      window.addEventListener('storage', hear)
      return () => window.removeEventListener('storage', hear)
    },
    askForBackgroundSync: () => soon(registerSync),
  }
}

/** One wake-up of the worker sends everything, so ten scans a second need not ask ten times, ms. */
const syncEveryMs = 5000
let askedAt = -Infinity
let isPlanned = false

function soon(work: () => void) {
  const waits = askedAt + syncEveryMs - performance.now()
  if (isPlanned) return
  isPlanned = waits > 0
  if (!isPlanned) {
    askedAt = performance.now()
    return work()
  }
  setTimeout(() => {
    isPlanned = false
    askedAt = performance.now()
    work()
  }, waits)
}

function registerSync() {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .getRegistration()
    .then((registration) => (registration && hasSync(registration) ? registration.sync.register(backgroundSyncTag) : undefined))
    // Not allowed or not supported: the page drains on its own while it is open.
    .catch(() => undefined)
}

function hasSync(registration: object): registration is { sync: { register(tag: string): Promise<void> } } {
  return 'sync' in registration
}
