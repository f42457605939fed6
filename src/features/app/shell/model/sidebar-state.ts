import { createStore, type StoreApi } from 'zustand/vanilla'
import { whenIdle } from '#src/db/indexed/slices.ts'
import { noteSidebar, readSidebarCookie, roomyPx, sidebarCookie } from '../sidebar-kept.ts'

export type SidebarState = {
  expanded: boolean
  /** The side sheet of small screens. It is not kept. */
  sheetOpen: boolean
  /** Opened by hand on a page that needs the width. It ends when the user leaves the page, and is not kept. */
  openedAnyway: boolean
}

let store: StoreApi<SidebarState> | undefined

/** Creates the store at its first use, because reading a cookie makes the browser wait for another process. */
export function sidebarStore(): StoreApi<SidebarState> {
  if (store) return store
  // During the build there is no page.
  const page = globalThis.document as Document | undefined
  const shell = page?.documentElement.dataset['shell']
  const expanded = shell ? shell === 'wide' : (readSidebarCookie(page?.cookie ?? '') ?? (page !== undefined && innerWidth >= roomyPx))
  store = createStore(() => ({ expanded, sheetOpen: false, openedAnyway: false }))
  // The first paint used the note beside the cookie. Nothing may move while the browser reads the cookie.
  if (shell) whenIdle(() => keepToCookie(expanded))
  return store
}

function keepToCookie(shown: boolean): void {
  const kept = readSidebarCookie(document.cookie) ?? innerWidth >= roomyPx
  if (kept === shown) return
  noteSidebar(localStorage, kept, Date.now())
  sidebarStore().setState({ expanded: kept })
}

/**
 * Opens or closes it: the sheet on a small screen, the width elsewhere. On a page that needs the width, it opens for
 * that page only. The choice for other pages does not change.
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

/** Returns true for Ctrl or Cmd with the letter b and no other modifier. */
export function isSidebarShortcut(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): boolean {
  return event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
}
