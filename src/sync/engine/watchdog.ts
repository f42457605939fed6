import type { ConnectionState } from '#src/sync/device/device.ts'
import type { Drain } from '#src/sync/engine/drain.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/** Online, something waits, and nothing has left for this long: the drain is cut and begun anew. */
const stallMs = 120_000
const patienceAfterRestartMs = 30_000
/** A device that slept between two looks was not waiting all that time. */
const longestLookMs = 60_000

type Parts = {
  environment: Pick<Environment, 'monotonic'>
  state: () => ConnectionState
  set: (change: { stalled: boolean }) => void
  drain: Pick<Drain, 'progressAt' | 'hasWork' | 'restart'>
}

/**
 * Sees to it that nothing waits in silence: what could leave and does not, though the server answers, is helped once and
 * then told. Only time that was spent online counts, and no wall clock is believed. @returns the look, to be taken often
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
    // Pushes that hang make it look offline for a moment; the waiting goes on.
    if (online !== true) return
    waitedMs += looked
    if (waitedMs < stallMs) return
    // What is left may be behind something that waits for a person.
    if (!(await drain.hasWork())) return calm()
    if (restartedAt === null) {
      restartedAt = now
      drain.restart()
    } else if (now - restartedAt >= patienceAfterRestartMs) {
      set({ stalled: true })
    }
  }
}
