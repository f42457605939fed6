import { MessageSquare, Store } from 'lucide-react'
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import type { Permission } from '#contract/core/roles.ts'
import type { NavigationItem } from '#contract/people/session.ts'
import { groupHome } from '#src/features/app/shell/model/navigation.ts'
import { NavigationIcon } from './navigation-icon.tsx'
import type { SettingsPagesProps } from './settings-pages.tsx'
import { Entry, entryClasses, EntryText } from './sidebar-entry.tsx'
import { SidebarGroups } from './sidebar-groups.tsx'

export type SidebarProps = {
  storeName: string
  /** The user's own list. */
  home: readonly NavigationItem[]
  permissions: readonly Permission[]
  /** Settings pages that work. */
  workingSettings: readonly string[]
  /** The number of waiting items of a page, by its address. */
  waiting?: Readonly<Record<string, number>>
  pathname: string
  /** False when only the icons are shown. */
  expanded: boolean
  onSetStore: () => void
  /** Called after a choice: on a small screen the sheet closes. */
  onChosen: () => void
  userMenu: ReactNode
}

const SettingsPages = lazy<ComponentType<SettingsPagesProps>>(() =>
  import('./settings-pages.tsx').then(
    (settings) => ({ default: settings.SettingsPages }),
    () => ({ default: () => null }),
  ),
)

/** The sidebar's content. The sheet of a small screen shows the same. */
export function Sidebar({
  storeName,
  home,
  permissions,
  workingSettings,
  waiting = {},
  pathname,
  expanded,
  onSetStore,
  onChosen,
  userMenu,
}: SidebarProps) {
  const inSettings = pathname === '/settings' || pathname.startsWith('/settings/')
  const pages = { pathname, waiting, expanded, onChosen }
  return (
    <div className="flex h-full flex-col overflow-hidden">
      <div className="flex h-(--header-height) shrink-0 items-center gap-3 border-b border-line px-2">
        <span aria-hidden="true" className="flex size-8 shrink-0 items-center justify-center rounded-md bg-accent text-accent-ink">
          <Store size={18} />
        </span>
        {expanded && (
          <span className="min-w-0 leading-tight">
            <span className="block truncate font-semibold">{storeName}</span>
            <span className="block text-xs text-ink-3">Store</span>
          </span>
        )}
      </div>

      <nav aria-label={inSettings ? 'Settings' : 'Main'} className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto py-2">
        {inSettings ? (
          <Suspense>
            <SettingsPages {...pages} workingSettings={workingSettings} permissions={permissions} />
          </Suspense>
        ) : (
          <SidebarGroups {...pages} groups={groupHome(home)} />
        )}
      </nav>

      <ul className="shrink-0 border-t border-line py-1">
        <Entry expanded={expanded} title="Set Store">
          <button type="button" onClick={onSetStore} className={entryClasses(false)}>
            <NavigationIcon name="map-pin" />
            <EntryText expanded={expanded}>Set Store</EntryText>
          </button>
        </Entry>
        <Entry expanded={expanded} title="Messages">
          {/* The specification says that it does nothing. */}
          <button type="button" className={entryClasses(false)}>
            <MessageSquare size={20} aria-hidden className="shrink-0" />
            <EntryText expanded={expanded}>Messages</EntryText>
          </button>
        </Entry>
      </ul>
      <div className="shrink-0 border-t border-line">{userMenu}</div>
    </div>
  )
}
