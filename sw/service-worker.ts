/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { backgroundSyncTag } from '#src/sync/browser-environment.ts'
import { drainInWorker, keepReferenceLists } from './worker-tasks.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// Takes effect when this worker is activated: until then the old tab keeps the chunks it runs on.
cleanupOutdatedCaches()
precacheAndRoute(self.__WB_MANIFEST)
// Every address of the app cold-starts offline; the server's own are never answered with a page.
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/(api|upload)(\/|$)/, /^\/metrics$/] }))

const lists = keepReferenceLists(self.registration.scope)

self.addEventListener('fetch', (event) => {
  const answer = lists.answer(event.request, (work) => event.waitUntil(work))
  if (answer) event.respondWith(answer)
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

// A new version takes over only when the person says so.
self.addEventListener('message', (event) => {
  if (messageType(event.data) === 'SKIP_WAITING') void self.skipWaiting()
})

self.addEventListener('sync', (event) => {
  if (isSync(event) && event.tag === backgroundSyncTag) event.waitUntil(drainInWorker())
})

function messageType(data: unknown): string | null {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string' ? data.type : null
}

/** Not every list of browser types knows Background Sync. */
function isSync(event: Event): event is ExtendableEvent & { tag: string } {
  return 'tag' in event && 'waitUntil' in event
}
