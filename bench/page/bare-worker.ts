/// <reference lib="webworker" />
export type {}

declare const self: ServiceWorkerGlobalScope

const files = ['bare', 'bare-react'].flatMap((name) => [`/bench/${name}.html`, `/bench/${name}.js`])

self.addEventListener('install', (event) => {
  void self.skipWaiting()
  event.waitUntil(caches.open('bare').then((cache) => cache.addAll(files)))
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (files.includes(pathname)) event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)))
})
