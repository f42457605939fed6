import { type InvitationState, portalEndpoints } from '#contract/patients/portal.ts'
import { useAnswer } from '#src/sync/react/use-kept.ts'
import { usePage } from '#src/sync/react/use-page.ts'

const timeoutMs = 15_000

export const useSummary = () => useAnswer(portalEndpoints.portalSummary, {}, { timeoutMs })

export function useInvitations(status: InvitationState | null) {
  return usePage(portalEndpoints.listInvitations, { ...(status && { status }) }, 'invitations', { timeoutMs })
}

export function useInbox(isDone: boolean) {
  return usePage(portalEndpoints.listPortalMessages, { done: isDone ? 'yes' : 'no' }, 'messages', { timeoutMs })
}

export function useIntakes(isReviewed: boolean) {
  return usePage(portalEndpoints.listIntakes, { reviewed: isReviewed ? 'yes' : 'no' }, 'intakes', { timeoutMs })
}

export const useIntake = (id: string) => useAnswer(portalEndpoints.readIntake, { params: { id } }, { timeoutMs })
export const usePreview = (id: string) => useAnswer(portalEndpoints.previewInvitation, { params: { id } }, { timeoutMs })
