/** The fact under which it is kept how far the server's clock is from this device's, with the time of this device at which that was. */
export const clockFact = 'clock-offset'

/** Clocks are put right by less than this all the time. */
export const setBackMs = 2000

/** Server time minus device time, ms, in what lies under the fact; null when there is none, or the clock was set back while the app was closed. */
export function offsetIn(fact: unknown, now: number): number | null {
  if (typeof fact !== 'object' || fact === null || !('ms' in fact) || typeof fact.ms !== 'number') return null
  // By how much, only the server can say.
  const isSetBack = 'wall' in fact && typeof fact.wall === 'number' && fact.wall > now + setBackMs
  return isSetBack ? null : fact.ms
}
