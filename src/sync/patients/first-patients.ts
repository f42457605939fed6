import { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { type FirstLook, firstLook } from '#src/sync/session/first-look.ts'
import { leaveOpenPatients } from '#src/sync/patients/open-patients.ts'
import { markOfKey, patientsPlace } from '#src/sync/patients/patients-key.ts'
import type { ReadAhead } from '#src/sync/patients/read-ahead.ts'

/** This tablet's patients, open and being read before the device is there, for a person who may see them. */
export type FirstPatients = { look: FirstLook; mirror: PatientMirror }

/** Opens the patients past the device where nothing speaks against it (see `firstLook`); the device takes the open mirror over. */
export async function openFirstPatients(ahead: ReadAhead): Promise<FirstPatients | null> {
  const look = firstLook(await ahead.hot, localStorage, Date.now())
  const begun = await ahead.patients
  const place = look && patientsPlace('lorgnette', look.home.store_id)
  const isTheirs = place !== null && begun?.name.startsWith(place) === true
  if (!isTheirs) begun?.database.close()
  if (look === null || place === null) return null
  // Under which key it lies is seen by reading it.
  const name = isTheirs ? begun.name : place + (await markOfKey(crypto.subtle, look.key))
  const mirror = new PatientMirror(look.key, { name, begun: isTheirs ? begun : undefined })
  leaveOpenPatients(name, mirror)
  return { look, mirror }
}
