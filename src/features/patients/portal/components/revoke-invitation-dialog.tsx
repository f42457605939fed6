import { type PortalInvitation, portalEndpoints } from '#contract/patients/portal.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'

/** Says what revoking does and what it does not, and does it. */
export function RevokeInvitationDialog({ invitation, onClose }: { invitation: PortalInvitation; onClose: (isChanged: boolean) => void }) {
  const device = useDevice()

  async function revoke() {
    const answer = await device.call(portalEndpoints.revokeInvitation, { params: { id: invitation.id } })
    if (!answer.ok) return { title: `NOT REVOKED. ${answer.failure.message}` }
    const title = (
      <>
        The invitation of <bdi>{invitation.patient_name}</bdi> is revoked
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
          Revoke the invitation of <bdi>{invitation.patient_name}</bdi>?
        </>
      }
      text="The link opens nothing from that moment. What the patient agreed to and sent stays. They can be invited again."
      yes="Revoke"
      no="Keep it"
      danger
      onYes={revoke}
      onClose={() => onClose(false)}
    />
  )
}
