const cookieName = 'sidebar:state'
const sevenDaysS = 7 * 24 * 3600
/** The sidebar is folded to icons until this time, ms since 1970. */
const foldedUntilKey = 'SidebarFoldedUntil'

/** Reads `sidebar:state` from a cookie header. Returns true (expanded) when it was never set. */
export function readSidebarCookie(cookies: string): boolean {
  const entry = cookies
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${cookieName}=`))
  return entry ? entry.slice(cookieName.length + 1) !== 'false' : true
}

/** Returns the cookie that keeps the width for 7 days, for `document.cookie`. */
export function sidebarCookie(expanded: boolean): string {
  return `${cookieName}=${expanded}; path=/; max-age=${sevenDaysS}; SameSite=Lax`
}

/** Notes the cookie's value once more for `seemsExpanded`. */
export function noteSidebar(storage: Storage, expanded: boolean, now: number): void {
  try {
    storage.setItem(foldedUntilKey, String(expanded ? 0 : now + sevenDaysS * 1000))
  } catch {
    // The disk is full: the page first shows it expanded, and then reads the cookie.
  }
}

/** For the first paint, which must not wait until the browser has read the cookie. */
export function seemsExpanded(storage: Pick<Storage, 'getItem'>, now: number): boolean {
  return !(Number(storage.getItem(foldedUntilKey)) > now)
}
