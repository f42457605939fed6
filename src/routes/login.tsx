import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { LoginScreen } from '#src/features/login/login-screen.tsx'
import { safeDestination } from '#src/features/shell/guards.ts'

export const Route = createFileRoute('/login')({
  validateSearch: (search): { to?: string } => {
    const to = safeDestination(search['to'])
    return to === '/' ? {} : { to }
  },
  beforeLoad: async ({ context, preload }) => {
    // Visiting the login screen ends the session. What waits to be sent stays.
    if (!preload) await context.device.session.deleteTokens()
  },
  component: Login,
})

function Login() {
  const { to } = Route.useSearch()
  const router = useRouter()
  const navigate = useNavigate()
  // The shortcut to the time clock leads here when nobody is signed in: then the card shows its back.
  const firstSide = to?.startsWith('/time-clock') ? 'clock' : 'login'
  return <LoginScreen firstSide={firstSide} onSignedIn={() => (to ? router.history.push(to) : void navigate({ to: '/' }))} />
}
