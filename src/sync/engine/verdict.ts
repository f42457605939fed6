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

/** What an answer means for one command. */
export type Verdict =
  | { kind: 'applied'; receipt: Receipt }
  /** A person decides. */
  | { kind: 'attention'; problem: CommandProblem }
  /** The server asks for patience: not an attempt. */
  | { kind: 'wait'; problem: CommandProblem }
  /** The server failed on it: counted, and set aside after 8 tries over 30 minutes. */
  | { kind: 'failing'; problem: CommandProblem }
  /** Back to its place in the queue as if it had not been sent. */
  | { kind: 'again' }
  | { kind: 'signed-out' }

const patience = new Set([408, 425, 429, 503])
export const triesBeforeSetAside = 8
export const setAsideAfterMs = 30 * 60_000
/** Whatever a server asks for and whatever the clock did meanwhile: longer than this nothing waits for its next try. */
export const longestWaitMs = 3_600_000

/** From when to when nothing is tried again, ms of this device's clock. */
export type Wait = { since: number; until: number }
export const noWait: Wait = { since: 0, until: 0 }

/** A wait that has not begun yet, or is longer than any, was written under a clock that has been put right since. */
export function isOn({ since, until }: Wait, now: number): boolean {
  return since <= now && now < until && until - since <= longestWaitMs
}

/** The table of answers, for one command whose receipt (or lack of one) is known. */
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

/** What an answer means for a whole request. */
export type RequestVerdict =
  /** Nothing of it arrived, as far as we know; everything pauses. */
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
  // Blocked is whom one punch names; nobody else’s work waits for that.
  if (code === 'login-blocked') return { kind: 'judge', verdict: judgeRefusal({ code, message, status, retryAfterS }) }
  if (patience.has(status)) return { kind: 'pause', ms: retryAfterS === null ? null : Math.min(retryAfterS * 1000, longestWaitMs) }
  // A server that does not know the call is not the one we were made for; it says nothing about the work.
  if (code === 'call-unknown' || code === 'method-wrong') return { kind: 'pause', ms: null }
  if (commands > 1) return { kind: 'halve' }
  return { kind: 'judge', verdict: judgeRefusal({ code, message, status, retryAfterS, fields, details }) }
}

const longestBackoffMs = 300_000

/** Full jitter between 1 s and 5 min. @param failures how many there were before this one */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestBackoffMs, 2000 * 2 ** Math.min(failures, 12))
  return Math.max(1000, Math.round(random() * ceiling))
}

/** What waits, whatever it is: a command in the outbox, or a file. */
type Waiting = Pick<OutboxCommand, 'state' | 'attempts' | 'failing_since' | 'not_before' | 'last_error'>

/** The command as it stands in the outbox after a verdict that leaves it there: the very same where nothing changes. */
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
 * Since when the server has failed on it, as the clock tells it now. Between two tries passes what a pause may last and no
 * more: neither a clock that was put right nor a night in a drawer makes half an hour of failing.
 */
function failingSince({ failing_since, last_error }: Waiting, verdict: 'failing' | 'wait', now: number): number | null {
  if (failing_since === null) return verdict === 'failing' ? now : null
  const triedAt = last_error === null ? failing_since : Date.parse(last_error.at)
  const before = Math.max(0, triedAt - failing_since)
  const since = verdict === 'failing' ? Math.min(Math.max(0, now - triedAt), longestBackoffMs) : 0
  return now - before - since
}

/** A sentence of the checking library quotes what it was given, which may be a patient's. */
function withoutValue({ path, message }: FieldProblem): FieldProblem {
  return { path, message: message.startsWith('Invalid') ? 'is not valid' : message }
}

function inState<C extends Waiting>(command: C, state: Waiting['state']): C {
  return command.state === state ? command : { ...command, state }
}
