import { createStore, type StoreApi } from 'zustand/vanilla'
import { whenIdle } from '#src/db/indexed/slices.ts'
import { noteSidebar, readSidebarCookie, sidebarCookie } from '../sidebar-kept.ts'

export type SidebarState = {
  expanded: boolean
  /** The side sheet of small screens; it is not kept. */
  sheetOpen: boolean
  /** Opened by hand on a page that asks for room; forgotten when the page is left, and not kept. */
  openedAnyway: boolean
}

let store: StoreApi<SidebarState> | undefined

/** Made when it is first asked for: the browser answers what a cookie is only after it has asked elsewhere. */
export function sidebarStore(): StoreApi<SidebarState> {
  if (store) return store
  // While the app is built there is no page.
  const page = globalThis.document as Document | undefined
  const shell = page?.documentElement.dataset['shell']
  const expanded = shell ? shell === 'wide' : readSidebarCookie(page?.cookie ?? '')
  store = createStore(() => ({ expanded, sheetOpen: false, openedAnyway: false }))
  // The page itself went by what was noted beside the cookie, and nothing should move while it is answered.
  if (shell) whenIdle(() => keepToCookie(expanded))
  return store
}

function keepToCookie(shown: boolean): void {
  const kept = readSidebarCookie(document.cookie)
  if (kept === shown) return
  noteSidebar(localStorage, kept, Date.now())
  sidebarStore().setState({ expanded: kept })
}

/**
 * Opens or closes it: the sheet on a small screen, the width elsewhere. While it makes room for a page it opens for that
 * page only, and what was chosen for all others stays as it is.
 */
export function toggleSidebar(small: boolean, makesRoom = false): void {
  const { expanded, sheetOpen, openedAnyway } = sidebarStore().getState()
  if (small) {
    sidebarStore().setState({ sheetOpen: !sheetOpen })
    return
  }
  if (makesRoom) {
    sidebarStore().setState({ openedAnyway: !openedAnyway })
    return
  }
  document.cookie = sidebarCookie(!expanded)
  noteSidebar(localStorage, !expanded, Date.now())
  sidebarStore().setState({ expanded: !expanded })
}

/** Ctrl or Cmd plus the letter b, and nothing else held. */
export function isSidebarShortcut(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): boolean {
  return event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
}
