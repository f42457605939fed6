import { collectionPermissions, type events, type SyncEvent } from '#contract/sync/sync.ts'
import type { Handler } from '#server/platform/http/handler.ts'
import { tabletOf } from '#server/platform/http/scope.ts'
import { stillHolds } from '#server/platform/http/session-gate.ts'
import { mostStreamsEach, mostStreamsOfPerson, streamPlacesOf } from '#server/sync/stream-places.ts'
import { readEpoch } from '#server/sync/server-epoch.ts'

export const heartbeatMs = 15_000
/** A listener that does not read this many events is gone or asleep; it comes back with its cursor. */
const backlogLimit = 1000

/**
 * Tells a device that something changed, never what: the device then pulls. Ends when the caller hangs up, when the
 * server stops, and within a heartbeat of the session's end.
 */
export const eventsHandler: Handler<typeof events> = async ({ services, scope, signal }) => {
  const epoch = await readEpoch(services)
  const mine = new Set<string>(['chain', `store:${scope.store_id}`, `settings:${scope.store_id}`, `user:${scope.id_user}`])
  // A user who may not read patients must not even learn that there are any.
  if (scope.permissions.has('patient.read')) mine.add(`patients:${scope.store_id}`)
  const seesSheets = scope.permissions.has(collectionPermissions.count_sheets)
  const encoder = new TextEncoder()
  let stop = () => {}

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false
        const end = () => {
          if (ended) return
          stop()
          controller.close()
        }
        const write = (text: string) => {
          if (ended) return
          if ((controller.desiredSize ?? 0) <= 0) return end()
          controller.enqueue(encoder.encode(text))
        }
        const tell = (event: SyncEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
        const fail = (error: unknown) => {
          services.log.error({ err: error }, 'a stream of events failed')
          end()
        }

        const leaveChanges = services.changes.subscribe(({ scope: changed, revision }) => {
          if (mine.has(changed)) tell({ type: 'changed', scope: changed, revision })
        })
        const leavePresence = services.changes.subscribePresence(({ store_id, id_count_sheet, devices }) => {
          if (seesSheets && store_id === scope.store_id) tell({ type: 'presence', id_count_sheet, devices })
        })
        // An open stream is no sign of life: it looks open long after a tablet has lost its network. A tablet shows by
        // its pushes that it is there. Another store means other scopes: the device opens a new stream.
        const streamEnded = services.metrics.eventStreamOpened()
        const heart = setInterval(() => {
          stillHolds(services, scope)
            .then((holds) => (holds ? write(': still here\n\n') : end()))
            .catch(fail)
        }, heartbeatMs)
        heart.unref()
        signal.addEventListener('abort', end)
        const leavePlace = streamPlacesOf(services.db).open(
          [
            { key: `tablet ${tabletOf(scope)}`, most: mostStreamsEach },
            { key: `person ${scope.id_user}`, most: mostStreamsOfPerson },
          ],
          end,
        )
        stop = () => {
          ended = true
          leavePlace()
          streamEnded()
          clearInterval(heart)
          leaveChanges()
          leavePresence()
          signal.removeEventListener('abort', end)
        }
        if (signal.aborted) return end()
        tell({ type: 'hello', epoch, server_time: new Date(services.clock.now()).toISOString() })
      },
      cancel() {
        stop()
      },
    },
    { highWaterMark: backlogLimit },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // `no-transform` keeps proxies and our own compression from holding events back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
