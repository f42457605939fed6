import { Refusal } from '#contract/core/errors.ts'
import { createPatient, editPatient, scopeOfPatient } from '#server/domain/patients/save-patient.ts'
import { viewPatient } from '#server/features/patients/patients/view-patient.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** What the commands of a patient's lane do. */
export const patientCommands: CommandEntries<'patient.create' | 'patient.edit' | 'patient.view'> = {
  'patient.create': {
    permission: 'patient.write',
    scopes: ({ store_id: storeId }) => {
      if (storeId === null) throw new Refusal('store-unknown')
      return [`patients:${storeId}`]
    },
    apply: createPatient,
  },
  'patient.edit': {
    permission: 'patient.write',
    prepare: async ({ command, body, services }) => ({
      scopes: await scopeOfPatient(services.db.reads, body.id_patient, command.store_id),
      apply: editPatient,
    }),
  },
  'patient.view': { permission: 'patient.read', scopes: () => [], apply: viewPatient },
}
