import * as v from 'valibot'
import { text, uuid } from '#contract/core/primitives.ts'
import { patientCreation, patientEdit } from '#contract/patients/patient.ts'
import type { patientCommandKinds } from '#contract/patients/patient-command-kinds.ts'

/** What each command of patients says. */
export const patientCommandBodies = {
  'patient.create': patientCreation,
  'patient.edit': patientEdit,
  /** A record was opened from the device's own mirror: kept with the record, as a view at the server is. */
  'patient.view': v.object({ id_patient: uuid, part: v.pipe(v.string(), v.maxLength(64)), reason: text(200), offline: v.boolean() }),
} as const satisfies Record<keyof typeof patientCommandKinds, v.GenericSchema>
