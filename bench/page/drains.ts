import { createRxDatabase } from 'rxdb/plugins/core'
import { replicateRxCollection } from 'rxdb/plugins/replication'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { wireOf } from '#src/sync/engine/outbox-rows.ts'
import { openOurDevice } from './our-device.ts'
import { deleteDatabase } from './row-store.ts'
import { timed } from './timing.ts'

const hotName = 'bench-drain'
const rxName = 'bench-drain-rxdb'

async function waiting(codes: readonly string[]) {
  await deleteDatabase(hotName)
  const device = await openOurDevice(hotName, 'bench-drain-mirror')
  await Promise.all(codes.map(device.scan))
  return device
}

/** Sends one scan for each code through the shipping outbox. Returns ms from the first look until it is empty. */
export async function drainOurs(codes: string[]): Promise<number> {
  const device = await waiting(codes)
  const took = await timed(() => device.drain.run(true))
  const left = await device.hot.outbox.count()
  await device.close()
  if (left > 0) throw new Error(`${left} commands stayed`)
  return took
}

/** The same commands in one request, without any database: the floor. */
export async function bareRequest(codes: string[]): Promise<number> {
  const device = await waiting(codes)
  const commands = (await device.hot.outbox.orderBy('[lane+lane_seq+device_id]').toArray()).map(wireOf)
  await device.close()
  const body = JSON.stringify({ commands })
  return await timed(async () => {
    const answer = await fetch('/api/sync/push', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const said = await answer.text()
    if (said.length < commands.length * 100) throw new Error('The floor was not answered')
  })
}

/** RxDB's replication, with batches as large as ours. */
export async function drainRxdb(codes: string[], batchSize: number): Promise<number> {
  for (const { name } of await indexedDB.databases()) if (name?.includes(rxName)) await deleteDatabase(name)
  const device = await waiting(codes)
  const commands = await device.hot.outbox.orderBy('[lane+lane_seq+device_id]').toArray()
  await device.close()
  const database = await createRxDatabase({ name: rxName, storage: getRxStorageDexie(), multiInstance: false, eventReduce: false })
  const text = { type: 'string', maxLength: 100 } as const
  const { outbox } = await database.addCollections({
    outbox: { schema: { version: 0, primaryKey: 'id', type: 'object', properties: { id: text } } },
  })
  if (!outbox) throw new Error('RxDB made no collection')
  await outbox.bulkInsert(commands.map((command: OutboxCommand) => ({ ...wireOf(command), state: 'queued' })))
  const byId = new Map(commands.map((command) => [command.id, wireOf(command)]))
  const took = await timed(async () => {
    const replication = replicateRxCollection<{ id: string }, unknown>({
      collection: outbox,
      replicationIdentifier: `bench-${crypto.randomUUID()}`,
      live: false,
      push: {
        batchSize,
        async handler(rows) {
          const sent = rows.map(({ newDocumentState }) => byId.get(newDocumentState.id))
          await (
            await fetch('/api/sync/push', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ commands: sent }),
            })
          ).json()
          return []
        },
      },
    })
    await replication.awaitInSync()
    await replication.cancel()
  })
  await database.close()
  return took
}

/** workbox-background-sync in its own worker: each command is a stored and replayed request. */
export async function drainWorkbox(codes: string[]): Promise<number> {
  const device = await waiting(codes)
  const commands = (await device.hot.outbox.orderBy('[lane+lane_seq+device_id]').toArray()).map(wireOf)
  await device.close()
  const registration = await navigator.serviceWorker.register('/bench/workbox-worker.js', { scope: '/bench/workbox/' })
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (!worker) throw new Error('The worker is not there')
  if (worker.state !== 'activated') {
    await new Promise<void>((resolve) => worker.addEventListener('statechange', () => worker.state === 'activated' && resolve()))
  }
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<number>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<{ ms?: number; error?: string }>) =>
      data.ms === undefined ? reject(new Error(data.error)) : resolve(data.ms)
  })
  worker.postMessage({ commands }, [port2])
  return await answer
}
