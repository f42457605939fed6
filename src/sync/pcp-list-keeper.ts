import { pcpEndpoints } from '#contract/pcps.ts'
import type { Device } from '#src/sync/device.ts'

const hourMs = 3_600_000
const timeoutMs = 30_000

/**
 * Asks for the list of primary care providers where patients are kept, once an hour and for whoever comes: the worker keeps the answer, and so a
 * patient's provider has a name without a connection, though nobody has looked at it before.
 */
export function createPcpListKeeper(call: Device['call'], now: () => number): (seat: string) => Promise<void> {
  let last: { seat: string; at: number } | null = null
  return async (seat) => {
    if (last?.seat === seat && now() - last.at < hourMs) return
    const mine = { seat, at: now() }
    last = mine
    const answer = await call(pcpEndpoints.pcpCards, {}, { timeoutMs })
    // Without a connection it is asked for with the next pull.
    if (!answer.ok && last === mine) last = null
  }
}
