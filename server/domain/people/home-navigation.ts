import type { Permission } from '#contract/core/roles.ts'
import type { NavigationItem } from '#contract/people/session.ts'

/** The sidebar, in its order. Icons are keys of the Lucide set. Unfinished pages are not listed. */
const entries: (NavigationItem & { needs: Permission | null })[] = [
  { title: 'Home', url: '/', icon: 'house', needs: null },
  { title: 'Patient portal', url: '/pt-portal', icon: 'users', needs: 'patient.read' },
  { title: 'Primary care', url: '/pcp-list', icon: 'stethoscope', needs: 'patient.read' },
  { title: 'Inventory', url: '/inventory', icon: 'boxes', needs: 'frame.look-up' },
  { title: 'Count sheets', url: '/inventory/count-sheets', icon: 'clipboard-list', needs: 'count.scan' },
  { title: 'Labels', url: '/inventory/labels', icon: 'tag', needs: 'frame.label' },
  { title: 'Transfers', url: '/transfer', icon: 'truck', needs: 'frame.transfer' },
  { title: 'Receipts', url: '/receipts', icon: 'package', needs: 'vendor-invoice.read' },
  { title: 'Returns', url: '/returns', icon: 'undo-2', needs: 'patient-return.read' },
  { title: 'Frame library', url: '/frame-library', icon: 'glasses', needs: 'library.write' },
  { title: 'Price book', url: '/price-book', icon: 'notebook-pen', needs: 'frame.price' },
  { title: 'Time clock', url: '/time-clock', icon: 'clock', needs: 'time.punch' },
  { title: 'Time review', url: '/time-clock/review', icon: 'user-check', needs: 'time.review' },
  { title: 'Settings', url: '/settings/inventory', icon: 'settings', needs: 'settings.inventory' },
]

/** Returns the sidebar for a user with these permissions. */
export function homeNavigationFor(permissions: readonly Permission[]): NavigationItem[] {
  return entries.filter(({ needs }) => needs === null || permissions.includes(needs)).map(({ title, url, icon }) => ({ title, url, icon }))
}
