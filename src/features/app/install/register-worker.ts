import type { Workbox } from 'workbox-window'
import { makeWayMessage } from '#src/sync/engine/make-way.ts'
import { installStore, type InstallPrompt } from './model/install-store.ts'

const updateCheckMs = 30 * 60_000
/** By then a page stands. */
const standsMs = 2000

let begun = false

/** Registers the service worker and listens for what the browser offers. Once a page, however often it is called. */
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
  // Where a worker is in charge already nothing hurries, and the page comes first.
  const { serviceWorker } = navigator
  if (serviceWorker?.controller) await new Promise((resolve) => setTimeout(resolve, standsMs))
  nameManifest()
  if ('serviceWorker' in navigator) await registerWorker()
}

type Page = {
  /** Tells the worker that is in charge that it is to be replaced. */
  makeWay: () => void
  reload: () => void
}

/**
 * Offers a new version when it waits. Only the window in which someone said yes is reloaded, once the new worker is in
 * charge; the others run on with the version they have.
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
    // Another window took it: there is nothing left that waits, and a reload brings the new version here too.
    installStore.setState({ applyUpdate: page.reload })
  })
}

/** The browser reads the manifest and its pictures as soon as it is told of them, and nobody waits for that. */
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
    // Some browsers, windows and policies allow no worker. The app then works, but does not start without its server:
    // the sync center says so, under This device.
    return
  }
  const check = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) {
      // A failed check is no news: the next one comes.
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
 * The router reloads the page by itself when a part of it cannot be fetched, unless it believes that it did so already.
 * A reload nobody asked for could lose what is being typed, so it is made to believe that; a notice offers the reload.
 */
function keepFromReloading(event: Event): void {
  const error: unknown = Reflect.get(event, 'payload')
  if (!(error instanceof Error)) return
  try {
    sessionStorage.setItem(`tanstack_router_reload:${error.message}`, '1')
  } catch {
    // Then the router reloads.
  }
}
