// Runs before all other code of the page, inline: see `pageItself` in vite.config.ts.
import { collectKeys } from '#src/device/collect-keys.ts'
import { seemsExpanded } from '#src/features/app/shell/sidebar-kept.ts'
import { beginsInside } from '#src/start/begins-inside.ts'
import { filesAt, type RouteChunks } from '#src/start/route-chunks.ts'
import { wasLeftAlone } from '#src/sync/device/idling.ts'
import { beginReadAhead } from '#src/sync/device/read-ahead.ts'
import { applyLook } from '#src/ui/theme.ts'

// Before the first paint, so that the other theme does not flash.
applyLook()

const { pathname } = location
const isInside = beginsInside()
const now = Date.now()
if (isInside && !wasLeftAlone(localStorage, now)) {
  // From the first paint on. The login screen and the lock get no keys from before they showed.
  collectKeys()
  document.documentElement.dataset['shell'] = seemsExpanded(localStorage, now, innerWidth) ? 'wide' : 'narrow'
}
if (isInside) beginReadAhead(/^\/(dashboard|patient\/.*)?$/.test(pathname))

const chunks = document.currentScript?.dataset['chunks']
for (const href of chunks && pathname !== '/portal' ? filesAt(JSON.parse(chunks) as RouteChunks, pathname, isInside) : []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
}
