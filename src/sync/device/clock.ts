import type { HotDatabase } from '#src/db/hot/hot.ts'
import { clockFact, offsetIn, setBackMs } from '#src/sync/device/clock-offset.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/** Server time minus device time, from the fastest answers. */
export type ServerClock = {
  /** Null when never measured, or when the device's clock was set back since. */
  offsetMs: () => number | null
  serverNow: () => number
  /**
   * The server's time in its last answer since this start, ms; null before. It does not depend on this device's clock.
   */
  toldAt: () => number | null
  /** @param serverTime ISO, from the answer. @param askedAt device time of the request, ms. */
  learn(serverTime: string, askedAt: number): void
  /** @param first the fact, read before the database was open */
  load(first?: unknown): Promise<void>
}

/** A slower answer says too little about when it was written, ms. */
const slowestMs = 10_000
/** Both clocks are read in whole milliseconds. */
const roundingMs = 2

export function createServerClock(environment: Environment, hot: HotDatabase): ServerClock {
  let offset: number | null = null
  let told: number | null = null
  let lastWall = environment.now()
  let lastMonotonic = environment.monotonic()

  /**
   * A wall clock that lost time against the monotonic clock was set back, and the offset grows by as much. One that
   * gained may only reflect sleep, so nothing follows from that.
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
    // Only a hint for the next start: the app works without it.
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
      // The answer was written at some point of the round trip. An offset within that range stays: a changing offset
      // would reorder quick scans.
      const uncertainMs = (now - askedAt) / 2 + roundingMs
      if (before === null || Math.abs(measured - before) > uncertainMs) keep(measured)
    },
    async load(first) {
      offset ??= offsetIn(first ?? (await hot.facts.get(clockFact))?.value, environment.now())
    },
  }
}
