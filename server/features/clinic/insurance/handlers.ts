import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import type { Insurance } from '#contract/insurance/insurance.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findHolder, holderIds, neverUsed, putHolder } from '#server/features/clinic/insurance/holders.ts'
import { policiesOf } from '#server/features/clinic/insurance/read-policies.ts'
import { addPolicy, changePolicy } from '#server/features/clinic/insurance/save-policy.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { audit, auditView } from '#server/domain/patients/audit.ts'
import { findPatient, storesInSight } from '#server/domain/patients/patient-access.ts'
import type { Services } from '#server/platform/services.ts'
import { scanFile } from '#server/platform/storage/scan-file.ts'

/** Patients' insurance: policies, their holders, and photos of the cards. */
export const insuranceHandlers: HandlersOf<
  | 'insurancePlans'
  | 'insuranceCompanies'
  | 'coverageTypes'
  | 'listInsurance'
  | 'addInsurance'
  | 'readInsurance'
  | 'changeInsurance'
  | 'detachInsurance'
  | 'attachHolder'
  | 'changeHolder'
  | 'detachHolder'
  | 'insurancePhoto'
> = {
  async insurancePlans({ services }) {
    const columns = ['plan_id', 'company_id', 'coverage_type_id', 'name', 'benefits'] as const
    return { plans: await services.db.pool.selectFrom('insurance_plans').select(columns).orderBy('name_words').execute() }
  },

  async insuranceCompanies({ services }) {
    const columns = ['company_id', 'name', 'payer_id'] as const
    return { companies: await services.db.pool.selectFrom('insurance_companies').select(columns).orderBy('name_words').execute() }
  },

  async coverageTypes({ services }) {
    const columns = ['coverage_type_id', 'key', 'name'] as const
    const rows = await services.db.pool.selectFrom('insurance_coverage_types').select(columns).orderBy('coverage_type_id').execute()
    return { coverage_types: rows }
  },

  async listInsurance({ services, scope, query }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, query.id_patient)
    await auditView(pool, { ...told(services, scope), id_patient: id, action: 'insurance.view', detail: 'insurance' })
    return { insurances: await policiesOf(pool, scope, id) }
  },

  async readInsurance({ services, scope, params }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, params.id_patient)
    const read = await policyOf(services, scope, params.id, id)
    await auditView(pool, { ...told(services, scope), id_patient: id, action: 'insurance.view', detail: 'policy' })
    return read
  },

  async addInsurance({ services, scope, body }) {
    const patient = await findPatient(services.db.pool, scope, body.id_patient)
    const id = body.id_insurance?.toLowerCase() ?? uuidv7()
    const made = { at: now(services), by: scope.id_user, today: today(services) }
    await scanPhotos(services, body)
    await services.db.write([], async ({ trx }) => {
      if (!(await addPolicy(trx, id, { ...body, id_patient: patient.id }, made))) return
      await audit(trx, { ...told(services, scope), id_patient: patient.id, action: 'insurance.create', detail: body.image ? 'image' : '' })
    })
    return await policyOf(services, scope, id, patient.id)
  },

  async changeInsurance({ services, scope, params, body }) {
    const patient = await findPatient(services.db.pool, scope, body.id_patient)
    await scanPhotos(services, body)
    await services.db.write([], async ({ trx }) => {
      const given = { ...body, id_patient: patient.id }
      const { holders, changed } = await changePolicy(trx, params.id_insurance, given, today(services))
      await auditAll(trx, { services, scope, patients: holders, action: 'insurance.edit', detail: changed.join(', ') })
    })
    return await policyOf(services, scope, params.id_insurance, patient.id)
  },

  async detachInsurance({ services, scope, params }) {
    const { id } = await findPatient(services.db.pool, scope, params.id_patient)
    await services.db.write([], async ({ trx }) => {
      await findHolder(trx, { ...params, id_patient: id })
      await detach(trx, params.id_insurance, id)
      await audit(trx, { ...told(services, scope), id_patient: id, action: 'insurance.detach' })
    })
    return { ok: true as const }
  },

  async attachHolder({ services, scope, params, body }) {
    const { id } = await findPatient(services.db.pool, scope, body.id_patient)
    await services.db.write([], async ({ trx }) => {
      const present = await assertInSight(trx, scope, params.id_insurance)
      if (present.includes(id)) throw new Refusal('insurance-holder-present')
      const { relationship, priority } = body
      const place = { id_insurance: params.id_insurance, id_patient: id }
      await putHolder(trx, place, { relationship, priority, used: neverUsed }, today(services))
      await auditAll(trx, { services, scope, patients: [...present, id], action: 'insurance-holder.attach' })
    })
    return { ok: true as const }
  },

  async changeHolder({ services, scope, params, body }) {
    const { id } = await findPatient(services.db.pool, scope, params.id_patient)
    await services.db.write([], async ({ trx }) => {
      await assertInSight(trx, scope, params.id_insurance)
      const place = { ...params, id_patient: id }
      const { used } = await findHolder(trx, place, 'insurance-holder-unknown')
      await putHolder(trx, place, { ...body, used }, today(services))
      await audit(trx, { ...told(services, scope), id_patient: id, action: 'insurance-holder.edit', detail: 'priority, relationship' })
    })
    return { ok: true as const }
  },

  async detachHolder({ services, scope, params }) {
    const { id } = await findPatient(services.db.pool, scope, params.id_patient)
    await services.db.write([], async ({ trx }) => {
      const present = await assertInSight(trx, scope, params.id_insurance)
      await findHolder(trx, { ...params, id_patient: id }, 'insurance-holder-unknown')
      await detach(trx, params.id_insurance, id)
      await auditAll(trx, { services, scope, patients: present, action: 'insurance-holder.detach' })
    })
    return { ok: true as const }
  },

  async insurancePhoto({ services, scope, params }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, params.id_patient)
    await findHolder(pool, { id_insurance: params.id, id_patient: id })
    const photo = await pool
      .selectFrom('insurance_photos')
      .select(['mime', 'content'])
      .where('id_insurance', '=', params.id)
      .where('side', '=', params.side)
      .executeTakeFirst()
    if (!photo) throw new Refusal('insurance-unknown', { message: 'No photo of this side of the card' })
    await auditView(pool, { ...told(services, scope), id_patient: id, action: 'insurance.view', detail: `${params.side}_photo` })
    return new Response(Uint8Array.from(photo.content), {
      headers: { 'content-type': photo.mime, 'cache-control': 'no-store', 'content-disposition': 'inline' },
    })
  },
}

