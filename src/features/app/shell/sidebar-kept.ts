const cookieName = 'sidebar:state'
const sevenDaysS = 7 * 24 * 3600
/** `wide` or `narrow`, and until when, ms since 1970: `narrow 1795762670088`. */
const keptKey = 'SidebarKept'

/** Below this width, px, a page needs the sidebar's width more than the sidebar does. */
export const roomyPx = 1280

/** Reads `sidebar:state` from a cookie header. Null when the user has not chosen. */
export function readSidebarCookie(cookies: string): boolean | null {
  const entry = cookies
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${cookieName}=`))
  return entry ? entry.slice(cookieName.length + 1) !== 'false' : null
}

/** Returns the cookie that keeps the width for 7 days, for `document.cookie`. */
export function sidebarCookie(expanded: boolean): string {
  return `${cookieName}=${expanded}; path=/; max-age=${sevenDaysS}; SameSite=Lax`
}

/** Notes the cookie's value once more for `seemsExpanded`. */
export function noteSidebar(storage: Storage, expanded: boolean, now: number): void {
  try {
    storage.setItem(keptKey, `${expanded ? 'wide' : 'narrow'} ${now + sevenDaysS * 1000}`)
  } catch {
    // The disk is full: the page first shows the width of a new device, and then reads the cookie.
  }
}

/** For the first paint, which must not wait until the browser has read the cookie. Without a choice, a wide screen expands it. */
export function seemsExpanded(storage: Pick<Storage, 'getItem'>, now: number, windowPx: number): boolean {
  const [width, until] = storage.getItem(keptKey)?.split(' ') ?? []
  return Number(until) > now ? width === 'wide' : windowPx >= roomyPx
}
