import { type PortalInvitation, portalEndpoints } from '#contract/patients/portal.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'

/** Explains the effect of revoking an invitation, and revokes it. */
export function RevokeInvitationDialog({ invitation, onClose }: { invitation: PortalInvitation; onClose: (isChanged: boolean) => void }) {
  const device = useDevice()

  async function revoke() {
    const answer = await device.call(portalEndpoints.revokeInvitation, { params: { id: invitation.id } })
    if (!answer.ok) return { title: `NOT REVOKED. ${answer.failure.message}` }
    const title = (
      <>
        The invitation for <bdi>{invitation.patient_name}</bdi> was revoked
      </>
    )
    showToast({ title, tone: 'good' })
    onClose(true)
    return null
  }

  return (
    <SureDialog
      title={
        <>
          Revoke the invitation for <bdi>{invitation.patient_name}</bdi>?
        </>
      }
      text="The link stops working right away. The patient’s consents and forms are kept. You can invite them again."
      yes="Revoke"
      no="Keep it"
      danger
      onYes={revoke}
      onClose={() => onClose(false)}
    />
  )
}
