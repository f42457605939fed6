/**
 * How long a tablet may be idle before it locks, and the time of the last touch. Both are the tablet's, for all its
 * windows.
 */
export const minutesKey = 'LockMinutes'
export const touchedKey = 'LastTouch'

export const usualMinutes = 15

type Stored = Pick<Storage, 'getItem'>

/** 1 to 60. */
export function lockMinutes(storage: Stored): number {
  const minutes = Number(storage.getItem(minutesKey))
  return minutes >= 1 && minutes <= 60 ? minutes : usualMinutes
}

/** Whether the last touch of a key or the screen, in any window, is too long ago. False when none is known. */
export function wasLeftAlone(storage: Stored, now: number): boolean {
  const touched = storage.getItem(touchedKey)
  return touched !== null && now - Number(touched) >= lockMinutes(storage) * 60_000
}
