import { PanelLeft, ScanSearch } from 'lucide-react'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { isFreeKey } from '#src/device/free-key.ts'
import { keepKeysForDialog } from '#src/device/page-scanner.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { logOut } from './actions.ts'
import { ShellFrame } from './components/shell-frame.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { UserMenu } from './components/user-menu.tsx'
import { isSidebarShortcut, sidebarStore, toggleSidebar } from './model/sidebar-state.ts'
import { isSmallScreen, useSmallScreen, useTightScreen } from './small-screen.ts'

/** Loads after the page. Without it, the tablet has only the deliveries that a user opened. */
const KeepOpenStock = lazy(() =>
  import('#src/domain/kept-stock/keep-open-stock-here.ts').then(
    ({ KeepOpenStock }) => ({ default: KeepOpenStock }),
    () => ({ default: () => null }),
  ),
)
const SideSheet = fetchedDialog(async () => (await import('#src/ui/side-sheet.tsx')).SideSheet)
const KeysDialog = fetchedDialog(async () => (await import('./components/keys-dialog.tsx')).KeysDialog)
const ChangeStoreDialog = fetchedDialog(async () => (await import('./components/change-store-dialog.tsx')).ChangeStoreDialog)

export type ShellLayoutProps = {
  pathname: string
  /** The page needs the width: on a tablet the sidebar shows only icons, whichever width the user chose elsewhere. */
  wantsRoom?: boolean
  /** Settings pages that work. The settings menu lists no others. */
  workingSettings: readonly string[]
  /** The number of waiting items of a page, by its address. */
  waiting?: Readonly<Record<string, number>>
  /** The right side of the header: the connection chip, the install button. */
  headerSlot: ReactNode
  onFrameLookup: () => void
  onAccount: () => void
  onNotifications: () => void
  onClock: () => void
  /** The session is over, and no work is on the screen any more. `byChoice`: the user signed out. */
  onSignedOut: (byChoice: boolean) => void
  onStoreChanged: () => void
  children: ReactNode
}

/** The sidebar, the header, and the page between them. */
export function ShellLayout({
  pathname,
  wantsRoom = false,
  workingSettings,
  waiting = {},
  headerSlot,
  onFrameLookup,
  onAccount,
  onNotifications,
  onClock,
  onSignedOut,
  onStoreChanged,
  children,
}: ShellLayoutProps) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOver = useSession(({ status, ended }) => status === 0 && ended === null)
  const small = useSmallScreen()
  const { expanded: expandedElsewhere, sheetOpen, openedAnyway } = useStore(sidebarStore())
  const tight = useTightScreen()
  const makesRoom = wantsRoom && tight
  const expanded = makesRoom ? openedAnyway : expandedElsewhere
  const [changingStore, setChangingStore] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [isShowingKeys, setShowingKeys] = useState(false)

  // Listens from the first paint on: a passive effect may run a moment later.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === '?' && isFreeKey(event)) setShowingKeys(true)
      if (!isSidebarShortcut(event)) return
      event.preventDefault()
      toggleSidebar(isSmallScreen(), makesRoom)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [makesRoom])

  useEffect(() => {
    if (!makesRoom) sidebarStore().setState({ openedAnyway: false })
  }, [makesRoom])

  useEffect(() => {
    if (isOver && !leaving) onSignedOut(false)
  }, [isOver, leaving, onSignedOut])

  const content = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // The keyboard and the screen reader continue at the new page, unless the page has taken the focus. Wait a frame: a
    // dialog that led here first returns the focus to its button.
    const frame = requestAnimationFrame(() => {
      if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])

  const openFrameLookup = () => {
    keepKeysForDialog()
    onFrameLookup()
  }

  const closeSheet = () => sidebarStore().setState({ sheetOpen: false })

  const sidebar = (wide: boolean) => (
    <Sidebar
      storeName={home?.store_name ?? 'Lorgnette'}
      home={home?.home_navigation ?? []}
      permissions={home?.permissions ?? []}
      workingSettings={workingSettings}
      waiting={waiting}
      pathname={pathname}
      expanded={wide}
      onChosen={closeSheet}
      onSetStore={() => {
        closeSheet()
        setChangingStore(true)
      }}
      userMenu={
        <UserMenu
          firstName={home?.first_name ?? ''}
          email={home?.email ?? ''}
          expanded={wide}
          onAccount={() => {
            closeSheet()
            onAccount()
          }}
          onNotifications={() => {
            closeSheet()
            onNotifications()
          }}
          onClock={() => {
            closeSheet()
            onClock()
          }}
          onLogOut={() => {
            setLeaving(true)
            void logOut(device).then((ended) => {
              if (ended) onSignedOut(true)
              else setLeaving(false)
            })
          }}
        />
      }
    />
  )

  return (
    <>
      <ShellFrame
        expanded={small ? null : expanded}
        sidebar={
          small ? (
            <SideSheet open={sheetOpen} onClose={closeSheet} title="Navigation" side="left" width="navigation" head={false}>
              {sidebar(true)}
            </SideSheet>
          ) : (
            sidebar(expanded)
          )
        }
        header={
          <>
            <IconButton
              label="Toggle Sidebar"
              tooltip="Toggle Sidebar (Ctrl or Cmd + B)"
              icon={<PanelLeft size={20} aria-hidden />}
              aria-expanded={small ? sheetOpen : expanded}
              onClick={() => toggleSidebar(small, makesRoom)}
            />
            {home?.permissions.includes('frame.look-up') &&
              (small ? (
                <IconButton label="Frame lookup" icon={<ScanSearch size={20} aria-hidden />} onClick={openFrameLookup} />
              ) : (
                <Button variant="quiet" icon={<ScanSearch size={18} aria-hidden />} onClick={openFrameLookup}>
                  <span className="max-xl:sr-only">Frame lookup</span>
                </Button>
              ))}
            <div className="ml-auto flex min-w-0 items-center gap-1">{headerSlot}</div>
          </>
        }
        content={content}
      >
        {children}
      </ShellFrame>
      <Suspense>
        <KeepOpenStock />
      </Suspense>
      <KeysDialog open={isShowingKeys} onClose={() => setShowingKeys(false)} />
      <ChangeStoreDialog open={changingStore} onClose={() => setChangingStore(false)} onChanged={onStoreChanged} />
    </>
  )
}
