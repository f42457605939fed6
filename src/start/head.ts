// Runs before anything else of the page, from within it: see `pageItself` in vite.config.ts.
import { beginsWithDesk } from '#src/start/begins-with-desk.ts'
import { keepPresses } from '#src/features/patients/patients/printed-presses.ts'
import { seemsExpanded } from '#src/features/app/shell/sidebar-kept.ts'
import { wasLeftAlone } from '#src/sync/device/idling.ts'
import { leaveReadAhead } from '#src/sync/patients/left-read-ahead.ts'
import { readAhead } from '#src/sync/patients/read-ahead.ts'
import { guessedPatientsPlace } from '#src/sync/session/stored-tokens.ts'
import { applyLook } from '#src/ui/theme.ts'

// Before the first paint, so that nobody sees the other theme flash by.
applyLook()

// Whoever begins at the home page gets what its search is made of at once, and everybody else what all pages begin with. The build writes
// the names here.
const { desk = '', page = '' } = document.currentScript?.dataset ?? {}
const isDesk = beginsWithDesk()
if (isDesk) leaveReadAhead(readAhead())
for (const href of (isDesk ? desk : page).split(' ').filter(Boolean)) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
}
if (isDesk) {
  // The desk that stands in the page itself shows where somebody may see patients, as far as can be told from here.
  const now = Date.now()
  if (guessedPatientsPlace() !== null && !wasLeftAlone(localStorage, now)) {
    document.documentElement.dataset['desk'] = seemsExpanded(localStorage, now) ? 'wide' : 'narrow'
    keepPresses()
  }
}
