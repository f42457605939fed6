import type { FieldProblem } from '#contract/core/error-body.ts'

/**
 * Why a call failed. An expected failure is a value:
 * - `unreachable`: no answer (no network, server stopped, captive portal, time-out);
 * - `signed-out`: the session is over and could not be renewed;
 * - `refused`: the server said no, with its stable code and its sentence.
 */
export type Failure =
  | { kind: 'unreachable'; message: string }
  | { kind: 'signed-out'; message: string }
  | {
      kind: 'refused'
      status: number
      code: string
      message: string
      fields: FieldProblem[]
      retryAfterS: number | null
      details: Record<string, unknown>
    }

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure }
