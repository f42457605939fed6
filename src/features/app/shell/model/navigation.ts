import type { NavigationItem } from '#contract/people/session.ts'

/** `icon` stands for the whole group where its entries have no room. */
export type NavigationGroup = { title: string | null; icon?: string; items: NavigationItem[] }

type HomeGroup = { title: string | null; icon: string; urls: readonly string[] }

const noGroup: HomeGroup = { title: null, icon: '', urls: [] }

/** The groups of the main list. The other entries stand alone. */
const homeGroups: HomeGroup[] = [
  { title: 'Patients', icon: 'users', urls: ['/pt-portal', '/pcp-list'] },
  { title: 'Stock', icon: 'boxes', urls: ['/inventory', '/inventory/count-sheets', '/inventory/labels', '/transfer'] },
  { title: 'Purchasing', icon: 'package', urls: ['/receipts', '/returns', '/frame-library', '/price-book'] },
  { title: 'Team', icon: 'clock', urls: ['/time-clock', '/time-clock/review'] },
]

/** Puts the user's own list into its groups, in its order. A group of one entry is that entry. */
export function groupHome(home: readonly NavigationItem[]): NavigationGroup[] {
  const groups: NavigationGroup[] = []
  for (const item of home) {
    const { title, icon, urls } = homeGroups.find((group) => group.urls.includes(item.url)) ?? noGroup
    const started = groups.find((group) => title !== null && group.title === title)
    if (started) started.items.push(item)
    else if (home.filter(({ url }) => urls.includes(url)).length > 1) groups.push({ title, icon, items: [item] })
    else groups.push({ title: null, items: [item] })
  }
  return groups
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
