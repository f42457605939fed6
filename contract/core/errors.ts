import type { ErrorBody, ErrorEntries, FieldProblem } from '#contract/core/error-body.ts'
import { countErrors } from '#contract/counts/count-errors.ts'
import { insuranceErrors } from '#contract/insurance/insurance-errors.ts'
import { libraryErrors } from '#contract/library/library-errors.ts'
import { patientErrors } from '#contract/patients/patient-errors.ts'
import { peopleErrors } from '#contract/people/people-errors.ts'
import { receivingErrors } from '#contract/receiving/receiving-errors.ts'
import { requestErrors } from '#contract/core/request-errors.ts'
import { returnErrors } from '#contract/returns/return-errors.ts'
import { rxErrors } from '#contract/rx/rx-errors.ts'
import { stockErrors } from '#contract/stock/stock-errors.ts'
import { syncErrors } from '#contract/sync/sync-errors.ts'

export * from '#contract/core/error-body.ts'

/**
 * Every refusal of the server by its code. Each area declares its own in `<area>-errors.ts`; this file only merges them.
 * A code is noun-fact and never changes its meaning.
 */
export const errorCatalog = {
  ...countErrors,
  ...insuranceErrors,
  ...libraryErrors,
  ...patientErrors,
  ...peopleErrors,
  ...receivingErrors,
  ...requestErrors,
  ...returnErrors,
  ...rxErrors,
  ...stockErrors,
  ...syncErrors,
} as const satisfies ErrorEntries

export type ErrorCode = keyof typeof errorCatalog

export const errorCodes = Object.keys(errorCatalog) as ErrorCode[]

/** A refusal as a value: what server features return or throw, and what the client gets back. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields?: FieldProblem[]
  readonly retry_after_s?: number
  readonly details?: Record<string, unknown>

  constructor(
    code: ErrorCode,
    more: { message?: string; fields?: FieldProblem[]; retry_after_s?: number; details?: Record<string, unknown> } = {},
  ) {
    super(more.message ?? errorCatalog[code].message)
    this.name = 'Refusal'
    this.code = code
    this.status = errorCatalog[code].status
    if (more.fields) this.fields = more.fields
    if (more.retry_after_s !== undefined) this.retry_after_s = more.retry_after_s
    if (more.details) this.details = more.details
  }

  toBody(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.fields && { fields: this.fields }),
      ...(this.retry_after_s !== undefined && { retry_after_s: this.retry_after_s }),
      ...(this.details && { details: this.details }),
    }
  }
}
