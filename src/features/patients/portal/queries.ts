import { useCallback } from 'react'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { type InvitationState, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

const timeoutMs = 15_000

/** What only the server tells. `key` says what is asked for: another key asks anew. */
function useAsked<E extends Endpoint>(endpoint: E, key: string): Loaded<ResponseOf<E>> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(endpoint, JSON.parse(key) as RequestOf<E>, { timeoutMs }),
    // The request is told by its text, so that it keeps its identity.
    [device, endpoint, key],
  )
  return useLoaded(load)
}

export const useSummary = () => useAsked(portalEndpoints.portalSummary, '{}')

export function useInvitations(status: InvitationState | null, page: number) {
  return useAsked(portalEndpoints.listInvitations, JSON.stringify({ query: { ...(status && { status }), page: String(page) } }))
}

export function useInbox(done: boolean, page: number) {
  return useAsked(portalEndpoints.listPortalMessages, JSON.stringify({ query: { done: done ? 'yes' : 'no', page: String(page) } }))
}

export function useIntakes(reviewed: boolean, page: number) {
  return useAsked(portalEndpoints.listIntakes, JSON.stringify({ query: { reviewed: reviewed ? 'yes' : 'no', page: String(page) } }))
}

export const useIntake = (id: string) => useAsked(portalEndpoints.readIntake, JSON.stringify({ params: { id } }))
export const usePreview = (id: string) => useAsked(portalEndpoints.previewInvitation, JSON.stringify({ params: { id } }))
