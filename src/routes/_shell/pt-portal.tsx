import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PortalScreen } from '#src/features/patients/portal/portal-screen.tsx'

export const Route = createFileRoute('/_shell/pt-portal')({
  // The server refuses an id that is no patient's.
  validateSearch: ({ invite }): { invite?: string } => (typeof invite === 'string' ? { invite } : {}),
  component: PortalPage,
})

function PortalPage() {
  const { invite } = Route.useSearch()
  const navigate = useNavigate()
  return <PortalScreen invite={invite ?? null} onInvited={() => void navigate({ to: '/pt-portal', replace: true })} />
}
