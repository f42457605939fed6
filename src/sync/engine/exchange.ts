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

/** The parts that send, pull and listen. */
export type Exchange = {
  drain: Drain
  pull: Pull
  events: Events
  announcer: Announcer
  /** The queue of files. The first call fetches its code. */
  files(): Promise<FileQueue>
  /** Runs the watchdog once. */
  watch(): Promise<void>
  /** Returns true when the epoch has changed. Then everything is sent and pulled again. */
  adoptEpoch(epoch: string): Promise<boolean>
  pruneSettled(): Promise<void>
  close(): void
}

/**
 * The work with the server that needs no user. It is a chunk of its own, which the page fetches after it shows:
 * reading, scanning and recording work without it.
 */
export function createExchange(parts: ExchangeParts): Exchange {
  const { environment, hot, clock, session, connection } = parts
  const pull = createPull(parts)
  const events = createEvents({ ...parts, pull: (wanted) => pull.run(wanted) })
  const commands = createDrain({
    ...parts,
    // Without a stream of events, no event would bring the effects.
    onApplied: () => {
      if (!events.listening()) void pull.run()
    },
  })
  const turn = createFileTurn({ ...parts, sendOthers: () => commands.run(false) })
  const drain: Drain = {
    ...commands,
    async run(asked) {
      await commands.run(asked)
      // Files come after all small work, and nobody waits for them.
      turn.begin(asked)
    },
  }
  const announcer = createAnnouncer(parts)
  const watchdog = createWatchdog({ environment, state: parts.connection.getState, set: parts.set, drain })
  let closed = false
  /** Finishes a sign-in for offline use that an earlier page began with a password. */
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
  // This code may load after the first answer of the server.
  if (connection.getState().online === true) void finishOfflineSignIn()
  return {
    drain,
    files: turn.files,
    pull,
    events,
    announcer,
    async watch() {
      await watchdog()
      // Work that waits for a manager or for its author may be able to leave by now.
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
