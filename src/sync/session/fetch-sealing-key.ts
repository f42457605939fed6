import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keptSealingKey, type SealingKey, sealingKeyFact } from '#src/sync/session/sealing-key.ts'

const keyMaxAgeMs = 12 * 3_600_000
const timeoutMs = 8000

type Asking = Pick<Device, 'hot' | 'call'>

/** Returns null when the server cannot be reached. @throws the disk's error */
export async function fetchSealingKey({ hot, call }: Asking, now: number): Promise<SealingKey | null> {
  const answer = await call(timeCardEndpoints.sealingKey, {}, { timeoutMs })
  if (!answer.ok) return null
  const key = { ...answer.value, fetched_at: now }
  await hot.facts.put({ key: sealingKeyFact, value: key })
  return key
}

/** Fetches the key when it is missing or old, so that work can be sealed later without a network. */
export async function refreshSealingKey(asking: Asking, now: number): Promise<void> {
  try {
    const kept = await keptSealingKey(asking.hot)
    if (!kept || Math.abs(now - kept.fetched_at) > keyMaxAgeMs) await fetchSealingKey(asking, now)
  } catch {
    // The disk is full or the database is closed: the next seal finds out and says so. Nothing is lost by waiting.
  }
}
