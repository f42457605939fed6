import { pcpEndpoints } from '#contract/pcps.ts'
import type { Device } from '#src/sync/device.ts'
import type { Environment } from '#src/sync/environment.ts'

const hourMs = 3_600_000
const timeoutMs = 30_000
/** A worker that has just been installed is in charge a moment later; what it was not asked for it does not keep. */
const workerMs = 5000

type Parts = { call: Device['call']; environment: Pick<Environment, 'now' | 'schedule' | 'codeIsKept'> }

/**
 * Asks for the list of primary care providers where patients are kept, once an hour and for whoever comes: the worker keeps the answer, and so a
 * patient's provider has a name without a connection, though nobody has looked at it before.
 */
export function createPcpListKeeper({ call, environment }: Parts): { ask: (seat: string) => void; close: () => void } {
  let last: { seat: string; at: number } | null = null
  let stopWaiting = () => {}

  function ask(seat: string) {
    stopWaiting()
    if (last?.seat === seat && environment.now() - last.at < hourMs) return
    if (environment.codeIsKept?.() ?? true) void fetchFor(seat)
    else stopWaiting = environment.schedule(workerMs, () => ask(seat))
  }

  async function fetchFor(seat: string) {
    const mine = { seat, at: environment.now() }
    last = mine
    const answer = await call(pcpEndpoints.pcpCards, {}, { timeoutMs }).catch(() => null)
    // Without a connection it is asked for with the next pull.
    if (!answer?.ok && last === mine) last = null
  }

  return { ask, close: () => stopWaiting() }
}
