import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { Permission } from '#contract/core/roles.ts'
import { settingsGroups } from '#src/features/app/shell/model/settings-menu.ts'
import { Entry, entryClasses, EntryText } from './sidebar-entry.tsx'
import type { SidebarGroupsProps } from './group-pages.tsx'
import { SidebarGroups, type SidebarPlace } from './sidebar-groups.tsx'

export type SettingsPagesProps = Omit<SidebarGroupsProps, 'groups' | 'current'> &
  SidebarPlace & { workingSettings: readonly string[]; permissions: readonly Permission[] }

/** The settings in the sidebar, and the way back. */
export function SettingsPages({ workingSettings, permissions, ...props }: SettingsPagesProps) {
  const { expanded, onChosen } = props
  return (
    <>
      <ul>
        <Entry expanded={expanded} title="Back to home">
          <Link to="/" onClick={onChosen} className={entryClasses(false)}>
            <ArrowLeft size={20} aria-hidden className="shrink-0" />
            <EntryText expanded={expanded}>Back to home</EntryText>
          </Link>
        </Entry>
      </ul>
      <SidebarGroups {...props} groups={settingsGroups(workingSettings, permissions)} linesAbove={1} />
    </>
  )
}
