import type { Tablet } from '#contract/people/tablets.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatCount } from '#src/ui/format.ts'
import { revokeTablet } from '../actions.ts'

/** Explains the effect of revoking a tablet, and revokes it. */
export function RevokeDialog({ tablet, onClose, onRevoked }: { tablet: Tablet; onClose: () => void; onRevoked: () => void }) {
  const device = useDevice()

  async function revoke() {
    const refused = await revokeTablet(device, tablet)
    if (refused) return { title: 'NOT REVOKED', text: refused.message }
    onRevoked()
    return null
  }

  return (
    <SureDialog
      title={`Revoke “${tablet.name}”?`}
      text={
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            Everyone signed in on it, <bdi>{tablet.person_name}</bdi> too, is signed out the next time it reaches the server.
          </li>
          <li>PINs stop working on it. Each person must sign in there once with their password before their PIN works again.</li>
          <li>
            {whatStays(tablet.unsent)} on it. After the next sign-in there, it’s sent to the server and waits here until you apply or
            discard it.
          </li>
          <li>Patient files waiting on it can no longer be read and must be added again.</li>
          <li>It isn’t locked: anyone with an account can sign in on it. If it’s offline, this takes effect when it reconnects.</li>
        </ul>
      }
      yes="Revoke"
      no="Keep it"
      danger
      onYes={revoke}
      onClose={onClose}
    />
  )
}

function whatStays(unsent: number): string {
  if (unsent > 1) return `${formatCount(unsent)} unsent items stay`
  return `${unsent === 1 ? 'One unsent item' : 'Unsent work'} stays`
}
