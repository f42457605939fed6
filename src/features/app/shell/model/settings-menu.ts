import type { Permission } from '#contract/core/roles.ts'
import type { NavigationItem } from '#contract/people/session.ts'
import type { NavigationGroup } from './navigation.ts'

/** `needs`: only users with this permission have a use for the page. Everyone can read the rest. */
type SettingsItem = NavigationItem & { needs?: Permission }

/** The settings menu of the specification, in its order. Tablets (docs/decisions/0017) and Security log are ours. */
export const settingsMenu: { title: string; items: SettingsItem[] }[] = [
  { title: 'General', items: [{ title: 'Integrations', url: '/settings/integrations', icon: 'plug' }] },
  {
    title: 'Business Administration',
    items: [
      { title: 'Businesses', url: '/settings/businesses', icon: 'briefcase-business' },
      { title: 'Locations', url: '/settings/locations', icon: 'map-pin' },
      { title: 'Facilities', url: '/settings/facilities', icon: 'building-2' },
      { title: 'Providers', url: '/settings/providers', icon: 'stethoscope' },
      { title: 'Users & permissions', url: '/settings/users_permissions', icon: 'users' },
      { title: 'Tablets', url: '/settings/tablets', icon: 'tablet', needs: 'settings.tablets' },
      { title: 'Security log', url: '/settings/security-log', icon: 'shield-alert', needs: 'audit.read' },
    ],
  },
  {
    title: 'Modules',
    items: [
      { title: 'General', url: '/settings/general', icon: 'sliders-horizontal' },
      { title: 'Patient', url: '/settings/patient', icon: 'user-round' },
      { title: 'Schedule', url: '/settings/schedule', icon: 'calendar' },
      { title: 'Encounters', url: '/settings/encounters', icon: 'notebook-pen' },
      { title: 'Optical', url: '/settings/optical', icon: 'glasses' },
      { title: 'Billing', url: '/settings/billing', icon: 'credit-card' },
      { title: 'Inventory', url: '/settings/inventory', icon: 'package' },
    ],
  },
]

/** Returns the settings that work, for a user with these permissions. */
export function settingsGroups(workingSettings: readonly string[], permissions: readonly Permission[]): NavigationGroup[] {
  const isListed = ({ url, needs }: SettingsItem) => workingSettings.includes(url) && (needs === undefined || permissions.includes(needs))
  return settingsMenu
    .map(({ title, items }) => ({
      title,
      items: items.filter(isListed).map((item) => ({ title: item.title, url: item.url, icon: item.icon })),
    }))
    .filter(({ items }) => items.length > 0)
}
