import { createFileRoute, Outlet, redirect, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useCallback, useState } from 'react'
import type { SettingsTab } from '#src/features/app/settings-dialog/settings-dialog.tsx'
import { useAlertCount } from '#src/features/settings/security-log/use-alert-count.ts'
import { mayShow } from '#src/features/app/shell/guards.ts'
import { RouteError } from '#src/features/app/shell/route-error.tsx'
import { useSmallScreen } from '#src/features/app/shell/small-screen.ts'
import { ShellLayout } from '#src/features/app/shell/shell-layout.tsx'
import { SyncChip } from '#src/features/app/sync-center/sync-chip.tsx'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useWork } from '#src/sync/react/use-work.ts'
import { workingSettings } from '#src/routes/_shell/-working-settings.ts'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { useHasOpenForm } from '#src/ui/open-forms.ts'
import { quietMoment } from '#src/ui/quiet-moment.ts'

export const Route = createFileRoute('/_shell')({
  beforeLoad: ({ context, location }) => {
    if (!mayShow(context, location.pathname)) throw redirect({ to: '/login', search: location.href === '/' ? {} : { to: location.href } })
  },
  component: Shell,
  errorComponent: ({ error, reset }) => <RouteError error={error} reset={reset} />,
})

const FrameLookupDialog = fetchedDialog(
  async () => (await import('#src/features/stock/frame-lookup/frame-lookup-dialog.tsx')).FrameLookupDialog,
)
const ClockDialog = fetchedDialog(async () => (await import('#src/features/people/time-clock/clock-dialog.tsx')).ClockDialog)
const SettingsDialog = fetchedDialog(async () => (await import('#src/features/app/settings-dialog/settings-dialog.tsx')).SettingsDialog)

/** A component that loads after the page shows. The page works without it when it cannot load. */
function quietly<Props extends object>(fetch: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(() =>
    quietMoment()
      .then(fetch)
      .then(
        (Part) => ({ default: Part }),
        () => ({ default: () => null }),
      ),
  )
}
const HeaderSearch = quietly(async () => (await import('#src/features/patients/patients/header-search.tsx')).HeaderSearch)
const InstallButton = quietly(async () => (await import('#src/features/app/install/install-button.tsx')).InstallButton)

/** An open count sheet, which is read from five feet. */
const countPath = /^\/inventory\/count-sheets\/[^/]+/
/** The home page has the whole search, with all its fields. */
const homePaths = ['/', '/dashboard']

function Shell() {
  const router = useRouter()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const small = useSmallScreen()
  const alerts = useAlertCount()
  useWork(useHasOpenForm() ? 'form' : null)
  const [dialog, setDialog] = useState<{ frame: string } | 'clock' | null>(null)
  const mayLookUp = useSession(({ home }) => home?.permissions.includes('frame.look-up') ?? false)
  const [settings, setSettings] = useState<{ open: boolean; tab: SettingsTab }>({ open: false, tab: 'account' })

  const onSignedOut = useCallback(
    (byChoice: boolean) => {
      const { href } = router.state.location
      void router.navigate({ to: '/login', search: byChoice || href === '/' ? {} : { to: href } })
    },
    [router],
  )

  return (
    <ShellLayout
      pathname={pathname}
      wantsRoom={countPath.test(pathname)}
      workingSettings={workingSettings}
      waiting={{ '/settings/inventory': pathname.startsWith('/settings') ? 0 : alerts, '/settings/security-log': alerts }}
      headerSlot={
        <>
          <Suspense>
            <HeaderSearch
              small={small || countPath.test(pathname)}
              isHome={homePaths.includes(pathname)}
              onFrame={mayLookUp ? (frame) => setDialog({ frame }) : undefined}
            />
            <InstallButton />
          </Suspense>
          <SyncChip />
        </>
      }
      onFrameLookup={() => setDialog({ frame: '' })}
      onAccount={() => setSettings({ open: true, tab: 'account' })}
      onNotifications={() => setSettings({ open: true, tab: 'notifications' })}
      onClock={() => setDialog('clock')}
      onSignedOut={onSignedOut}
      onStoreChanged={() => void router.invalidate()}
    >
      <Outlet />
      <FrameLookupDialog
        open={dialog !== null && dialog !== 'clock'}
        initialCode={dialog !== null && dialog !== 'clock' ? dialog.frame : ''}
        onClose={() => setDialog(null)}
      />
      <ClockDialog open={dialog === 'clock'} onClose={() => setDialog(null)} />
      <SettingsDialog
        key={settings.tab}
        open={settings.open}
        firstTab={settings.tab}
        onClose={() => setSettings({ ...settings, open: false })}
      />
    </ShellLayout>
  )
}
