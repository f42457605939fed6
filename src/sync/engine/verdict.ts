import type { FieldProblem } from '#contract/core/error-body.ts'
import type { Receipt } from '#contract/sync/sync.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { CommandError, OutboxCommand } from '#src/db/hot/hot.ts'

export type CommandProblem = {
  code: string
  message: string
  status: number | null
  retryAfterS: number | null
  fields?: FieldProblem[] | undefined
  details?: Record<string, unknown> | undefined
}

/** The meaning of an answer for one command. */
export type Verdict =
  | { kind: 'applied'; receipt: Receipt }
  /** The user decides. */
  | { kind: 'attention'; problem: CommandProblem }
  /** The server asks to wait: not an attempt. */
  | { kind: 'wait'; problem: CommandProblem }
  /** The server failed on it. After 8 tries over 30 minutes it is set aside. */
  | { kind: 'failing'; problem: CommandProblem }
  /** Back to its place in the queue, as if it had not been sent. */
  | { kind: 'again' }
  | { kind: 'signed-out' }

const patience = new Set([408, 425, 429, 503])
export const triesBeforeSetAside = 8
export const setAsideAfterMs = 30 * 60_000
/** No wait is longer than this, ms, even when a server asks for more or the clock jumps. */
export const longestWaitMs = 3_600_000

/** A time without tries, in ms of this device's clock. */
export type Wait = { since: number; until: number }
export const noWait: Wait = { since: 0, until: 0 }

/** False for a wait that has not begun yet or is too long: a wrong clock wrote it. */
export function isOn({ since, until }: Wait, now: number): boolean {
  return since <= now && now < until && until - since <= longestWaitMs
}

/** Judges one command by its receipt, or by the lack of one. */
export function judgeReceipt(command: Pick<OutboxCommand, 'body_hash'>, receipt: Receipt | undefined): Verdict {
  if (!receipt) return { kind: 'again' }
  if (receipt.body_hash !== command.body_hash) {
    return {
      kind: 'failing',
      problem: { code: 'receipt-mismatch', message: 'The server’s receipt is for different work', status: null, retryAfterS: null },
    }
  }
  if (receipt.outcome === 'applied') return { kind: 'applied', receipt }
  const error = receipt.error ?? { status: 422, code: 'refused', message: 'The server refused this with no reason' }
  return judgeRefusal({ ...error, retryAfterS: receipt.error?.retry_after_s ?? null })
}

export function judgeRefusal(problem: CommandProblem): Verdict {
  const status = problem.status ?? 0
  if (patience.has(status)) return { kind: 'wait', problem }
  if (status >= 500) return { kind: 'failing', problem }
  return { kind: 'attention', problem }
}

/** The meaning of an answer for a whole request. */
export type RequestVerdict =
  /** Nothing arrived, as far as we know. Everything pauses. */
  | { kind: 'pause'; ms: number | null }
  | { kind: 'renew' }
  | { kind: 'session-over' }
  | { kind: 'update' }
  /** One of several commands is the reason, or all together are too large: send fewer. */
  | { kind: 'halve' }
  | { kind: 'judge'; verdict: Verdict }

export function judgeFailure(failure: Failure, commands: number): RequestVerdict {
  if (failure.kind === 'unreachable') return { kind: 'pause', ms: null }
  if (failure.kind === 'signed-out') return { kind: 'session-over' }
  const { status, code, message, retryAfterS, fields, details } = failure
  if (status === 401) return code === 'token-expired' ? { kind: 'renew' } : { kind: 'session-over' }
  if (status === 426) return { kind: 'update' }
  // Only the person of one punch is blocked. The work of others does not wait for that.
  if (code === 'login-blocked') return { kind: 'judge', verdict: judgeRefusal({ code, message, status, retryAfterS }) }
  if (patience.has(status)) return { kind: 'pause', ms: retryAfterS === null ? null : Math.min(retryAfterS * 1000, longestWaitMs) }
  // A server without this call is not our server, so its answer says nothing about the work.
  if (code === 'call-unknown' || code === 'method-wrong') return { kind: 'pause', ms: null }
  if (commands > 1) return { kind: 'halve' }
  return { kind: 'judge', verdict: judgeRefusal({ code, message, status, retryAfterS, fields, details }) }
}

const longestBackoffMs = 300_000

/** Full jitter between 1 s and 5 min. @param failures number of failures before this one */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestBackoffMs, 2000 * 2 ** Math.min(failures, 12))
  return Math.max(1000, Math.round(random() * ceiling))
}

/** A waiting command of the outbox, or a waiting file. */
type Waiting = Pick<OutboxCommand, 'state' | 'attempts' | 'failing_since' | 'not_before' | 'last_error'>

/** Returns the command after a verdict that leaves it in the outbox. Returns the same object when nothing changes. */
export function afterVerdict<C extends Waiting>(
  command: C,
  verdict: Exclude<Verdict, { kind: 'applied' }>,
  now: number,
  random: () => number,
): C {
  if (verdict.kind === 'again') return inState(command, 'queued')
  if (verdict.kind === 'signed-out') return inState(command, 'auth-wait')
  const { code, message, status, retryAfterS, fields, details } = verdict.problem
  const last_error: CommandError = {
    code,
    message,
    status,
    at: new Date(now).toISOString(),
    ...(fields && fields.length > 0 && { fields: fields.map(withoutValue) }),
    ...(details && Object.keys(details).length > 0 && { details }),
  }
  if (verdict.kind === 'attention') return { ...command, state: 'needs-attention', last_error }
  const attempts = command.attempts + (verdict.kind === 'failing' ? 1 : 0)
  const failing_since = failingSince(command, verdict.kind, now)
  if (attempts >= triesBeforeSetAside && failing_since !== null && now - failing_since >= setAsideAfterMs) {
    return { ...command, state: 'needs-attention', last_error, attempts, failing_since }
  }
  const waits = retryAfterS === null ? backoffMs(attempts, random) : Math.min(retryAfterS * 1000, longestWaitMs)
  return { ...command, state: 'retry-wait', last_error, attempts, failing_since, not_before: now + waits }
}

/**
 * Returns since when the server has failed on it, by the present clock. The time between two tries counts for at most
 * the longest pause. So neither a corrected clock nor a night in a drawer adds up to half an hour.
 */
function failingSince({ failing_since, last_error }: Waiting, verdict: 'failing' | 'wait', now: number): number | null {
  if (failing_since === null) return verdict === 'failing' ? now : null
  const triedAt = last_error === null ? failing_since : Date.parse(last_error.at)
  const before = Math.max(0, triedAt - failing_since)
  const since = verdict === 'failing' ? Math.min(Math.max(0, now - triedAt), longestBackoffMs) : 0
  return now - before - since
}

/** A message of the checking library may quote the value, which may be a patient's. */
function withoutValue({ path, message }: FieldProblem): FieldProblem {
  return { path, message: message.startsWith('Invalid') ? 'is not valid' : message }
}

function inState<C extends Waiting>(command: C, state: Waiting['state']): C {
  return command.state === state ? command : { ...command, state }
}
