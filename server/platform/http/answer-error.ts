import type { Logger } from 'pino'
import { type ErrorBody, Refusal } from '#contract/core/errors.ts'
import { isDatabaseDown } from '#server/platform/db/database-faults.ts'

const databaseWaitSeconds = 5

/** The answer to a call that did not succeed. What nobody expected is logged under the request's id, which the caller gets too. */
export function answerError(error: unknown, requestId: string, log: Logger): Response {
  if (error instanceof Refusal) return refusalAnswer(error)
  if (isDatabaseDown(error)) {
    log.error({ request_id: requestId, err: error }, 'the database could not be reached')
    return refusalAnswer(new Refusal('database-unreachable', { retry_after_s: databaseWaitSeconds }))
  }
  log.error({ request_id: requestId, err: error }, 'a call failed')
  return refusalAnswer(new Refusal('server-failed', { details: { request_id: requestId } }))
}

export function refusalAnswer(refusal: Refusal): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (refusal.retry_after_s !== undefined) headers.set('retry-after', String(Math.ceil(refusal.retry_after_s)))
  if (refusal.status === 401) headers.set('www-authenticate', 'Bearer')
  const body: ErrorBody = refusal.toBody()
  return new Response(JSON.stringify(body), { status: refusal.status, headers })
}
