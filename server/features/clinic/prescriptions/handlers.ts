import { type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import { isSameName } from '#contract/core/folding.ts'
import type { RxInput, RxSignature } from '#contract/rx/prescription.ts'
import type { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { draftProblems, inNotation, type RxProblem, signingProblems, withdrawalsOf } from '#contract/rx/rx-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { audit, auditView } from '#server/domain/patients/audit.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { personName } from '#server/domain/people/person-name.ts'
import { numbersOf } from '#server/domain/people/provider-numbers.ts'
import { readOpticalSettings } from '#server/domain/people/store-settings.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { lockDraft, findRx, lockRx, nowOf, prescriptionOf, selectRx, told } from '#server/features/clinic/prescriptions/rx-rows.ts'
import { findBrands } from '#server/features/clinic/prescriptions/lens-brands.ts'
import { moveByExam, takeBackExam } from '#server/features/clinic/prescriptions/move-by-exam.ts'

/** Prescriptions: drafts, signing, and reading signed ones. */
export const prescriptionHandlers: HandlersOf<keyof typeof prescriptionEndpoints> = {
  async latestRx({ services, scope, query }) {
    const { pool } = services.db
    await findPatient(pool, scope, query.id_patient)
    const row = await selectRx(pool)
      .where('rx.id_patient', '=', query.id_patient)
      .where('rx.status', '=', 'active')
      .$if(query.rx_kind !== undefined, (asked) => asked.where('rx.rx_kind', '=', query.rx_kind!))
      .orderBy('rx.signed_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row) await auditView(pool, { ...told(services, scope, query.id_patient), action: 'rx.view', detail: 'latest' })
    return row ? prescriptionOf(row, scope) : null
  },

  async listRx({ services, scope, query }) {
    const { pool } = services.db
    await findPatient(pool, scope, query.id_patient)
    await auditView(pool, { ...told(services, scope, query.id_patient), action: 'rx.view', detail: 'list' })
    const rows = await selectRx(pool)
      .where('rx.id_patient', '=', query.id_patient)
      .orderBy(sql`coalesce(rx.signed_at, rx.created_at)`, 'desc')
      .orderBy('rx.id_rx', 'desc')
      .execute()
    return { rx_list: rows.map((row) => prescriptionOf(row, scope)) }
  },

  async readRx({ services, scope, query }) {
    const rx = await findRx(services.db.pool, scope, query.id_rx)
    await auditView(services.db.pool, { ...told(services, scope, rx.id_patient), action: 'rx.view' })
    return rx
  },

  async addRx({ services, scope, body }) {
    const { id_patient, id_rx: given, ...written } = body
    const { power_step } = await readOpticalSettings(services.db.pool, scope.store_id)
    refuse(draftProblems(written, power_step), 'body')
    const rx = inNotation(written, 'minus')
    const id = given?.toLowerCase() ?? uuidv7()
    await services.db.pool.transaction().execute(async (trx) => {
      await findPatient(trx, scope, id_patient)
      await refuseUnknownProvider(trx, rx)
      const now = nowOf(services)
      const made = await trx
        .insertInto('prescriptions')
        .values({ id_rx: id, id_patient, ...columnsOf(rx), status: 'draft', created_at: now, created_by: scope.id_user, version: 1 })
        .onConflict((conflict) => conflict.column('id_rx').doNothing())
        .returning('id_rx')
        .executeTakeFirst()
      if (made) await audit(trx, { ...told(services, scope, id_patient), action: 'rx.create' })
      else await refuseAnother(trx, scope, { id, id_patient, rx })
    })
    return await findRx(services.db.pool, scope, id)
  },

  async changeRx({ services, scope, body }) {
    const { id_rx: id, version, signature } = body
    const rx = body.rx && inNotation(body.rx, 'minus')
    if (rx === undefined && signature === undefined) throw invalid([{ path: 'signature', message: 'This field is required' }], 'body')
    if (signature && !scope.permissions.has('rx.sign')) throw new Refusal('permission-missing')
    if (signature) await refuseForeignSignature(services.db.pool, scope, signature)
    const { power_step } = await readOpticalSettings(services.db.pool, scope.store_id)
    if (body.rx) refuse(draftProblems(body.rx, power_step), 'body.rx')
    const { id_patient } = await findRx(services.db.pool, scope, id)
    const patient = await findPatient(services.db.pool, scope, id_patient)
    // Signing changes fields of the patient that devices mirror.
    await services.db.write(signature ? [`patients:${patient.store_id}`] : [], async (writing) => {
      const { trx } = writing
      const before = await lockDraft(trx, scope, id)
      if (version !== undefined && version !== before.version) throw new Refusal('rx-changed', { details: { version: before.version } })
      const content = rx ?? before.content
      await refuseUnknownProvider(trx, content)
      const tell = told(services, scope, before.id_patient)
      if (rx) {
        const changed = (Object.keys(rx) as (keyof RxInput)[]).filter((key) => !isSame(rx[key], before.content[key]))
        if (changed.length > 0) await audit(trx, { ...tell, action: 'rx.edit', detail: changed.sort().join(', ') })
      }
      if (signature) {
        refuse(signingProblems(content, latestToday(tell.at), power_step), 'body.rx')
        await supersede(trx, before.id_patient, content)
        await audit(trx, { ...tell, action: 'rx.sign', detail: content.rx_kind })
      }
      const signed = signature && !content.is_outside_rx ? await withNumbers(trx, content, scope) : content
      const moved = signature ? await moveByExam(writing, scope, content, tell) : null
      await trx
        .updateTable('prescriptions')
        .set({
          ...columnsOf(signed),
          version: before.version + 1,
          ...(signature && { status: 'active', signature: JSON.stringify(signature), signed_by: scope.id_user, signed_at: tell.at }),
          ...(moved && { moved: JSON.stringify(moved) }),
        })
        .where('id_rx', '=', id)
        .execute()
    })
    return await findRx(services.db.pool, scope, id)
  },

  async deleteRx({ services, scope, params }) {
    await services.db.pool.transaction().execute(async (trx) => {
      const { id_patient } = await lockDraft(trx, scope, params.id)
      await trx.deleteFrom('prescriptions').where('id_rx', '=', params.id).execute()
      await audit(trx, { ...told(services, scope, id_patient), action: 'rx.delete' })
    })
    return { ok: true as const }
  },

  async linkRxScan({ services, scope, params, body: { id_file } }) {
    if (!scope.permissions.has('file.read')) throw new Refusal('permission-missing')
    await services.db.pool.transaction().execute(async (trx) => {
      const { id_rx, id_patient, id_scan, content } = await lockRx(trx, scope, params.id)
      if (id_file !== null) {
        if (!content.is_outside_rx) throw invalid([{ path: 'id_file', message: 'is for outside prescriptions only' }], 'body')
        const isTheirs = trx
          .selectFrom('patient_files')
          .select('id_file')
          .where('id_file', '=', id_file)
          .where('id_patient', '=', id_patient)
        if (!(await isTheirs.executeTakeFirst())) throw new Refusal('file-unknown')
      }
      if ((id_file?.toLowerCase() ?? null) === id_scan) return
      // The scan is not part of the typed or signed content. The version stays, so an open form elsewhere can still be
      // saved.
      await trx.updateTable('prescriptions').set({ id_scan: id_file }).where('id_rx', '=', id_rx).execute()
      const [action, file] = id_file === null ? ['rx.detach', id_scan] : ['rx.attach', id_file]
      await audit(trx, { ...told(services, scope, id_patient), action, detail: `scan ${file}` })
    })
    return await findRx(services.db.pool, scope, params.id)
  },

  async findLensBrands({ services, query }) {
    return { brands: await findBrands(services.db.pool, query.query) }
  },

  async recordRxCopy({ services, scope, params, body: { way, reason } }) {
    const { pool } = services.db
    const { id_patient, status } = await findRx(pool, scope, params.id)
    await audit(pool, { ...told(services, scope, id_patient), action: `rx.${way}`, detail: status, reason })
    await noteSecurityEvent(services, { kind: way === 'print' ? 'printed' : 'exported', id_patient, detail: `rx ${way}` })
    return { ok: true as const }
  },

  async withdrawRx({ services, scope, params, body: { status, reason, version } }) {
    const { id_patient } = await findRx(services.db.pool, scope, params.id)
    const patient = await findPatient(services.db.pool, scope, id_patient)
    await services.db.write([`patients:${patient.store_id}`], async (writing) => {
      const { trx } = writing
      const before = await lockRx(trx, scope, params.id)
      if (!withdrawalsOf(before.status).includes(status)) throw new Refusal('rx-not-withdrawable')
      if (version !== undefined && version !== before.version) throw new Refusal('rx-changed', { details: { version: before.version } })
      const tell = told(services, scope, before.id_patient)
      const withdrawn = { withdrawn_at: tell.at, withdrawn_by: scope.id_user, withdrawn_reason: reason }
      await trx
        .updateTable('prescriptions')
        .set({ status, version: before.version + 1, ...withdrawn })
        .where('id_rx', '=', before.id_rx)
        .execute()
      await audit(trx, { ...tell, action: 'rx.withdraw', detail: status, reason })
      if (status === 'entered_in_error' && before.moved) await takeBackExam(writing, scope, before.moved, tell)
    })
    return await findRx(services.db.pool, scope, params.id)
  },
}

async function supersede(trx: Kysely<Schema>, idPatient: string, { rx_kind }: RxInput): Promise<void> {
  await trx
    .updateTable('prescriptions')
    .set({ status: 'superseded', version: sql`version + 1` })
    .where('id_patient', '=', idPatient)
    .where('rx_kind', '=', rx_kind)
    .where('status', '=', 'active')
    .execute()
}

/** Adds the numbers of the provider's own record, never those of a copied prescription's signer. */
async function withNumbers(trx: Kysely<Schema>, rx: RxInput, scope: Scope): Promise<RxInput> {
  return { ...rx, ...(await numbersOf(trx, rx.provider_id ?? scope.id_user)) }
}

/** A typed name signs only for the user with that name. */
async function refuseForeignSignature(db: Kysely<Schema>, scope: Scope, signature: RxSignature): Promise<void> {
  if (signature.kind !== 'typed') return
  const { name } = await db
    .selectFrom('users')
    .select(personName('users').as('name'))
    .where('id_user', '=', scope.id_user)
    .executeTakeFirstOrThrow()
  if (isSameName(signature.name, name)) return
  const message = `Type your name as on your account: ${name}`
  throw new Refusal('rx-signature-not-yours', { message, fields: [{ path: 'body.signature.name', message }] })
}

async function refuseUnknownProvider(db: Kysely<Schema>, { provider_id: id }: RxInput): Promise<void> {
  if (id === null) return
  const found = await db
    .selectFrom('users')
    .select('id_user')
    .where('id_user', '=', id)
    .where(sql<boolean>`'doctor' = any(role_ids)`)
    .executeTakeFirst()
  if (!found) throw new Refusal('rx-provider-unknown', { fields: [{ path: 'provider_id', message: 'must be one of the choices' }] })
}

function columnsOf(rx: RxInput) {
  return { rx_kind: rx.rx_kind, provider_id: rx.provider_id, content: JSON.stringify(rx) }
}

function invalid(problems: RxProblem[], under: string): Refusal {
  return new Refusal('request-invalid', { fields: problems.map(({ path, message }) => ({ path: `${under}.${path}`, message })) })
}

function refuse(problems: RxProblem[], under: string): void {
  if (problems.length > 0) throw invalid(problems, under)
}

/** The latest date anywhere in the world. */
function latestToday(at: string): string {
  return new Date(Date.parse(at) + 14 * 3_600_000).toISOString().slice(0, 10)
}

/**
 * Refuses an id that another prescription has. The same prescription may come again, because its answer was lost, even
 * when it has changed since.
 */
async function refuseAnother(trx: Kysely<Schema>, scope: Scope, sent: { id: string; id_patient: string; rx: RxInput }): Promise<void> {
  const there = await trx.selectFrom('prescriptions').selectAll().where('id_rx', '=', sent.id).executeTakeFirstOrThrow()
  const isTheirs = there.created_by === scope.id_user && there.id_patient === sent.id_patient
  const { content } = there
  const isWritten = (Object.keys(sent.rx) as (keyof RxInput)[]).every((key) => isSame(sent.rx[key], content[key]))
  if (!isTheirs || (there.version === 1 && !isWritten)) throw new Refusal('key-reused')
}

/** Compares values from jsonb, which has its own order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  return Object.keys(a).every((key) => Reflect.get(a, key) === Reflect.get(b, key))
}
