import type { CountLedger } from '#contract/count-ledger.ts'

const windowMs = 5 * 60_000

/**
 * How fast a sheet is being counted, over the last five minutes and by all tablets together.
 *
 * @returns pieces a minute, and the minutes that are left at that speed; null when nobody has counted lately
 */
export function paceOf(ledger: CountLedger, now: number): { perMinute: number; minutesLeft: number | null } | null {
  const since = new Date(now - windowMs).toISOString()
  let counted = 0
  let oldest: string | null = null
  for (let place = ledger.countedInTime.length - 1; place >= 0; place--) {
    const scan = ledger.countedInTime.at(place)
    if (!scan || scan.captured_at < since) break
    counted += 1
    oldest = scan.captured_at
  }
  if (counted < 2 || oldest === null) return null
  const minutes = Math.max(0.25, (now - Date.parse(oldest)) / 60_000)
  const perMinute = counted / minutes
  return { perMinute, minutesLeft: ledger.expectedTotal > 0 ? ledger.toFindTotal / perMinute : null }
}
