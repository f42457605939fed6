import type { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'

/** Opened before the device was, and read since. */
let open: { name: string; mirror: PatientMirror } | null = null

/** Leaves an open mirror for whoever opens the one of that name next, so that nothing is decrypted twice. */
export function leaveOpenPatients(name: string, mirror: PatientMirror): void {
  putAwayOpenPatients()
  open = { name, mirror }
}

/** The mirror of that name where it is open already; whoever takes it closes it. */
export function takeOpenPatients(name: string): PatientMirror | null {
  if (open?.name !== name) return null
  const { mirror } = open
  open = null
  return mirror
}

/** Closes what nobody has taken. */
export function putAwayOpenPatients(): void {
  open?.mirror.close()
  open = null
}
