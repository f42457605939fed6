import type { ConnectionState } from '#src/sync/device/device.ts'
import type { Drain } from '#src/sync/engine/drain.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/** After this time online with waiting work and no progress, the drain is restarted, ms. */
const stallMs = 120_000
const patienceAfterRestartMs = 30_000
/** The longest time that one look may count, ms: a device that slept was not waiting. */
const longestLookMs = 60_000

type Parts = {
  environment: Pick<Environment, 'monotonic'>
  state: () => ConnectionState
  set: (change: { stalled: boolean }) => void
  drain: Pick<Drain, 'progressAt' | 'hasWork' | 'restart'>
}

/**
 * Makes sure that no work waits in silence. When the server answers and work does not leave, it restarts the drain
 * once, and then reports a stall. Only time online counts, by the monotonic clock. @returns the check, to be called
 * often
 */
export function createWatchdog({ environment, state, set, drain }: Parts): () => Promise<void> {
  let waitedMs = 0
  let lastLook = environment.monotonic()
  let lastProgress = drain.progressAt()
  let restartedAt: number | null = null

  function calm() {
    waitedMs = 0
    restartedAt = null
    if (state().stalled) set({ stalled: false })
  }

  return async () => {
    const { unsent, online, waitsForSignIn, updateRequired } = state()
    const now = environment.monotonic()
    const looked = Math.min(now - lastLook, longestLookMs)
    lastLook = now
    const progress = drain.progressAt()
    const hasMoved = progress !== lastProgress
    lastProgress = progress
    if (unsent === 0 || waitsForSignIn || updateRequired || hasMoved) return calm()
    // Hung pushes make the device look offline for a moment. The wait continues.
    if (online !== true) return
    waitedMs += looked
    if (waitedMs < stallMs) return
    // The remaining work may be behind a command that waits for a user.
    if (!(await drain.hasWork())) return calm()
    if (restartedAt === null) {
      restartedAt = now
      drain.restart()
    } else if (now - restartedAt >= patienceAfterRestartMs) {
      set({ stalled: true })
    }
  }
}
