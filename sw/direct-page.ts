/// <reference lib="webworker" />
import type { PrecacheController } from 'workbox-precaching'

declare const self: ServiceWorkerGlobalScope

type Rule = {
  condition: {
    urlPattern: { pathname: string; search: string }
    requestMethod: 'GET'
    requestMode: 'navigate'
    runningStatus: 'not-running'
  }
  source: { cacheName: string }
}
/** Not every list of browser types knows Static Routing, and not every browser has it. */
type RoutingEvent = ExtendableEvent & { addRoutes: (rule: Rule) => Promise<void> }

const pageCaches = 'lorgnette-page-'

/**
 * Has the browser give out by itself, while this worker does not run, the home page, where the installed app begins: a start would wait for
 * the worker otherwise. A page that is no longer kept the browser fetches. To be called once all is kept.
 */
export async function giveOutDirectly(event: ExtendableEvent, shell: PrecacheController): Promise<void> {
  if (!hasRouting(event)) return
  const page = await shell.matchPrecache('/index.html')
  if (!page) throw new Error('The page was not kept')
  // The browser looks for the very address that is asked for, and the page is kept under one that changes with its content.
  const cacheName = pageCacheOf(shell)
  await (await caches.open(cacheName)).put('/', page)
  await event.addRoutes({
    condition: {
      urlPattern: { pathname: '/', search: '' },
      requestMethod: 'GET',
      requestMode: 'navigate',
      runningStatus: 'not-running',
    },
    source: { cacheName },
  })
}

/** Forgets the pages of other versions. */
export async function forgetFormerPages(shell: PrecacheController): Promise<void> {
  const former = (await caches.keys()).filter((name) => name.startsWith(pageCaches) && name !== pageCacheOf(shell))
  await Promise.all(former.map((name) => caches.delete(name)))
}

/** Each version has its own, which the former one gives out nothing of. */
function pageCacheOf(shell: PrecacheController): string {
  const address = shell.getCacheKeyForURL('/index.html')
  if (!address) throw new Error('The page is not among the files of this version')
  return pageCaches + new URL(address, self.location.origin).search
}

function hasRouting(event: ExtendableEvent): event is RoutingEvent {
  return 'addRoutes' in event
}
