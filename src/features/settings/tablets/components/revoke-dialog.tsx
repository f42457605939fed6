import type { Tablet } from '#contract/people/tablets.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatCount } from '#src/ui/format.ts'
import { revokeTablet } from '../actions.ts'

/** Says what revoking a tablet does and what it does not, and does it. */
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
            Everyone who is signed in on it, <bdi>{tablet.person_name}</bdi> too, is signed out as soon as it next reaches the server.
          </li>
          <li>PINs stop working on it. Each person signs in there with their password once, and then their PIN works again.</li>
          <li>
            {whatStays(tablet.unsent)} on it. After the next sign-in there it reaches the server, and waits here until you apply or discard
            it.
          </li>
          <li>Files of patients that wait on it cannot be read any more, and are to be chosen again.</li>
          <li>It is not locked: whoever has an account can sign in on it. Without a connection it learns of this only later.</li>
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
  if (unsent > 1) return `${formatCount(unsent)} pieces of work that it had not sent stay`
  return `${unsent === 1 ? 'A piece of work that it had not sent' : 'Work that it has not sent'} stays`
}
