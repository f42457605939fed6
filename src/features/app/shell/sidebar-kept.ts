const cookieName = 'sidebar:state'
const sevenDaysS = 7 * 24 * 3600
/** Until when it is known to be folded to its icons, ms since 1970. */
const foldedUntilKey = 'SidebarFoldedUntil'

/** Reads `sidebar:state` out of a cookie header; expanded when it was never set. */
export function readSidebarCookie(cookies: string): boolean {
  const entry = cookies
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${cookieName}=`))
  return entry ? entry.slice(cookieName.length + 1) !== 'false' : true
}

/** What is written to `document.cookie` to keep it for 7 days. */
export function sidebarCookie(expanded: boolean): string {
  return `${cookieName}=${expanded}; path=/; max-age=${sevenDaysS}; SameSite=Lax`
}

/** What the cookie says, once more for `seemsExpanded`. */
export function noteSidebar(storage: Storage, expanded: boolean, now: number): void {
  try {
    storage.setItem(foldedUntilKey, String(expanded ? 0 : now + sevenDaysS * 1000))
  } catch {
    // A full disk: the page stands up expanded, and then finds the cookie.
  }
}

/** For the first paint, which should not wait until the browser has asked elsewhere what the cookie is. */
export function seemsExpanded(storage: Pick<Storage, 'getItem'>, now: number): boolean {
  return !(Number(storage.getItem(foldedUntilKey)) > now)
}
