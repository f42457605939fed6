import type { Permission } from '#contract/core/roles.ts'
import type { NavigationItem } from '#contract/people/session.ts'

export type NavigationGroup = { title: string | null; items: NavigationItem[] }

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

export type Navigable = { home: NavigationItem[]; workingSettings: readonly string[]; permissions: readonly Permission[] }

/** Returns the sidebar's list at an address: the settings menu below /settings, elsewhere the user's own list. */
export function navigationAt(pathname: string, { home, workingSettings, permissions }: Navigable): NavigationGroup[] {
  if (pathname !== '/settings' && !pathname.startsWith('/settings/')) return [{ title: null, items: home }]
  const isListed = ({ url, needs }: SettingsItem) => workingSettings.includes(url) && (needs === undefined || permissions.includes(needs))
  return settingsMenu
    .map(({ title, items }) => ({
      title,
      items: items.filter(isListed).map((item) => ({ title: item.title, url: item.url, icon: item.icon })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Returns the entry to mark: the longest url that the address begins with. Null when none matches. */
export function currentEntry(pathname: string, groups: readonly NavigationGroup[]): string | null {
  // The specification puts a vendor's invoice below the inventory. The sidebar marks the receipts.
  const path = (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname).replace(/^\/inventory(?=\/receipts\b)/, '')
  const matches = groups
    .flatMap(({ items }) => items.map(({ url }) => url))
    .filter((url) => (url === '/' ? path === '/' || path === '/dashboard' : path === url || path.startsWith(`${url}/`)))
    .toSorted((a, b) => b.length - a.length)
  return matches[0] ?? null
}
