import type { WorkKind } from '#src/sync/session/work-in-hand.ts'

/** Pages that never show a patient. */
const withoutPatients =
  /^\/((inventory|receipts|transfer|frame-library|price-book|time-clock|sync|settings)(\/|$)|returns\/(?!patient(\/|$))[^/]+)/

/** Whether what is on the screen must not be seen after its session has ended. */
export function mustCover(work: WorkKind, pathname: string): boolean {
  return work === 'patient' || !withoutPatients.test(pathname)
}
