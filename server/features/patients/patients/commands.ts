import { createPatient, editPatient } from '#server/domain/patients/save-patient.ts'
import { viewPatient } from '#server/features/patients/patients/view-patient.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The commands of a patient's lane. */
export const patientCommands = {
  'patient.create': createPatient,
  'patient.edit': editPatient,
  'patient.view': viewPatient,
} satisfies CommandEntries<'patient.create' | 'patient.edit' | 'patient.view'>
