import type { HotDatabase } from '#src/db/hot/hot.ts'
import { pause, type Environment } from '#src/sync/device/environment.ts'

export type Exclusion = {
  /** Runs `work` while no other tab and no worker runs any under the same name. */
  exclusively<T>(name: string, patienceMs: number, work: () => Promise<T>): Promise<T>
}

type Lease = { holder: string; until: number }

const leaseMs = 75_000
/**
 * The longest pause between two looks at a lease, ms. Each look writes to the disk, and a long holder is waiting for
 * the network.
 */
const longestLookMs = 1600

/**
 * Uses Web Locks, or a lease in the hot database when there are none.
 *
 * `patienceMs` is how long to wait for the holder. A tab that froze while holding a lock may never release it, so this
 * code then takes the lock away. When the frozen tab wakes up, it continues as if it had the lock. Guarded work must
 * survive that, with a fencing epoch or a server that answers a repeated request the same way.
 */
export function createExclusion(environment: Environment, hot: HotDatabase): Exclusion {
  const holder = environment.newId()

  async function byWebLock<T>(locks: LockManager, name: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
    const impatience = new AbortController()
    const stopClock = environment.schedule(patienceMs, () => impatience.abort())
    let begun = false
    try {
      return await holding(locks, name, { signal: impatience.signal }, () => {
        begun = true
        stopClock()
        return work()
      })
    } catch (error) {
      if (begun || !impatience.signal.aborted) throw error
      // Steal the lock, so that neither the next tab nor this tab's next turn waits for a sleeping tab.
      return await holding(locks, name, { steal: true }, work)
    } finally {
      stopClock()
    }
  }

  async function byLease<T>(name: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
    const key = `lease:${name}`
    const giveUpAt = environment.now() + patienceMs
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, longestLookMs)) {
      const taken = await hot.transaction('rw', hot.facts, async () => {
        const lease = (await hot.facts.get(key))?.value as Lease | undefined
        const now = environment.now()
        if (lease && lease.until > now && lease.until <= now + leaseMs && now < giveUpAt) return false
        await hot.facts.put({ key, value: { holder, until: now + leaseMs } satisfies Lease })
        return true
      })
      if (taken) break
      await pause(environment, waitMs)
    }
    try {
      return await work()
    } finally {
      await hot.transaction('rw', hot.facts, async () => {
        const lease = (await hot.facts.get(key))?.value as Lease | undefined
        if (lease?.holder === holder) await hot.facts.delete(key)
      })
    }
  }

  // The lease cannot tell two callers in one tab apart, so they queue here first.
  const queues = new Map<string, Promise<unknown>>()
  function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(name) ?? Promise.resolve()).then(work, work)
    queues.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }

  return {
    exclusively(name, patienceMs, work) {
      const { locks } = environment
      if (locks) return byWebLock(locks, name, patienceMs, work)
      return inTurn(name, () => byLease(name, patienceMs, work))
    },
  }
}

/**
 * Resolves with the result of `work`, even when another tab steals the lock meanwhile: the browser reports that, and
 * stops nothing.
 */
async function holding<T>(locks: LockManager, name: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const begun: Promise<T>[] = []
  try {
    return await locks.request(name, options, () => {
      const working = work()
      begun.push(working)
      return working
    })
  } catch (error) {
    const [working] = begun
    if (!working) throw error
    return await working
  }
}
