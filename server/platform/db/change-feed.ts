import type { ChangeFeed, SheetPresence } from '#server/platform/services.ts'

type PresenceRead = () => Promise<SheetPresence | null>
type Change = { scope: string; revision: number }

export type ChangeFeedOptions = {
  /**
   * Where several processes share a database: reads all revisions, so that what another process wrote is noticed too.
   * Asked only while somebody listens.
   */
  readRevisions?: () => Promise<Change[]>
  everyMs?: number
  /** Told when a listener or a reading failed; the feed goes on. */
  onFault?: (error: unknown) => void
}

/** Tells listeners in this process what was committed by this process, and soon what others committed. */
export function createChangeFeed(options: ChangeFeedOptions = {}): ChangeFeed {
  const { readRevisions, everyMs = 500, onFault = () => {} } = options
  const listeners = new Set<(change: Change) => void>()
  const presenceListeners = new Set<(presence: SheetPresence) => void>()
  /** Sheets whose presence is being read, with how to read what changed meanwhile. */
  const presenceAsked = new Map<string, PresenceRead | null>()
  /**
   * The last revision told, by scope, while somebody listens. It begins empty: the first reading tells everything, so
   * that nothing which was committed just before it is missed.
   */
  const told = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let reading = false

  const tellAll = <T>(all: Iterable<(value: T) => void>, value: T) => {
    for (const listener of Array.from(all)) {
      try {
        listener(value)
      } catch (error) {
        onFault(error)
      }
    }
  }
  const tell = (change: Change) => {
    if ((told.get(change.scope) ?? 0) >= change.revision) return
    if (listeners.size > 0) told.set(change.scope, change.revision)
    tellAll(listeners, change)
  }
  const look = async () => {
    if (reading || !readRevisions) return
    reading = true
    try {
      for (const change of await readRevisions()) tell(change)
    } catch (error) {
      onFault(error)
    } finally {
      reading = false
    }
  }
  const tellPresence = async (id: string, read: PresenceRead) => {
    if (presenceListeners.size === 0) return
    if (presenceAsked.has(id)) {
      presenceAsked.set(id, read)
      return
    }
    for (let next: PresenceRead | null = read; next; next = presenceAsked.get(id) ?? null) {
      presenceAsked.set(id, null)
      try {
        const presence = await next()
        if (presence) tellAll(presenceListeners, presence)
      } catch (error) {
        // The next push of any of its tablets tells it again.
        if (presenceListeners.size > 0) onFault(error)
      }
    }
    presenceAsked.delete(id)
  }
  const startOrStop = () => {
    if (listeners.size === 0) told.clear()
    if (!readRevisions) return
    if (listeners.size > 0 && timer === null) {
      timer = setInterval(() => void look(), everyMs)
      timer.unref()
      void look()
    }
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    publish: (changes) => changes.forEach(tell),
    subscribe(listener) {
      listeners.add(listener)
      startOrStop()
      return () => {
        listeners.delete(listener)
        startOrStop()
      }
    },
    publishPresence: (idCountSheet, read) => void tellPresence(idCountSheet, read),
    subscribePresence(listener) {
      presenceListeners.add(listener)
      return () => void presenceListeners.delete(listener)
    },
    close() {
      listeners.clear()
      presenceListeners.clear()
      startOrStop()
    },
  }
}
