import { Link } from '@tanstack/react-router'
import { useSession } from '#src/sync/react/device-context.tsx'

/** A link from a patient's page to their invitation, for users who may invite. */
export function PortalFact({ idPatient }: { idPatient: string }) {
  const mayInvite = useSession((session) => session.home?.permissions.includes('patient.write')) === true
  if (!mayInvite) return null
  return (
    <div>
      <dt className="text-sm text-ink-2">Portal</dt>
      <dd>
        <Link
          to="/pt-portal"
          search={{ invite: idPatient }}
          className="-my-2 inline-flex min-h-target items-center font-medium underline decoration-line-strong underline-offset-4"
        >
          Invite to the portal
        </Link>
      </dd>
    </div>
  )
}
