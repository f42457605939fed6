/**
 * The day of this device's own calendar, `YYYY-MM-DD`, which is its store's nearly everywhere: asking for that of a time zone takes the
 * first who asks 15 ms. Only ages are told by it, until the app tells them.
 */
export function dayHere(now: number): string {
  const at = new Date(now)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
