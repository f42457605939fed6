import type { CountLedger } from '#contract/counts/count-ledger.ts'

const windowMs = 5 * 60_000

/**
 * Returns the pace of a sheet over the last five minutes, by all tablets together.
 *
 * @returns pieces a minute, and the minutes that are left at that pace; null when nobody has counted lately
 */
export function paceOf(ledger: CountLedger, now: number): { perMinute: number; minutesLeft: number | null } | null {
  const since = new Date(now - windowMs).toISOString()
  const { counted } = ledger.scans
  const before = counted.countWhile((scan) => scan.captured_at < since)
  const oldest = counted.at(before)
  const lately = counted.length - before
  if (lately < 2 || !oldest) return null
  const minutes = Math.max(0.25, (now - Date.parse(oldest.captured_at)) / 60_000)
  const perMinute = lately / minutes
  return { perMinute, minutesLeft: ledger.expectedTotal > 0 ? ledger.toFindTotal / perMinute : null }
}