type Photo = Uint8Array | null | undefined

/** @throws Refusal file-infected, scanner-unreachable */
async function scanPhotos(services: Services, given: { front_photo?: Photo; back_photo?: Photo; image?: Photo }): Promise<void> {
  for (const photo of [given.front_photo, given.back_photo, given.image]) if (photo) await scanFile(services, photo)
}

async function policyOf(services: Services, scope: Scope, idInsurance: string, idPatient: string): Promise<Insurance> {
  const [found] = await policiesOf(services.db.pool, scope, idPatient, idInsurance)
  if (!found) throw new Refusal('insurance-unknown')
  return found
}

/**
 * Returns the holders of a policy, and locks it against other changes. A user who may see one of the holders may see
 * the policy.
 * @throws Refusal insurance-unknown, patient-of-other-store
 */
async function assertInSight(trx: Transaction<Schema>, scope: Scope, idInsurance: string): Promise<string[]> {
  const policy = await trx
    .selectFrom('insurances')
    .select('id_insurance')
    .where('id_insurance', '=', idInsurance)
    .forUpdate()
    .executeTakeFirst()
  const holders = policy ? await holderIds(trx, idInsurance) : []
  if (holders.length === 0) throw new Refusal('insurance-unknown')
  const stores = await storesInSight(trx, scope)
  if (stores === null) return holders
  const patients = await trx.selectFrom('patients').select('store_id').where('id', 'in', holders).execute()
  if (!patients.some(({ store_id }) => stores.includes(store_id))) throw new Refusal('patient-of-other-store')
  return holders
}

async function detach(trx: Transaction<Schema>, idInsurance: string, idPatient: string): Promise<void> {
  await trx.deleteFrom('insurance_holders').where('id_insurance', '=', idInsurance).where('id_patient', '=', idPatient).execute()
}

type Told = { services: Services; scope: Scope; patients: readonly string[]; action: string; detail?: string }

/** Audits a change of a policy in the record of each of its holders. */
async function auditAll(trx: Transaction<Schema>, { services, scope, patients, ...row }: Told): Promise<void> {
  for (const id_patient of patients) await audit(trx, { ...told(services, scope), ...row, id_patient })
}

function told(services: Services, scope: Scope) {
  return { at: now(services), by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
}

function now(services: Services): string {
  return new Date(services.clock.now()).toISOString()
}

function today(services: Services): string {
  return now(services).slice(0, 10)
}
