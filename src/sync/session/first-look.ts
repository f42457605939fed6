import type { HomeInfo } from '#contract/people/session.ts'
import { offsetIn } from '#src/sync/device/clock-offset.ts'
import { patientsKeyIn } from '#src/sync/patients/patients-key.ts'
import type { HotRecords } from '#src/sync/patients/read-ahead.ts'
import { isSeated, seesPatients, standingOf } from '#src/sync/session/standing.ts'

/** The app is asked for after so long, however many patients are still to be read. */
export const longestAloneMs = 1500

/** By then the app has come, which locks a tablet that is left alone. Where it has not, nobody is shown any longer. */
export const longestShownMs = 10_000

/** Who may search patients here before the device is open, and with what. */
export type FirstLook = {
  home: HomeInfo
  /** Under which this store's patients lie on this tablet. */
  key: CryptoKey
  /** Server time minus device time, as far as it is known. */
  serverOffsetMs: number
}

/**
 * Who may search patients before the device is open. Null wherever the device has anything to decide, ask or repair first: nobody is signed
 * in, the tablet is locked or was left alone, the tokens say otherwise than the row, there is no key for patients; and where work on
 * patients waits, which only the device can lay over them.
 *
 * @param storage local storage. @param now ms
 */
export function firstLook(records: HotRecords | null, storage: Pick<Storage, 'getItem'>, now: number): FirstLook | null {
  if (records === null || records.worksOnPatients) return null
  const { session } = records
  if (!isSeated(session) || standingOf(session, storage, now) !== 'holds') return null
  const { home, locked = false } = session
  if (!seesPatients(home, locked)) return null
  const key = patientsKeyIn(records.key, home)
  return key && { home, key, serverOffsetMs: offsetIn(records.clock, now) ?? 0 }
}
