import { errorCatalog } from '#contract/core/errors.ts'
import { refusalAlert } from '#contract/people/security-log.ts'
import type { Database } from '#server/platform/db/database.ts'
import { currentRequest } from '#server/platform/http/request-context.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import type { Services } from '#server/platform/services.ts'

/** The refusals of one session since the window began, by call and code. */
type Window = { since: number; total: number; alerted: boolean; byCall: Map<string, { counted: number; noted: number }> }

const windows = new WeakMap<Database, Map<string, Window>>()
/** The most sessions that are remembered. */
const remembered = 10_000

/**
 * Notes that the caller may not do what they asked for. It groups equal refusals: within the window the 1st, 10th,
 * 100th … refusal of a call writes a row with the count since the last row. Many refusals of one session write a row
 * that alerts the managers. Each process counts its own calls.
 * @param detail the call and the code, or the command and the code
 */
export async function noteRefusal(services: Pick<Services, 'db' | 'clock' | 'log'>, detail: string): Promise<void> {
  const request = currentRequest()
  const session = request?.caller?.session_id
  const window = windowOf(services, session ?? `address ${request?.address ?? ''}`)
  const call = window.byCall.get(detail) ?? { counted: 0, noted: 0 }
  window.byCall.set(detail, call)
  window.total += 1
  call.counted += 1
  const times = call.counted - call.noted
  const isDue = Number.isInteger(Math.log10(call.counted))
  if (isDue) call.noted = call.counted
  const isAlert = session !== undefined && !window.alerted && window.total >= refusalAlert.refusals
  if (isAlert) window.alerted = true
  try {
    if (isDue) await noteSecurityEvent(services, { kind: 'refused', detail, times })
    if (isAlert) await noteSecurityEvent(services, { kind: 'refusals-repeated', detail, times: window.total })
  } catch (error) {
    // The refusal holds even when the log cannot be written.
    services.log.error({ request_id: request?.request_id, err: error }, 'a refusal could not be noted')
  }
}

/** `noteRefusal` for the commands of a push that their author may not do. */
export async function noteForbiddenCommands(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  judged: readonly { kind: string; as: string | undefined }[],
): Promise<void> {
  const statuses: Record<string, { status: number }> = errorCatalog
  for (const { kind, as = '' } of judged) if (statuses[as]?.status === 403) await noteRefusal(services, `${kind} ${as}`)
}

function windowOf({ db, clock }: Pick<Services, 'db' | 'clock'>, key: string): Window {
  const now = clock.now()
  const known = windows.get(db) ?? new Map<string, Window>()
  windows.set(db, known)
  const isOver = ({ since }: Window) => now - since >= refusalAlert.windowMs || now < since
  const before = known.get(key)
  if (before && !isOver(before)) return before
  if (known.size >= remembered) for (const [each, window] of known) if (isOver(window)) known.delete(each)
  if (known.size >= remembered) known.clear()
  const window: Window = { since: now, total: 0, alerted: false, byCall: new Map() }
  known.set(key, window)
  return window
}
