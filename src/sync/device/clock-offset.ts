/** The fact with the offset of the server's clock from this device's, and the device time of that measurement. */
export const clockFact = 'clock-offset'

/** Clocks are often corrected by less than this, ms. */
export const setBackMs = 2000

/**
 * Server time minus device time, ms, from the fact's value. Null when there is none, or the clock was set back while
 * the app was closed.
 */
export function offsetIn(fact: unknown, now: number): number | null {
  if (typeof fact !== 'object' || fact === null || !('ms' in fact) || typeof fact.ms !== 'number') return null
  // Only the server can say by how much.
  const isSetBack = 'wall' in fact && typeof fact.wall === 'number' && fact.wall > now + setBackMs
  return isSetBack ? null : fact.ms
}
