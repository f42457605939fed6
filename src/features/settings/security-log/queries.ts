import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { securityLogEndpoints, type SecurityView } from '#contract/people/security-log.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

export type SecurityLogPage = ResponseOf<typeof securityLogEndpoints.listSecurityLog>
/** What the log is narrowed to; a text is empty where nothing is chosen. */
export type LogFilter = { view: SecurityView; person: string; from: string; to: string }

export const noFilter: LogFilter = { view: 'events', person: '', from: '', to: '' }

export function useSecurityLog({ view, person, from, to }: LogFilter, page: number): Loaded<SecurityLogPage> {
  const device = useDevice()
  const load = useCallback(
    () =>
      device.call(
        securityLogEndpoints.listSecurityLog,
        { query: { view, page: String(page), ...(person && { person }), ...(from && { from }), ...(to && { to }) } },
        { timeoutMs: 15_000 },
      ),
    [device, view, person, from, to, page],
  )
  return useLoaded(load)
}
