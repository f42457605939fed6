const cookieName = 'sidebar:state'
const sevenDaysS = 7 * 24 * 3600

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
