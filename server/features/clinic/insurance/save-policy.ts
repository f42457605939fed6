import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type * as v from 'valibot'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import { fold } from '#contract/core/folding.ts'
import type { changedInsurance, newInsurance, PhotoSide } from '#contract/insurance/insurance.ts'
import { noBenefits, services } from '#contract/insurance/insurance-benefits.ts'
import { photoMime } from '#contract/core/photo.ts'
import { brokenReference } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findHolder, holderIds, putHolder } from '#server/features/clinic/insurance/holders.ts'

export type NewPolicy = v.InferOutput<typeof newInsurance>
export type ChangedPolicy = v.InferOutput<typeof changedInsurance>
type Made = { at: string; by: number; today: string }

/** @returns false when the same policy was made under this id before */
export async function addPolicy(trx: Transaction<Schema>, id: string, given: NewPolicy, { at, by, today }: Made): Promise<boolean> {
  const made_from = hashOf(given)
  const present = await trx.selectFrom('insurances').select('made_from').where('id_insurance', '=', id).executeTakeFirst()
  if (present) {
    if (present.made_from !== made_from) throw new Refusal('key-reused')
    return false
  }
  refuseFutureUse(given, today)
  const columns = await columnsOf(trx, given)
  await withKnownReferences(() =>
    trx
      .insertInto('insurances')
      .values({ ...columns, id_insurance: id, made_from, created_at: at, created_by: by, version: 1 })
      .execute(),
  )
  await putHolder(trx, { id_insurance: id, id_patient: given.id_patient }, given, today)
  await putPhotos(trx, id, { front_photo: given.front_photo ?? given.image, back_photo: given.back_photo })
  return true
}

/** @returns the holders whose record changed, and the names of the changed fields */
export async function changePolicy(
  trx: Transaction<Schema>,
  id: string,
  given: ChangedPolicy,
  today: string,
): Promise<{ holders: string[]; changed: string[] }> {
  const before = await trx.selectFrom('insurances').selectAll().where('id_insurance', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new Refusal('insurance-unknown')
  const holder = await findHolder(trx, { id_insurance: id, id_patient: given.id_patient })
  if (given.version !== undefined && given.version !== before.version) {
    throw new Refusal('insurance-changed', { details: { version: before.version } })
  }
  refuseFutureUse(given, today)
  const columns = await columnsOf(trx, given)
  const changed = [
    ...changesIn(before, { ...columns, benefits: given.benefits, services_authorised: given.services_authorised }),
    ...changesIn(holder, { relationship: given.relationship, priority: given.priority, used: given.used }),
    ...(['front_photo', 'back_photo'] as const).filter((side) => given[side] !== undefined),
  ]
  await withKnownReferences(() =>
    trx
      .updateTable('insurances')
      .set({ ...columns, version: before.version + 1 })
      .where('id_insurance', '=', id)
      .execute(),
  )
  await putHolder(trx, { id_insurance: id, id_patient: given.id_patient }, given, today)
  await putPhotos(trx, id, given)
  return { holders: await holderIds(trx, id), changed }
}

function changesIn(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(after)
    .filter((key) => canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null))
    .sort()
}

async function columnsOf(trx: Transaction<Schema>, given: NewPolicy | ChangedPolicy) {
  const company_id = await companyOf(trx, given)
  return {
    company_id,
    plan_id: await planOf(trx, company_id, given),
    coverage_type_id: given.coverage_type_id,
    member_id: given.member_id,
    group_no: given.group_no,
    bin: given.bin,
    payer_id: given.payer_id,
    effective_date: given.effective_date,
    term_date: given.term_date,
    in_network: given.in_network,
    subscriber_name: given.subscriber_name,
    subscriber_dob: given.subscriber_dob,
    benefits: JSON.stringify(given.benefits),
    auth_number: given.auth_number,
    auth_obtained_at: given.auth_obtained_at,
    auth_expires_at: given.auth_expires_at,
    services_authorised: JSON.stringify(given.services_authorised),
    eligibility_checked_at: given.eligibility_checked_at,
    eligibility_raw: given.eligibility_raw,
  }
}

/** The chosen company, or the company with the typed name. A new name is added to the list. */
async function companyOf(trx: Transaction<Schema>, { company_id, company_name }: NewPolicy | ChangedPolicy): Promise<number | null> {
  if (company_id !== null || company_name === null) return company_id
  const name_words = wordsOf(company_name, 'company_name')
  const row = await trx
    .insertInto('insurance_companies')
    .values({ name: company_name, name_words, payer_id: null })
    // Changes nothing, and makes the statement return the existing row.
    .onConflict((conflict) => conflict.column('name_words').doUpdateSet({ name_words }))
    .returning('company_id')
    .executeTakeFirstOrThrow()
  return row.company_id
}

async function planOf(
  trx: Transaction<Schema>,
  company_id: number | null,
  { plan_id, plan_name, coverage_type_id, benefits }: NewPolicy | ChangedPolicy,
): Promise<number | null> {
  if (plan_id !== null || plan_name === null || company_id === null) return plan_id
  const name_words = wordsOf(plan_name, 'plan_name')
  const values = { company_id, coverage_type_id, name: plan_name, name_words, benefits: JSON.stringify(benefits ?? noBenefits) }
  const insert = trx
    .insertInto('insurance_plans')
    .values(values)
    .onConflict((conflict) => conflict.columns(['company_id', 'name_words']).doUpdateSet({ name_words }))
    .returning('plan_id')
  return (await withKnownReferences(() => insert.executeTakeFirstOrThrow())).plan_id
}

function wordsOf(name: string, field: string): string {
  const words = fold(name)
  if (words === '') refuse([{ path: `body.${field}`, message: 'must have letters or digits' }])
  return words
}

async function putPhotos(
  db: Kysely<Schema>,
  id_insurance: string,
  { front_photo, back_photo }: { front_photo?: Uint8Array | null | undefined; back_photo?: Uint8Array | null | undefined },
): Promise<void> {
  const given: [PhotoSide, Uint8Array | null | undefined][] = [
    ['front', front_photo],
    ['back', back_photo],
  ]
  for (const [side, bytes] of given) {
    if (bytes === undefined) continue
    await db.deleteFrom('insurance_photos').where('id_insurance', '=', id_insurance).where('side', '=', side).execute()
    const mime = bytes && photoMime(bytes)
    if (mime)
      await db
        .insertInto('insurance_photos')
        .values({ id_insurance, side, mime, content: Buffer.from(bytes) })
        .execute()
  }
}

/** A hash to recognize a repeated call. Photos count by their bytes. */
function hashOf(given: NewPolicy): string {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')
  const plain = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value instanceof Uint8Array ? digest(value) : value]))
  return digest(Buffer.from(canonicalJson(plain)))
}

function refuseFutureUse({ used }: NewPolicy | ChangedPolicy, today: string): void {
  const wrong = services.filter((service) => (used[service] ?? '') > today)
  refuse(wrong.map((service) => ({ path: `body.used.${service}`, message: 'can’t be in the future' })))
}

function refuse(fields: FieldProblem[]): void {
  if (fields.length > 0) throw new Refusal('request-invalid', { fields })
}

async function withKnownReferences<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (brokenReference(error) === null) throw error
    throw new Refusal('insurance-reference-unknown')
  }
}
