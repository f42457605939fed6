import { createRootRouteWithContext, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { LockPlace } from '#src/features/app/login/lock-place.tsx'
import { InstallLayer } from '#src/features/app/install/install-layer.tsx'
import { RouteError } from '#src/features/app/shell/route-error.tsx'
import type { RouterContext } from '#src/features/app/shell/router-context.ts'
import { ToastArea } from '#src/ui/toast.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: ({ error, reset }) => (
    <main className="px-6">
      <RouteError error={error} reset={reset} />
    </main>
  ),
})

function Root() {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const navigate = useNavigate()
  return (
    <>
      <Outlet />
      <InstallLayer pathname={pathname} />
      <ToastArea />
      <LockPlace pathname={pathname} leaveTo={(to) => navigate({ to })} reload={(path) => location.replace(path)} />
    </>
  )
}
