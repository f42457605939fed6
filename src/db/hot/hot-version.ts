export const hotVersion = 1

/**
 * Whether a newer app wrote the database. Dexie multiplies versions by ten, and counts small repairs in the last digit.
 */
export function isNewer(nativeVersion: number): boolean {
  return nativeVersion >= (hotVersion + 1) * 10
}
