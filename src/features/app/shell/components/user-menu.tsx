import { ChevronsUpDown } from 'lucide-react'
import { fetchedItems, Menu } from '#src/ui/menu.tsx'
import type { UserMenuActions } from './user-menu-items.tsx'

const UserMenuItems = fetchedItems(async () => (await import('./user-menu-items.tsx')).UserMenuItems)

export type UserMenuProps = UserMenuActions & {
  firstName: string
  email: string
  expanded: boolean
}

/** Shows the signed-in user, and opens their menu. */
export function UserMenu({ firstName, email, expanded, ...actions }: UserMenuProps) {
  const person = (
    <span className="min-w-0 flex-1 text-left leading-tight">
      <span className="block truncate font-semibold">
        <bdi>{firstName}</bdi>
      </span>
      <span className="block truncate text-xs text-ink-3">{email}</span>
    </span>
  )
  return (
    <Menu
      place={expanded ? 'top start' : 'right end'}
      head={<div className="leading-tight">{person}</div>}
      button={
        <button
          type="button"
          aria-label={`${firstName} ${email}: user menu`}
          className="flex min-h-tall w-full items-center gap-3 px-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
        >
          <span
            aria-hidden="true"
            className="flex size-8 shrink-0 items-center justify-center rounded-full border border-line-strong bg-sunken text-sm font-semibold"
          >
            {firstName.slice(0, 1).toUpperCase()}
          </span>
          {expanded && person}
          {expanded && <ChevronsUpDown size={16} aria-hidden className="mr-2 shrink-0 text-ink-3" />}
        </button>
      }
    >
      <UserMenuItems {...actions} />
    </Menu>
  )
}
