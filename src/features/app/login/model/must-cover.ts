import type { WorkKind } from '#src/sync/session/work-in-hand.ts'

/** Pages that never show a patient. */
const withoutPatients =
  /^\/((inventory|receipts|transfer|frame-library|price-book|time-clock|sync|settings)(\/|$)|returns\/(?!patient(\/|$))[^/]+)/

/** Returns true when nobody may see the screen after its session has ended. */
export function mustCover(work: WorkKind, pathname: string): boolean {
  return work === 'patient' || !withoutPatients.test(pathname)
}
