import { endpoints } from '#contract/core/endpoints.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { HotDatabase } from '#src/db/hot/hot.ts'
import { browserEnvironment } from '#src/sync/device/browser-environment.ts'
import { createServerClock } from '#src/sync/device/clock.ts'
import { readDeviceFacts } from '#src/sync/device/device-facts.ts'
import { createDrain } from '#src/sync/engine/drain.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { createExclusion } from '#src/sync/engine/locks.ts'
import { createOpenSheets } from '#src/sync/device/open-sheets.ts'
import { createSession, referenceCacheName } from '#src/sync/session/session.ts'
import { adoptEpoch } from '#src/sync/engine/settle.ts'
import { inTime } from './bounds.ts'
import { fetchFor, untilLetGo } from './let-go.ts'

/** How long to wait for a list before showing the stored one. */
const patienceMs = 3000
/** As long as the page waits for any answer. */
const listTimeoutMs = 20_000

const listPaths = new Set<string>(
  Object.values<Endpoint>(endpoints).flatMap((endpoint) => (endpoint.cached === 'reference' ? [endpoint.path] : [])),
)

/**
 * Reference lists come from the network. When that is slow or gone, they are the lists that this person last saw in
 * this store. The worker stores nothing else of the server.
 */
export function keepReferenceLists(scope: string) {
  const origin = new URL(scope).origin

  function answer(request: Request, alsoWait: (work: Promise<unknown>) => void): Promise<Response> | null {
    const url = new URL(request.url)
    if (request.method !== 'GET' || url.origin !== origin || !listPaths.has(url.pathname)) return null
    return networkFirst(request, alsoWait)
  }

  async function networkFirst(request: Request, alsoWait: (work: Promise<unknown>) => void): Promise<Response> {
    const name = await inTime(cacheOf(request), null)
    const network = fetchFor(request, listTimeoutMs)
    if (name === null) return await network
    // The list does not wait until it is stored: a browser whose storage hangs still shows it.
    const keeping = network.then((response) => (isList(response) ? keep(name, request, response.clone()) : undefined))
    alsoWait(inTime(untilLetGo(keeping), undefined, listTimeoutMs).catch(() => undefined))
    const first = await inTime(network, null, patienceMs).catch(() => null)
    if (first !== null && !isServerTrouble(first)) return first
    const kept = await inTime(keptAs(name, request), undefined)
    return kept ?? (await network)
  }

  async function keep(name: string, request: Request, response: Response): Promise<void> {
    // A user who signed in meanwhile must not find it among their lists.
    if ((await cacheOf(request)) !== name) return
    const cache = await caches.open(name)
    await cache.put(request.url, response)
  }

  async function keptAs(name: string, request: Request): Promise<Response | undefined> {
    const cache = await caches.open(name)
    return await cache.match(request.url)
  }

  return { answer }
}

let opened: Promise<HotDatabase> | null = null

/** Opened by the first list and kept for the next, until the browser or a newer version of the app wants it closed. */
function hotDatabase(): Promise<HotDatabase> {
  opened ??= openHot().catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

async function openHot(): Promise<HotDatabase> {
  const hot = new HotDatabase()
  await hot.openSafely()
  hot.on('close', () => {
    opened = null
  })
  return hot
}

/** Returns the cache of the person and store in the request's own token; null when nobody is signed in. */
async function cacheOf(request: Request): Promise<string | null> {
  try {
    const hot = await hotDatabase()
    const row = await hot.session.get('session')
    if (!row?.home || row.access_token === null) return null
    // A request with another token belongs to someone else, or is about to be repeated.
    return request.headers.get('authorization') === `Bearer ${row.access_token}` ? referenceCacheName(row.home) : null
  } catch {
    return null
  }
}

function isList(response: Response): boolean {
  return response.status === 200 && response.type === 'basic' && (response.headers.get('content-type') ?? '').includes('json')
}

function isServerTrouble(response: Response): boolean {
  return response.status >= 500 || response.type === 'opaqueredirect' || (response.ok && !isList(response))
}

/** Does the page's work while the app is closed: the same module, under the same lock and fence. */
export async function drainInWorker(environment: Environment = browserEnvironment()): Promise<void> {
  const { databaseName, indexedDB, IDBKeyRange } = environment
  const hot = new HotDatabase(databaseName, { indexedDB, IDBKeyRange })
  await hot.openSafely()
  void environment.prepareDisk?.()
  const facts = await readDeviceFacts(environment, hot)
  const exclusion = createExclusion(environment, hot)
  const clock = createServerClock(environment, hot)
  const session = createSession(environment, hot, exclusion, { deviceId: facts.id })
  await Promise.all([session.load(), clock.load()])
  let reached = true
  const drain = createDrain({
    environment,
    hot,
    session,
    clock,
    exclusion,
    openSheets: createOpenSheets(environment),
    deviceId: facts.id,
    deviceName: facts.name,
    heard: (online) => (reached = online),
    doubt: () => (reached = false),
    set: () => undefined,
    onApplied: () => undefined,
    onEpoch: async (epoch) => void (await adoptEpoch(hot, epoch)),
  })
  let isDone = false
  try {
    await drain.run(true)
    isDone = reached && !(await drain.hasWork())
  } finally {
    drain.close()
    session.close()
    hot.close()
  }
  // A refused promise tells the browser to wake us again.
  if (!isDone) throw new Error('Work is left on this device')
}
