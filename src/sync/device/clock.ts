import type { HotDatabase } from '#src/db/hot/hot.ts'
import { clockFact, offsetIn, setBackMs } from '#src/sync/device/clock-offset.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/** Server time minus device time, as the quickest answers measured it. */
export type ServerClock = {
  /** Null when never measured, or when the device's clock was set back since. */
  offsetMs: () => number | null
  serverNow: () => number
  /** What the server last said of its time since this start, ms; null before. This device's own clock has no part in it. */
  toldAt: () => number | null
  /** @param serverTime ISO, as the answer said. @param askedAt device ms when the question left. */
  learn(serverTime: string, askedAt: number): void
  /** @param first the fact as it was read before the database was open */
  load(first?: unknown): Promise<void>
}

/** An answer that took longer says too little of when it was written. */
const slowestMs = 10_000
/** Both clocks are read in whole milliseconds. */
const roundingMs = 2

export function createServerClock(environment: Environment, hot: HotDatabase): ServerClock {
  let offset: number | null = null
  let told: number | null = null
  let lastWall = environment.now()
  let lastMonotonic = environment.monotonic()

  /**
   * A wall clock that lost against the one that never jumps was set back, and the offset grows by as much. One that won
   * may have been asleep, so nothing is concluded from that.
   */
  function current(): number | null {
    const wall = environment.now()
    const monotonic = environment.monotonic()
    const lost = monotonic - lastMonotonic - (wall - lastWall)
    lastWall = wall
    lastMonotonic = monotonic
    if (offset !== null && lost > setBackMs) keep(Math.round(offset + lost))
    return offset
  }

  function keep(ms: number) {
    offset = ms
    // Only a hint for the next start: the app goes on without it.
    hot.facts.put({ key: clockFact, value: { ms, wall: environment.now() } }).catch(() => undefined)
  }

  return {
    offsetMs: current,
    serverNow: () => environment.now() + (current() ?? 0),
    toldAt: () => told,
    learn(serverTime, askedAt) {
      const before = current()
      const now = environment.now()
      const then = Date.parse(serverTime)
      if (Number.isNaN(then)) return
      told = then
      if (now < askedAt || now - askedAt > slowestMs) return
      const measured = Math.round(then - (askedAt + now) / 2)
      // The answer was written somewhere within the round trip. What agrees with that is as good as the new figure, and an
      // offset that trembles would turn the order of quick scans around.
      const uncertainMs = (now - askedAt) / 2 + roundingMs
      if (before === null || Math.abs(measured - before) > uncertainMs) keep(measured)
    },
    async load(first) {
      offset ??= offsetIn(first ?? (await hot.facts.get(clockFact))?.value, environment.now())
    },
  }
}
