import type { Workbox } from 'workbox-window'
import { makeWayMessage } from '#src/sync/engine/make-way.ts'
import { installStore, type InstallPrompt } from './model/install-store.ts'

const updateCheckMs = 30 * 60_000
/** After this time, the page is usually complete. */
const standsMs = 2000

let begun = false

/**
 * Registers the service worker and listens for the browser's offers. It runs once a page, however often it is called.
 */
export function beginInstallation(): void {
  if (begun) return
  begun = true

  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isInstallPrompt(event)) installStore.setState({ prompt: event })
  })
  window.addEventListener('appinstalled', () => installStore.setState({ prompt: null }))

  window.addEventListener('vite:preloadError', (event) => {
    keepFromReloading(event)
    installStore.setState({ pageMissing: true })
  })

  if (import.meta.env.PROD) void atRest()
}

async function atRest(): Promise<void> {
  // With a worker already in charge there is no hurry, and the page goes first.
  const { serviceWorker } = navigator
  if (serviceWorker?.controller) await new Promise((resolve) => setTimeout(resolve, standsMs))
  nameManifest()
  if ('serviceWorker' in navigator) await registerWorker()
}

type Page = {
  /** Tells the worker in charge that a new one will replace it. */
  makeWay: () => void
  reload: () => void
}

/**
 * Offers a new version when it waits. Only the window where the user said yes reloads, once the new worker is in
 * charge. The other windows keep their version.
 */
export function offerUpdates(workbox: Pick<Workbox, 'addEventListener' | 'messageSkipWaiting'>, page: Page): void {
  let accepted = false
  workbox.addEventListener('waiting', () => {
    installStore.setState({
      updateReady: true,
      applyUpdate: () => {
        accepted = true
        page.makeWay()
        workbox.messageSkipWaiting()
      },
    })
  })
  workbox.addEventListener('controlling', () => {
    if (accepted) return page.reload()
    // Another window applied it. No worker waits any more, and a reload brings the new version here too.
    installStore.setState({ applyUpdate: page.reload })
  })
}

/** Adds the manifest late: the browser then loads it and its icons at once, and nobody waits for them. */
function nameManifest(): void {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  document.head.append(link)
}

async function registerWorker(): Promise<void> {
  let workbox: Workbox
  try {
    const [{ Workbox }, { ownScript }] = await Promise.all([import('workbox-window'), import('#src/device/own-script.ts')])
    workbox = new Workbox(ownScript('/sw.js'), { scope: '/' })
    offerUpdates(workbox, {
      makeWay: () => navigator.serviceWorker.controller?.postMessage({ type: makeWayMessage }),
      reload: () => window.location.reload(),
    })
    await workbox.register()
  } catch {
    // Some browsers, windows and policies allow no worker. The app then works, but does not start without its server.
    // The sync center says so under This device.
    return
  }
  const check = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) {
      // Ignore a failed check: the next one comes soon.
      workbox.update().catch(() => undefined)
    }
  }
  setInterval(check, updateCheckMs)
  document.addEventListener('visibilitychange', check)
}

function isInstallPrompt(event: Event): event is InstallPrompt {
  return 'prompt' in event && 'userChoice' in event
}

/**
 * The router reloads the page when it cannot fetch a part of it, unless it believes that it already did. A reload that
 * nobody asked for could lose typed text. This makes the router believe so, and a notice offers the reload.
 */
function keepFromReloading(event: Event): void {
  const error: unknown = Reflect.get(event, 'payload')
  if (!(error instanceof Error)) return
  try {
    sessionStorage.setItem(`tanstack_router_reload:${error.message}`, '1')
  } catch {
    // Without storage, the router reloads.
  }
}
