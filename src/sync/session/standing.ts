import type { HomeInfo } from '#contract/people/session.ts'
import type { SessionRow } from '#src/db/hot/hot.ts'
import { wasLeftAlone } from '#src/sync/device/idling.ts'
import { accessKey, refreshKey, serialKey } from '#src/sync/session/stored-tokens.ts'

/**
 * The result of checking the stored session at the start. `holds`: the row is right. `ended-outside`: someone removed
 * the tokens from local storage. `begun-outside`: someone put other tokens there. `run-out`: the sign-in without a
 * connection is too long ago. `left-alone`: the tablet was idle for so long that it must lock.
 */
export type Standing = 'holds' | 'ended-outside' | 'begun-outside' | 'run-out' | 'left-alone'

/** @param storage local storage; null in the worker, which has none. @param now ms */
export function standingOf(row: SessionRow, storage: Pick<Storage, 'getItem'> | null, now: number): Standing {
  if (storage === null) return 'holds'
  if (!isBehind(storage.getItem(serialKey), row)) {
    const access = storage.getItem(accessKey)
    const refresh = storage.getItem(refreshKey)
    if (access === null && refresh === null && row.refresh_token !== null) return 'ended-outside'
    if (row.refresh_token === null && refresh !== null) return 'begun-outside'
  }
  if (row.offline && row.offline.until < now) return 'run-out'
  return row.home && !row.locked && wasLeftAlone(storage, now) ? 'left-alone' : 'holds'
}

/**
 * A browser writes local storage to the disk seconds later than the database. If it was killed in between, local
 * storage is older, and the row holds.
 */
function isBehind(serial: string | null, row: SessionRow): boolean {
  return serial === null ? row.refresh_token !== null : Number(serial) < row.serial
}

/** Whether a user is signed in, with the server or for a while without it. */
export function isSeated({ home, refresh_token, offline }: SessionRow): boolean {
  return home !== null && Boolean(refresh_token ?? offline)
}

/** Whether this user may see patients on this tablet now. */
export function seesPatients(home: HomeInfo | null, locked: boolean): home is HomeInfo {
  return home !== null && !locked && home.permissions.includes('patient.read')
}
