/** How long a tablet may be left alone before it is locked, and since when it has been: both of the tablet, for all its windows. */
export const minutesKey = 'LockMinutes'
export const touchedKey = 'LastTouch'

export const usualMinutes = 15

type Stored = Pick<Storage, 'getItem'>

/** 1 to 60. */
export function lockMinutes(storage: Stored): number {
  const minutes = Number(storage.getItem(minutesKey))
  return minutes >= 1 && minutes <= 60 ? minutes : usualMinutes
}

/** Whether the last touch of a key or the screen, in whatever window, is too long ago. Where none is known it is not. */
export function wasLeftAlone(storage: Stored, now: number): boolean {
  const touched = storage.getItem(touchedKey)
  return touched !== null && now - Number(touched) >= lockMinutes(storage) * 60_000
}
