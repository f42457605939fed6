import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { keepPatientList } from '#src/sync/patients/patient-lists.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'

const patientLists = [pcpEndpoints.pcpCards, patientEndpoints.patientChoices] as const

const hourMs = 3_600_000
const timeoutMs = 30_000
/** A new worker takes over a moment later, ms. It keeps only the answers to its own requests. */
const workerMs = 5000

type Parts = {
  call: Device['call']
  hot: Device['hot']
  session: Pick<SessionKeeper, 'home'>
  environment: Pick<Environment, 'now' | 'schedule' | 'codeIsKept' | 'report'>
}

/**
 * Fetches the reference lists of patients' records, once an hour for each user and store, on a device that keeps
 * patients. The worker keeps the answers for the session. This tablet keeps them for the next session without a
 * connection. So a patient's provider has a name even before any user has looked at them.
 */
export function createPatientListsKeeper({ call, hot, session, environment }: Parts): { ask: (seat: string) => void; close: () => void } {
  let last: { seat: string; at: number } | null = null
  let stopWaiting = () => {}
  let closed = false

  function ask(seat: string) {
    stopWaiting()
    if (last?.seat === seat && environment.now() - last.at < hourMs) return
    if (environment.codeIsKept?.() ?? true) void fetchFor(seat)
    else stopWaiting = environment.schedule(workerMs, () => ask(seat))
  }

  async function fetchFor(seat: string) {
    const mine = { seat, at: environment.now() }
    last = mine
    const home = session.home()
    const fetched = patientLists.map(async (list) => {
      const answer = await call(list, {}, { timeoutMs }).catch(() => null)
      if (answer?.ok && home && !closed) await keepPatientList(hot, home, list, answer.value).catch(report)
      return answer?.ok ?? false
    })
    // Without a connection, the next pull fetches them.
    if (!(await Promise.all(fetched)).every(Boolean) && last === mine) last = null
  }

  /** Errors after the app closed are not reported. */
  function report(error: unknown) {
    if (!closed) environment.report(error)
  }

  function close() {
    closed = true
    stopWaiting()
  }

  return { ask, close }
}
