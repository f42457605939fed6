import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { NavigationGroup } from '#src/features/app/shell/model/navigation.ts'
import { Menu, MenuItem } from '#src/ui/menu.tsx'
import { NavigationIcon } from './navigation-icon.tsx'
import { entryClasses, EntryText, Waiting } from './sidebar-entry.tsx'
import { GroupPages, type SidebarGroupsProps } from './group-pages.tsx'

/** The groups where not every page has room: one is open at a time, and without words each is a menu. */
export function CrowdedGroups({ groups, ...props }: SidebarGroupsProps) {
  const { waiting, current, expanded, onChosen } = props
  const ownGroup = groups.find(({ items }) => items.some(({ url }) => url === current))?.title ?? null
  const [chosen, choose] = useState<{ from: string | null; group: string | null } | null>(null)
  // A group opened by hand stays open until the page belongs to another group.
  const openGroup = chosen?.from === ownGroup ? chosen.group : ownGroup

  return groups.map((group) => {
    const { title } = group
    if (title === null) return <GroupPages {...props} key={group.items[0]?.url} group={group} />
    const sum = group.items.reduce((total, { url }) => total + (waiting[url] ?? 0), 0)
    if (!expanded) return <GroupMenu key={title} group={group} waiting={sum} isCurrent={title === ownGroup} onChosen={onChosen} />
    const isOpen = title === openGroup
    const Chevron = isOpen ? ChevronDown : ChevronRight
    return (
      <div key={title}>
        <button
          type="button"
          aria-expanded={isOpen}
          className={entryClasses(false)}
          onClick={() => choose({ from: ownGroup, group: isOpen ? null : title })}
        >
          <NavigationIcon name={iconOf(group)} />
          <span className="mr-auto truncate">{title}</span>
          {!isOpen && <Waiting count={sum} expanded />}
          <Chevron size={16} aria-hidden className="shrink-0" />
        </button>
        {isOpen && (
          <div className="border-l-2 border-line pl-3">
            <GroupPages {...props} group={group} />
          </div>
        )}
      </div>
    )
  })
}

const iconOf = ({ icon, items }: NavigationGroup) => icon ?? items[0]?.icon ?? ''

function GroupMenu({
  group,
  waiting,
  isCurrent,
  onChosen,
}: {
  group: NavigationGroup
  waiting: number
  isCurrent: boolean
  onChosen: () => void
}) {
  const navigate = useNavigate()
  return (
    <Menu
      place="right start"
      button={
        <button type="button" title={group.title ?? undefined} className={entryClasses(isCurrent)}>
          <NavigationIcon name={iconOf(group)} />
          <EntryText expanded={false}>{group.title}</EntryText>
          <Waiting count={waiting} expanded={false} />
        </button>
      }
      head={<span className="font-semibold">{group.title}</span>}
    >
      {group.items.map(({ title, url, icon }) => (
        <MenuItem
          key={url}
          icon={<NavigationIcon name={icon} />}
          onSelect={() => {
            onChosen()
            void navigate({ to: url })
          }}
        >
          {title}
        </MenuItem>
      ))}
    </Menu>
  )
}
