import { Refusal } from '#contract/errors.ts'
import type { Database, RevisionScope } from '#server/db/database.ts'
import { createPatient, editPatient } from '#server/features/patients/save-patient.ts'
import { viewPatient } from '#server/features/patients/view-patient.ts'
import type { CommandEntries } from '#server/http/command-applier.ts'

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
      scopes: await scopeOf(services.db.reads, body.id_patient, command.store_id),
      apply: editPatient,
    }),
  },
  'patient.view': { permission: 'patient.read', scopes: () => [], apply: viewPatient },
}

/** The scope of a patient's rows: that of the store with which they are registered, or are being registered in this very batch. */
async function scopeOf(db: Database['reads'], id: string, storeId: number | null): Promise<RevisionScope[]> {
  const row = await db.selectFrom('patients').select('store_id').where('id', '=', id).executeTakeFirst()
  const store = row?.store_id ?? storeId
  if (store === null) throw new Refusal('patient-unknown')
  return [`patients:${store}`]
}
