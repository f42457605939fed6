import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { InsurancePriority, Relationship } from '#contract/insurance/insurance.ts'
import type { UseDates } from '#contract/insurance/insurance-benefits.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'

type Place = { id_insurance: string; id_patient: string }
type Own = { relationship: Relationship; priority: InsurancePriority | null; used: UseDates }

export const neverUsed: UseDates = { exam: null, lens: null, frame: null, cl: null }

/** @throws Refusal when the policy does not cover this patient */
export async function findHolder(
  db: Kysely<Schema>,
  { id_insurance, id_patient }: Place,
  unknown: 'insurance-unknown' | 'insurance-holder-unknown' = 'insurance-unknown',
) {
  const row = await db
    .selectFrom('insurance_holders')
    .selectAll()
    .where('id_insurance', '=', id_insurance)
    .where('id_patient', '=', id_patient)
    .executeTakeFirst()
  if (!row) throw new Refusal(unknown)
  return row
}

export async function holderIds(db: Kysely<Schema>, idInsurance: string): Promise<string[]> {
  const rows = await db.selectFrom('insurance_holders').select('id_patient').where('id_insurance', '=', idInsurance).execute()
  return rows.map(({ id_patient }) => id_patient)
}

/**
 * Writes a patient's own part of a policy. An ended policy makes room for another of its priority. One in force does
 * not.
 * @throws Refusal insurance-priority-taken, at the field
 */
export async function putHolder(
  db: Kysely<Schema>,
  { id_insurance, id_patient }: Place,
  { relationship, priority, used }: Own,
  today: string,
): Promise<void> {
  const place = { id_insurance, id_patient }
  if (priority !== null) await clearEnded(db, place, priority, today)
  const values = { relationship, priority, used: JSON.stringify(used) }
  try {
    await db
      .insertInto('insurance_holders')
      .values({ ...place, ...values })
      .onConflict((conflict) => conflict.columns(['id_insurance', 'id_patient']).doUpdateSet(values))
      .execute()
  } catch (error) {
    if (brokenUniqueness(error) !== 'insurance_holders_one_of_each') throw error
    const message = `The patient already has a ${priority} policy. Change its priority or end it first.`
    throw new Refusal('insurance-priority-taken', { fields: [{ path: 'body.priority', message }] })
  }
}

async function clearEnded(
  db: Kysely<Schema>,
  { id_insurance, id_patient }: Place,
  priority: InsurancePriority,
  today: string,
): Promise<void> {
  await db
    .updateTable('insurance_holders')
    .set({ priority: null })
    .where('id_patient', '=', id_patient)
    .where('priority', '=', priority)
    .where('id_insurance', '<>', id_insurance)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('insurances')
          .select('insurances.id_insurance')
          .whereRef('insurances.id_insurance', '=', 'insurance_holders.id_insurance')
          .where(sql<boolean>`insurances.term_date < ${today}::date`),
      ),
    )
    .execute()
}
