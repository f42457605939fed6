import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { safeParse } from 'valibot'
import { Refusal } from '#contract/core/errors.ts'
import { tellingBytes } from '#contract/patients/file-types.ts'
import { mostFileBytes, uploadHours, uploadName } from '#contract/patients/patient-files.ts'
import type { PatientUploadTable } from '#server/platform/db/tables/record-tables.ts'
import { judgeFile, typeOrRefusal } from '#server/features/patients/files/judge-file.ts'
import { assertStoreHasRoom } from '#server/features/patients/files/store-room.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import type { Services } from '#server/platform/services.ts'
import { scanFile } from '#server/platform/storage/scan-file.ts'
import { once } from '#server/platform/storage/storage.ts'

export type Upload = Selectable<PatientUploadTable>

/** Limit for one user's uploads that are not in a record yet. */
const mostOpen = 100
/** Expired uploads that each new upload clears away. */
const sweptAtOnce = 20

/** Begins an upload by this user of a file of this patient, and returns its name. */
export async function beginUpload(services: Services, scope: Scope, idPatient: string): Promise<Upload> {
  const { pool } = services.db
  const patient = await findPatient(pool, scope, idPatient)
  await sweep(services)
  const { open } = await pool
    .selectFrom('patient_uploads')
    .select(sql<number>`count(*)`.as('open'))
    .where('id_user', '=', scope.id_user)
    .where('id_file', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= mostOpen) throw new Refusal('uploads-too-many', { retry_after_s: 60 })
  await assertStoreHasRoom(services, patient.id, 1)
  const now = services.clock.now()
  return await pool
    .insertInto('patient_uploads')
    .values({
      filename: `doc-${randomBytes(16).toString('hex')}`,
      id_patient: patient.id,
      id_user: scope.id_user,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + uploadHours * 3_600_000).toISOString(),
      length: null,
      file_path: null,
      mime: null,
      sha256: null,
      id_file: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Returns a user's own upload that has not expired. It joins the parts when all have arrived and nobody has joined
 * them.
 */
export async function findUpload(services: Services, scope: Scope, filename: string): Promise<Upload> {
  const upload = safeParse(uploadName, filename).success
    ? await services.db.pool
        .selectFrom('patient_uploads')
        .selectAll()
        .where('filename', '=', filename)
        .where('id_user', '=', scope.id_user)
        .where('expires_at', '>', new Date(services.clock.now()).toISOString())
        .executeTakeFirst()
    : undefined
  if (!upload) throw new Refusal('upload-unknown')
  await findPatient(services.db.pool, scope, upload.id_patient)
  return upload.length !== null && upload.received === upload.length && upload.file_path === null
    ? await joinParts(services, upload)
    : upload
}

/** Receives a whole file, which replaces earlier content. */
export async function receiveWhole(services: Services, upload: Upload, bytes: Uint8Array): Promise<Upload> {
  refuseUsed(upload)
  const whole = { length: bytes.byteLength, received: bytes.byteLength, ...wholeFrom(bytes) }
  await assertStoreHasRoom(services, upload.id_patient, bytes.byteLength - upload.received)
  await scanFile(services, bytes)
  await services.storage.put(whole.file_path, once(bytes), bytes.byteLength)
  const kept = await services.db.pool
    .updateTable('patient_uploads')
    .set(whole)
    .where('filename', '=', upload.filename)
    .where('id_file', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!kept) {
    await services.storage.delete(whole.file_path)
    throw new Refusal('key-reused')
  }
  await dropParts(services, upload.filename)
  if (upload.file_path !== null) await services.storage.delete(upload.file_path)
  return kept
}

/**
 * Receives the part that follows the received bytes, and no other. A tablet that does not know its progress has to ask.
 */
export async function receivePart(
  services: Services,
  upload: Upload,
  part: { offset: number; length: number; bytes: Uint8Array },
): Promise<Upload> {
  refuseUsed(upload)
  const { offset, length, bytes } = part
  const end = offset + bytes.byteLength
  if (length > mostFileBytes) throw new Refusal('file-too-large', { details: { limit_bytes: mostFileBytes } })
  if (end > length) throw new Refusal('request-invalid', { fields: [{ path: 'query.length', message: 'is less than what was sent' }] })
  if (offset !== upload.received || (upload.length ?? length) !== length) throw offsetWrong(upload.received)
  // Checks early, so that nobody sends a file to the end that the server would refuse.
  if (offset === 0 && (end === length || end >= tellingBytes)) typeOrRefusal(bytes)
  if (offset === 0) await assertStoreHasRoom(services, upload.id_patient, length)
  const key = `uploads/${randomUUID()}`
  await services.storage.put(key, once(bytes), bytes.byteLength)
  const grown = await services.db.write([], async ({ trx }) => {
    const row = await trx
      .updateTable('patient_uploads')
      .set({ received: end, length })
      .where('filename', '=', upload.filename)
      .where('received', '=', offset)
      .where('file_path', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    await trx.insertInto('patient_upload_parts').values({ filename: row.filename, start: offset, size: bytes.byteLength, key }).execute()
    return row
  })
  if (grown) return end === length ? await joinParts(services, grown) : grown
  await services.storage.delete(key)
  throw offsetWrong(upload.received)
}

async function joinParts(services: Services, upload: Upload): Promise<Upload> {
  const { storage, db } = services
  const parts = await db.pool
    .selectFrom('patient_upload_parts')
    .selectAll()
    .where('filename', '=', upload.filename)
    .orderBy('start')
    .execute()
  const chunks: Uint8Array[] = []
  for (const { key } of parts) {
    const stream = await storage.get(key)
    if (stream) for await (const chunk of stream) chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  // Another call has joined it in the meantime, and its parts are gone.
  if (bytes.byteLength !== upload.length) return await reread(services, upload.filename)
  let whole: ReturnType<typeof wholeFrom>
  try {
    whole = wholeFrom(bytes)
    await scanFile(services, bytes)
  } catch (refusal) {
    // After a scanner failure the parts stay. The next call scans them again.
    if (!(refusal instanceof Refusal && refusal.code === 'scanner-unreachable')) await giveUp(services, upload)
    throw refusal
  }
  await storage.put(whole.file_path, once(bytes), bytes.byteLength)
  const kept = await db.pool
    .updateTable('patient_uploads')
    .set(whole)
    .where('filename', '=', upload.filename)
    .where('file_path', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!kept) {
    await storage.delete(whole.file_path)
    return await reread(services, upload.filename)
  }
  await dropParts(services, upload.filename)
  return kept
}

async function reread(services: Services, filename: string): Promise<Upload> {
  const row = await services.db.pool.selectFrom('patient_uploads').selectAll().where('filename', '=', filename).executeTakeFirst()
  if (!row) throw new Refusal('upload-unknown')
  return row
}

function wholeFrom(bytes: Uint8Array) {
  const { mime } = judgeFile(bytes)
  return { file_path: `patient-files/${randomUUID()}`, mime, sha256: createHash('sha256').update(bytes).digest('hex') }
}

function refuseUsed(upload: Upload): void {
  if (upload.id_file !== null) throw new Refusal('key-reused')
}

function offsetWrong(received: number): Refusal {
  return new Refusal('upload-offset-wrong', { details: { received } })
}

/** Deletes expired uploads with their bytes. Files in a record stay. */
async function sweep(services: Services): Promise<void> {
  const over = await services.db.pool
    .selectFrom('patient_uploads')
    .selectAll()
    .where('expires_at', '<', new Date(services.clock.now()).toISOString())
    .orderBy('expires_at')
    .limit(sweptAtOnce)
    .execute()
  for (const upload of over) await giveUp(services, upload)
}

async function giveUp(services: Services, upload: Upload): Promise<void> {
  await dropParts(services, upload.filename)
  // Deletes the row first, while it is in no record. Bytes without a row cost space, but a record without bytes is a
  // loss.
  const gone = await services.db.pool
    .deleteFrom('patient_uploads')
    .where('filename', '=', upload.filename)
    .where((eb) => (upload.id_file === null ? eb('id_file', 'is', null) : eb('id_file', '=', upload.id_file)))
    .returning('filename')
    .executeTakeFirst()
  if (gone && upload.id_file === null && upload.file_path !== null) await services.storage.delete(upload.file_path)
}

async function dropParts(services: Services, filename: string): Promise<void> {
  const parts = await services.db.pool.deleteFrom('patient_upload_parts').where('filename', '=', filename).returning('key').execute()
  for (const { key } of parts) await services.storage.delete(key)
}
