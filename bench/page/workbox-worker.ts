/// <reference lib="webworker" />
import { Queue } from 'workbox-background-sync'
import { timed } from './timing.ts'

declare const self: ServiceWorkerGlobalScope

const queue = new Queue('bench', { forceSyncFallback: true })

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('message', (event) => {
  const port = event.ports[0]
  const work = replay(event.data.commands as unknown[]).then(
    (ms) => port?.postMessage({ ms }),
    (error: unknown) => port?.postMessage({ error: String(error) }),
  )
  event.waitUntil(work)
})

/** Queues everything, then measures the replaying alone. */
async function replay(commands: readonly unknown[]): Promise<number> {
  for (const command of commands) {
    const body = JSON.stringify({ commands: [command] })
    await queue.pushRequest({
      request: new Request('/api/sync/push', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    })
  }
  const took = await timed(() => queue.replayRequests())
  const left = await queue.size()
  if (left > 0) throw new Error(`${left} requests stayed`)
  return took
}
