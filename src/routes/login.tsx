import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { LoginScreen } from '#src/features/app/login/login-screen.tsx'
import { safeDestination } from '#src/features/app/shell/guards.ts'

// A sign-out in the running app leads here. A page load at this address begins at the front door.
export const Route = createFileRoute('/login')({
  validateSearch: (search): { to?: string } => {
    const to = safeDestination(search['to'])
    return to === '/' ? {} : { to }
  },
  beforeLoad: async ({ context, preload }) => {
    // Visiting the login screen ends the session. The outbox stays.
    if (!preload) await context.device.session.deleteTokens()
  },
  component: Login,
})

function Login() {
  const { to } = Route.useSearch()
  const { device } = Route.useRouteContext()
  const [opened] = useState(() => Promise.resolve(device))
  const router = useRouter()
  const navigate = useNavigate()
  return <LoginScreen device={opened} to={to} onSignedIn={() => (to ? router.history.push(to) : void navigate({ to: '/' }))} />
}
