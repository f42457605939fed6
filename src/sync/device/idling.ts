import { lockTime } from '#contract/settings/lock-time.ts'

/**
 * The copy of the store's lock time, and the time of the last touch. Both are the tablet's, for all its windows. The
 * session writes the copy, because a start needs it before the database is open.
 */
export const minutesKey = 'LockMinutes'
export const touchedKey = 'LastTouch'

type Stored = Pick<Storage, 'getItem'>

/** From 1 to the longest choice. */
export function lockMinutes(storage: Stored): number {
  const minutes = Number(storage.getItem(minutesKey))
  return minutes >= 1 && minutes <= lockTime.longest ? minutes : lockTime.usual
}

/** Whether the last touch of a key or the screen, in any window, is too long ago. False when none is known. */
export function wasLeftAlone(storage: Stored, now: number): boolean {
  const touched = storage.getItem(touchedKey)
  return touched !== null && now - Number(touched) >= lockMinutes(storage) * 60_000
}
