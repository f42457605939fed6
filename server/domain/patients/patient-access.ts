import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type PatientRow } from '#server/domain/patients/patient-row.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'

/** The user who asks: a session's scope, or the author of a command. */
type Asking = { id_user: number; permissions: ReadonlySet<Permission> }

/**
 * Returns the patient when this user may see them: patients of the user's stores, or of any store when the role allows
 * it. Every feature that touches a part of a record asks here first.
 * @throws Refusal patient-unknown, patient-of-other-store
 */
export async function findPatient(db: Kysely<Schema>, asking: Asking, id: string): Promise<PatientRow> {
  const row = await db.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('patient-unknown')
  const stores = await storesInSight(db, asking)
  if (stores !== null && !stores.includes(row.store_id)) throw new Refusal('patient-of-other-store')
  return row
}

/** The stores whose patients this user may see. Null means all stores. */
export async function storesInSight(db: Kysely<Schema>, asking: Asking): Promise<number[] | null> {
  return asking.permissions.has('patient.other-stores') ? null : await storesOf(db, asking.id_user)
}
