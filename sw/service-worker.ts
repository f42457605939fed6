/// <reference lib="webworker" />
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { backgroundSyncTag } from '#src/sync/device/browser-environment.ts'
import { makeWayMessage } from '#src/sync/engine/make-way.ts'
import { boundActivation, keptOrFetched } from './bounds.ts'
import { loadedTasks, workerTasks } from './lazy-tasks.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

self.addEventListener('activate', boundActivation)

// Takes effect when this worker is activated: until then the old tab keeps the chunks it runs on.
cleanupOutdatedCaches()
const shell = new PrecacheController()
shell.addToCacheList(self.__WB_MANIFEST)
const files = new PrecacheRoute(shell)
registerRoute(
  files.match,
  keptOrFetched((options) => files.handler.handle(options)),
)
// Every address of the app cold-starts offline; the server's own are never answered with a page.
const page = keptOrFetched(shell.createHandlerBoundToURL('/index.html'))
registerRoute(new NavigationRoute(page, { denylist: [/^\/(api|upload)(\/|$)/, /^\/metrics$/] }))

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.resolve().then(workerTasks))
  void shell.install(event)
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !new URL(request.url).pathname.startsWith('/api/')) return
  const answer = workerTasks().answer(request, (work) => event.waitUntil(work))
  if (answer) event.respondWith(answer)
})

self.addEventListener('activate', (event) => {
  event.waitUntil(shell.activate(event))
  event.waitUntil(forgetFormerPages())
  event.waitUntil(self.clients.claim())
})

// A new version takes over only when the person says so, and then waits for what this one has in hand.
self.addEventListener('message', (event) => {
  const type = messageType(event.data)
  if (type === 'SKIP_WAITING') void self.skipWaiting()
  if (type === makeWayMessage) loadedTasks()?.letGo()
})

self.addEventListener('sync', (event) => {
  if (isSync(event) && event.tag === backgroundSyncTag) {
    // A refused promise, from the import too, tells the browser to wake us again.
    event.waitUntil(Promise.resolve().then(() => workerTasks().drain()))
  }
})

/** Older workers kept the home page once more, in caches of their own. */
async function forgetFormerPages(): Promise<void> {
  const former = (await caches.keys()).filter((name) => name.startsWith('lorgnette-page-'))
  await Promise.all(former.map((name) => caches.delete(name)))
}

function messageType(data: unknown): string | null {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string' ? data.type : null
}

/** Not every list of browser types knows Background Sync. */
function isSync(event: Event): event is ExtendableEvent & { tag: string } {
  return 'tag' in event && 'waitUntil' in event
}
