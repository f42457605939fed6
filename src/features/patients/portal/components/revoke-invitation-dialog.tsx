import { useState } from 'react'
import { type PortalInvitation, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'

/** Says what revoking does and what it does not, and does it. */
export function RevokeInvitationDialog({ invitation, onClose }: { invitation: PortalInvitation; onClose: (isChanged: boolean) => void }) {
  const device = useDevice()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function revoke() {
    setBusy(true)
    setProblem(null)
    const answer = await device.call(portalEndpoints.revokeInvitation, { params: { id: invitation.id } })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.failure.message)
    const title = (
      <>
        The invitation for <bdi>{invitation.patient_name}</bdi> was revoked
      </>
    )
    showToast({ title, tone: 'good' })
    onClose(true)
  }

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      role="alertdialog"
      closeOnOutside={false}
      size="sm"
      title={
        <>
          Revoke the invitation for <bdi>{invitation.patient_name}</bdi>?
        </>
      }
      footer={
        <>
          <Button onClick={() => onClose(false)}>Keep it</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void revoke()}>
            Revoke
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem !== null && <Notice tone="bad" title={`NOT REVOKED. ${problem}`} />}
        <p>The link stops working right away. The patient’s consents and forms are kept. You can invite them again.</p>
      </div>
    </Dialog>
  )
}
