import { Dexie } from 'dexie'
import type { ConnectionState, FileQueue } from '#src/sync/device/device.ts'
import type { FileQueueParts } from '#src/sync/files/file-queue.ts'
import { countUnsentFiles } from '#src/sync/files/unsent-files.ts'

type Parts = FileQueueParts & { set(change: Pick<ConnectionState, 'files'>): void }

/**
 * The part of sending that concerns files: it counts waiting files, and fetches the code of their queue when one waits.
 */
export function createFileTurn(parts: Parts) {
  const { environment, hot } = parts
  let queue: Promise<FileQueue> | null = null
  let waiting = 0
  let closed = false
  let cancelCount: (() => void) | null = null
  const report = (error: unknown) => {
    if (!closed) environment.report(error)
  }

  function files(): Promise<FileQueue> {
    queue ??= import('#src/sync/files/file-queue.ts').then(
      ({ createFileQueue }) => createFileQueue(parts),
      (error: unknown) => {
        // The next call tries again: code that could not be fetched may be reachable by then.
        queue = null
        throw error
      },
    )
    return queue
  }

  async function count() {
    const counted = await countUnsentFiles(hot)
    const isMore = counted.waiting > waiting
    waiting = counted.waiting
    parts.set({ files: counted })
    if (isMore) begin(false)
  }

  function begin(asked: boolean) {
    if (waiting > 0 || queue) files().then((opened) => opened.run(asked), report)
  }

  const onMutated = (changed: Record<string, unknown>) => {
    if (!Object.keys(changed).some((key) => key.includes(`/${hot.name}/facts`))) return
    cancelCount ??= environment.schedule(countAfterMs, () => {
      cancelCount = null
      count().catch(report)
    })
  }
  Dexie.on('storagemutated', onMutated)
  count().catch(report)

  return {
    files,
    begin,
    close() {
      closed = true
      cancelCount?.()
      Dexie.on.storagemutated.unsubscribe(onMutated)
      void queue?.then((opened) => opened.close())
    },
  }
}

/** Fast enough to watch, ms. */
const countAfterMs = 150
