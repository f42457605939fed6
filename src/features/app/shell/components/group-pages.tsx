import { Link } from '@tanstack/react-router'
import type { NavigationGroup } from '#src/features/app/shell/model/navigation.ts'
import { NavigationIcon } from './navigation-icon.tsx'
import { Entry, entryClasses, EntryText, Waiting } from './sidebar-entry.tsx'

export type SidebarGroupsProps = {
  groups: readonly NavigationGroup[]
  waiting: Readonly<Record<string, number>>
  current: string | null
  /** False when only the icons are shown. */
  expanded: boolean
  onChosen: () => void
}

/** The pages of one group. */
export function GroupPages({
  group,
  waiting,
  current,
  expanded,
  onChosen,
}: Omit<SidebarGroupsProps, 'groups'> & { group: NavigationGroup }) {
  return (
    <ul aria-label={group.title ?? undefined}>
      {group.items.map(({ title, url, icon }) => (
        <Entry key={url} expanded={expanded} title={title}>
          <Link to={url} onClick={onChosen} aria-current={url === current ? 'page' : undefined} className={entryClasses(url === current)}>
            <NavigationIcon name={icon} />
            <EntryText expanded={expanded}>{title}</EntryText>
            <Waiting count={waiting[url] ?? 0} expanded={expanded} />
          </Link>
        </Entry>
      ))}
    </ul>
  )
}
