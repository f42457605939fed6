import { Link } from '@tanstack/react-router'
import { ArrowLeft, MessageSquare, Store } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { NavigationGroup } from '#src/features/app/shell/model/navigation.ts'
import { formatCount } from '#src/ui/format.ts'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { NavigationIcon } from './navigation-icon.tsx'

export type SidebarProps = {
  storeName: string
  groups: NavigationGroup[]
  /** The number of waiting items of a page, by its address. */
  waiting?: Readonly<Record<string, number>>
  current: string | null
  inSettings: boolean
  /** False when only the icons are shown. */
  expanded: boolean
  onSetStore: () => void
  /** Called after a choice: on a small screen the sheet closes. */
  onChosen: () => void
  userMenu: ReactNode
}

/** The sidebar's content. The sheet of a small screen shows the same. */
export function Sidebar({ storeName, groups, waiting = {}, current, inSettings, expanded, onSetStore, onChosen, userMenu }: SidebarProps) {
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
        {inSettings && (
          <ul className="px-0">
            <Entry expanded={expanded} title="Back to home">
              <Link to="/" onClick={onChosen} className={entryClasses(false)}>
                <ArrowLeft size={20} aria-hidden className="shrink-0" />
                <EntryText expanded={expanded}>Back to home</EntryText>
              </Link>
            </Entry>
          </ul>
        )}
        {groups.map((group) => (
          <div key={group.title ?? 'main'}>
            {group.title && expanded && <p className="px-4 pt-4 pb-1 engraved">{group.title}</p>}
            <ul aria-label={group.title ?? undefined}>
              {group.items.map((item) => (
                <Entry key={item.url} expanded={expanded} title={item.title}>
                  <Link
                    to={item.url}
                    onClick={onChosen}
                    aria-current={item.url === current ? 'page' : undefined}
                    className={entryClasses(item.url === current)}
                  >
                    <NavigationIcon name={item.icon} />
                    <EntryText expanded={expanded}>{item.title}</EntryText>
                    <Waiting count={waiting[item.url] ?? 0} expanded={expanded} />
                  </Link>
                </Entry>
              ))}
            </ul>
          </div>
        ))}
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

function Entry({
  expanded,
  title,
  children,
}: {
  expanded: boolean
  title: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}) {
  return (
    <li>
      <Tooltip text={title} side="right" delayMs={0} disabled={expanded}>
        {children}
      </Tooltip>
    </li>
  )
}

function EntryText({ expanded, children }: { expanded: boolean; children: ReactNode }) {
  return <span className={expanded ? 'truncate' : 'sr-only'}>{children}</span>
}

/** The count beside an entry. With icons only, it is a dot. */
function Waiting({ count, expanded }: { count: number; expanded: boolean }) {
  if (count === 0) return null
  return (
    <span
      className={
        expanded
          ? 'ml-auto min-w-6 rounded-full bg-bad-solid px-1.5 text-center text-xs leading-6 font-semibold text-bad-solid-ink'
          : 'absolute top-2 right-2 size-2.5 rounded-full bg-bad-solid'
      }
    >
      <span className={expanded ? '' : 'sr-only'}>{formatCount(count)}</span>
      <span className="sr-only"> new {count === 1 ? 'alert' : 'alerts'}</span>
    </span>
  )
}

function entryClasses(current: boolean): string {
  return `relative flex min-h-row w-full items-center gap-3 px-3.5 text-left transition-colors focus-visible:-outline-offset-2 ${
    current
      ? 'bg-accent-soft font-semibold text-ink before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] before:bg-brass'
      : 'text-ink-2 hover:bg-hover hover:text-ink'
  }`
}
