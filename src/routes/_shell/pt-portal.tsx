import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PortalScreen } from '#src/features/portal/portal-screen.tsx'

export const Route = createFileRoute('/_shell/pt-portal')({
  validateSearch: (search): { invite?: string } =>
    typeof search['invite'] === 'string' && /^[0-9a-f-]{36}$/i.test(search['invite']) ? { invite: search['invite'] } : {},
  component: PortalPage,
})

function PortalPage() {
  const { invite } = Route.useSearch()
  const navigate = useNavigate()
  return <PortalScreen invite={invite ?? null} onInvited={() => void navigate({ to: '/pt-portal', replace: true })} />
}
