import type { StoreApi } from 'zustand/vanilla'
import { createAnnouncer, type Announcer } from '#src/sync/engine/announce.ts'
import type { ConnectionState, Device, FileQueue } from '#src/sync/device/device.ts'
import { createDrain, type Drain, type DrainParts } from '#src/sync/engine/drain.ts'
import { createEvents, type Events } from '#src/sync/engine/events.ts'
import { createFileTurn } from '#src/sync/files/file-turn.ts'
import { begunFact } from '#src/sync/session/offline-facts.ts'
import { createPull, type Pull, type PullParts } from '#src/sync/engine/pull.ts'
import { adoptEpoch, pruneSettled } from '#src/sync/engine/settle.ts'
import { createWatchdog } from '#src/sync/engine/watchdog.ts'

export type ExchangeParts = Omit<DrainParts, 'onApplied'> &
  PullParts & {
    set(change: Partial<ConnectionState>): void
    connection: StoreApi<ConnectionState>
    call: Device['call']
  }

/** What sends, pulls and listens. */
export type Exchange = {
  drain: Drain
  pull: Pull
  events: Events
  announcer: Announcer
  /** The queue of files, whose code is fetched with the first who asks. */
  files(): Promise<FileQueue>
  /** The watchdog's look. */
  watch(): Promise<void>
  /** Whether the epoch is another than before: then everything is sent and pulled anew. */
  adoptEpoch(epoch: string): Promise<boolean>
  pruneSettled(): Promise<void>
  close(): void
}

/**
 * Everything that talks to the server by itself. A chunk of its own, which the page fetches when it stands: what is read,
 * scanned and recorded needs none of it.
 */
export function createExchange(parts: ExchangeParts): Exchange {
  const { environment, hot, clock, session, connection } = parts
  const pull = createPull(parts)
  const events = createEvents({ ...parts, pull: (wanted) => pull.run(wanted) })
  const commands = createDrain({
    ...parts,
    // Without a stream of events nobody else would tell.
    onApplied: () => {
      if (!events.listening()) void pull.run()
    },
  })
  const turn = createFileTurn({ ...parts, sendOthers: () => commands.run(false) })
  const drain: Drain = {
    ...commands,
    async run(asked) {
      await commands.run(asked)
      // Files come after all that is small, and nobody waits for them.
      turn.begin(asked)
    },
  }
  const announcer = createAnnouncer(parts)
  const watchdog = createWatchdog({ environment, state: parts.connection.getState, set: parts.set, drain })
  let closed = false
  /** What a page before this one has begun with a password and could not finish. */
  async function finishOfflineSignIn() {
    try {
      if (!session.isOpen() || (await hot.facts.get(begunFact)) === undefined) return
      await (await import('#src/sync/session/offline-sign-in.ts')).createOfflineSignIn(parts).finish()
    } catch (error) {
      if (!closed) environment.report(error)
    }
  }
  const stopHearing = connection.subscribe((now, before) => {
    if (now.online === true && before.online !== true) void finishOfflineSignIn()
  })
  // This code may come after the first word from the server.
  if (connection.getState().online === true) void finishOfflineSignIn()
  return {
    drain,
    files: turn.files,
    pull,
    events,
    announcer,
    async watch() {
      await watchdog()
      // What waits for a manager, or for its author, may be able to leave by now.
      const { online, needsAttention } = connection.getState()
      if (online === true && needsAttention > 0) void commands.run(false)
    },
    adoptEpoch: (epoch) => adoptEpoch(hot, epoch),
    pruneSettled: () => pruneSettled(clock, hot),
    close() {
      closed = true
      stopHearing()
      events.close()
      pull.close()
      drain.close()
      turn.close()
      announcer.close()
    },
  }
}
