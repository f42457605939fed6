import type { Kysely } from 'kysely'
import type { FieldChanger } from '#contract/patients/patient.ts'
import type { Schema } from '#server/platform/db/schema.ts'

const looksBack = 50

/**
 * Returns who last changed these fields, and when, for the author of a refused edit. It returns no values of the
 * fields.
 */
export async function whoChanged(db: Kysely<Schema>, idPatient: string, fields: readonly string[]): Promise<FieldChanger[]> {
  const edits = await db
    .selectFrom('patient_audit')
    .select(['at', 'rep', 'detail'])
    .where('id_patient', '=', idPatient)
    .where('action', 'in', ['patient.edit', 'pcp.merge'])
    .orderBy('id', 'desc')
    .limit(looksBack)
    .execute()
  return fields.flatMap((field) => {
    const last = edits.find(({ detail }) => detail.split(', ').includes(field))
    return last ? [{ field, rep: last.rep, at: new Date(last.at).toISOString() }] : []
  })
}
