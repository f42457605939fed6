import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PortalScreen } from '#src/features/patients/portal/portal-screen.tsx'

export const Route = createFileRoute('/_shell/pt-portal')({
  // The server refuses an id that is no patient's.
  validateSearch: ({ invite, part }: { invite?: unknown; part?: unknown }): { invite?: string; part?: string } => ({
    ...(typeof invite === 'string' && { invite }),
    ...(typeof part === 'string' && { part }),
  }),
  component: PortalPage,
})

function PortalPage() {
  const { invite, part } = Route.useSearch()
  const navigate = useNavigate()
  return <PortalScreen invite={invite ?? null} part={part ?? null} onInvited={() => void navigate({ to: '/pt-portal', replace: true })} />
}
