import { Link } from '@tanstack/react-router'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Fact } from '#src/ui/facts.tsx'

/** A link from a patient's page to their invitation, for users who may invite. */
export function PortalFact({ idPatient }: { idPatient: string }) {
  const mayInvite = useSession((session) => session.home?.permissions.includes('patient.write')) === true
  if (!mayInvite) return null
  return (
    <Fact term="Portal">
      <Link
        to="/pt-portal"
        search={{ invite: idPatient }}
        className="inline-flex min-h-target items-center underline decoration-line-strong underline-offset-4"
      >
        Invite to the portal
      </Link>
    </Fact>
  )
}
