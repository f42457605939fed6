import { createRouter, lazyRouteComponent, type RouterHistory } from '@tanstack/react-router'
import type { RouterContext } from '#src/features/app/shell/router-context.ts'
import { RouteError } from '#src/features/app/shell/route-error.tsx'
import { routeTree } from './routeTree.gen.ts'
import type { Device } from '#src/sync/device/device.ts'
import { PageSpinner } from '#src/ui/spinner.tsx'

/** A page that is not loaded after this time shows that it is loading, ms. */
export const pendingMs = 300

/** The router of the app on a device; a history of its own for tests. */
export function makeRouter(device: Device, history?: RouterHistory) {
  const shown: RouterContext['shown'] = { pathname: null }
  const router = createRouter({
    routeTree,
    context: { device, shown },
    ...(history && { history }),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingMs: pendingMs,
    defaultPendingMinMs: 200,
    defaultPendingComponent: () => <PageSpinner />,
    defaultNotFoundComponent: lazyRouteComponent(() => import('#src/features/app/shell/not-found-screen.tsx'), 'NotFoundScreen'),
    defaultErrorComponent: ({ error, reset }) => <RouteError error={error} reset={reset} />,
  })
  router.subscribe('onResolved', ({ toLocation }) => {
    shown.pathname = toLocation.pathname
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
