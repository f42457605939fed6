import type { ResponseOf } from '#contract/core/endpoint.ts'
import { securityLogEndpoints, type SecurityView } from '#contract/people/security-log.ts'
import { usePage } from '#src/sync/react/use-page.ts'

export type SecurityLogPage = ResponseOf<typeof securityLogEndpoints.listSecurityLog>
/** The filters of the log. An empty text does not filter. */
export type LogFilter = { view: SecurityView; person: string; from: string; to: string }

export const noFilter: LogFilter = { view: 'events', person: '', from: '', to: '' }

export function useSecurityLog({ view, person, from, to }: LogFilter) {
  const query = { view, ...(person && { person }), ...(from && { from }), ...(to && { to }) }
  return usePage(securityLogEndpoints.listSecurityLog, query, 'entries', { timeoutMs: 15_000 })
}
