import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import { typeNamed } from '#contract/patients/file-types.ts'
import type { PatientFile } from '#contract/patients/patient-files.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { announcedForm, readForm, receiveForm } from '#server/features/patients/files/read-form.ts'
import { beginUpload, findUpload, receivePart, receiveWhole } from '#server/features/patients/files/uploads.ts'
import { bodyBudgetsOf } from '#server/platform/http/body-budget.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { turnsOf } from '#server/platform/http/turns.ts'
import { audit, auditView } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { personName } from '#server/domain/people/person-name.ts'
import type { Services } from '#server/platform/services.ts'
import { scanFile } from '#server/platform/storage/scan-file.ts'
import { once } from '#server/platform/storage/storage.ts'

/** Patients' files: uploading, showing, changing, with their audit. */
export const fileHandlers: HandlersOf<
  | 'generateFilename'
  | 'uploadFile'
  | 'uploadProgress'
  | 'attachFile'
  | 'listFiles'
  | 'readFile'
  | 'readFileContent'
  | 'readFileThumbnail'
  | 'changeFile'
> = {
  async generateFilename({ services, scope, params }) {
    return await beginUpload(services, scope, params.id_patient)
  },

  async uploadFile({ services, scope, query, headers, stream, signal }) {
    const turns = turnsOf(services.db).files
    turns.assertRoom()
    const giveBack = bodyBudgetsOf(services.db).files.take(announcedForm({ headers }), scope.session_id)
    try {
      // Read before the turn, so that a slow upload delays nobody else.
      const form = await receiveForm({ headers, body: stream })
      return await turns.take(signal, async () => {
        const { name, bytes } = await readForm(form)
        const upload = await findUpload(services, scope, name)
        const { offset = 0, length = bytes.byteLength } = query
        const isWhole = query.offset === undefined && query.length === undefined
        const grown = isWhole ? await receiveWhole(services, upload, bytes) : await receivePart(services, upload, { offset, length, bytes })
        return new Response(grown.file_path ?? '', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
      })
    } finally {
      giveBack()
    }
  },

  async uploadProgress({ services, scope, params }) {
    return await findUpload(services, scope, params.filename)
  },

  async attachFile({ services, scope, body }) {
    const { storage } = services
    if (body.thumbnail) await scanFile(services, body.thumbnail)
    const thumbnail_path = body.thumbnail ? await keepThumbnail(services, scope, body.id_patient, body.thumbnail) : null
    const { file, kept } = await services.db.write([], async ({ trx }) => {
      const patient = await findPatient(trx, scope, body.id_patient)
      const { id_file: id = uuidv7() } = body
      const findKnown = () =>
        fileRows(trx)
          .where((eb) => eb.or([eb('file.file_path', '=', body.file_path), eb('file.id_file', '=', id)]))
          .where('file.uploaded_by', '=', scope.id_user)
          .where('file.id_patient', '=', patient.id)
          .executeTakeFirst()
      const known = await findKnown()
      if (known) return { file: known, kept: false }
      const upload = await trx
        .selectFrom('patient_uploads')
        .selectAll()
        .where('file_path', '=', body.file_path)
        .where('id_user', '=', scope.id_user)
        .where('id_patient', '=', patient.id)
        .where('expires_at', '>', now(services))
        .forUpdate()
        .executeTakeFirst()
      if (!upload?.file_path || !upload.mime || !upload.sha256) throw new Refusal('upload-unknown')
      // Another call may have put the upload into the record at the same moment.
      if (upload.id_file !== null) return { file: await fileRow(trx, upload.id_file), kept: false }
      const made = await trx
        .insertInto('patient_files')
        .values({
          id_file: id,
          id_patient: patient.id,
          file_path: upload.file_path,
          filename: body.filename ?? `Document.${typeNamed(upload.mime).ending}`,
          mime: upload.mime,
          size: upload.received,
          sha256: upload.sha256,
          category: body.category,
          note: body.note,
          uploaded_by: scope.id_user,
          uploaded_at: now(services),
          thumbnail_path,
        })
        .onConflict((conflict) => conflict.column('id_file').doNothing())
        .returning('id_file')
        .executeTakeFirst()
      if (!made) {
        // The id is another file's, or two uploads of one file arrived in the record at once.
        const other = await findKnown()
        if (other) return { file: other, kept: false }
        throw new Refusal('key-reused')
      }
      await trx.updateTable('patient_uploads').set({ id_file: id }).where('filename', '=', upload.filename).execute()
      await audit(trx, { ...told(services, scope, patient.id), action: 'file.upload', detail: `${body.category} ${id}` })
      return { file: await fileRow(trx, id), kept: true }
    })
    if (thumbnail_path !== null && !kept) await storage.delete(thumbnail_path)
    return file
  },

  async listFiles({ services, scope, query }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, query.id_patient)
    await auditView(pool, { ...told(services, scope, id), action: 'patient.view', detail: 'files' })
    const { category } = query
    const files = await fileRows(pool)
      .where('file.id_patient', '=', id)
      .$if(category !== undefined, (found) => found.where('file.category', '=', category ?? 'other'))
      .orderBy('file.uploaded_at', 'desc')
      .orderBy('file.id_file', 'desc')
      .execute()
    return { files }
  },

  async readFile({ services, scope, params }) {
    return await seenFile(services, scope, params.id)
  },

  async readFileContent({ services, scope, params }) {
    const file = await seenFile(services, scope, params.id)
    const content = await services.storage.get(file.file_path)
    if (!content) throw new Error('a file of a record is not in the storage')
    const disposition = typeNamed(file.mime).shown === 'no' ? 'attachment' : 'inline'
    return new Response(content, {
      headers: {
        'content-type': file.mime,
        'content-length': String(file.size),
        'content-disposition': `${disposition}; filename*=UTF-8''${headerText(file.filename)}`,
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
      },
    })
  },

  async readFileThumbnail({ services, scope, params }) {
    const { pool } = services.db
    const file = await fileRow(pool, params.id)
    await findPatient(pool, scope, file.id_patient)
    await auditView(pool, { ...told(services, scope, file.id_patient), action: 'patient.view', detail: 'files' })
    const row = await pool.selectFrom('patient_files').select('thumbnail_path').where('id_file', '=', file.id_file).executeTakeFirst()
    const content = row?.thumbnail_path ? await services.storage.get(row.thumbnail_path) : null
    if (!content) throw new Refusal('file-unknown')
    return new Response(content, {
      headers: { 'content-type': 'image/jpeg', 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; sandbox" },
    })
  },

  async changeFile({ services, scope, params, body }) {
    return await services.db.write([], async ({ trx }) => {
      const file = await fileRow(trx, params.id_file)
      await findPatient(trx, scope, file.id_patient)
      const { filename = file.filename, category = file.category, note = file.note } = body
      const wanted = { filename, category, note }
      const changed = (['filename', 'category', 'note'] as const).filter((field) => wanted[field] !== file[field])
      if (changed.length === 0) return file
      await trx.updateTable('patient_files').set(wanted).where('id_file', '=', file.id_file).execute()
      await audit(trx, { ...told(services, scope, file.id_patient), action: 'file.edit', detail: `${changed.join(', ')} ${file.id_file}` })
      return await fileRow(trx, file.id_file)
    })
  },
}

function fileRows(db: Kysely<Schema>) {
  return db
    .selectFrom('patient_files as file')
    .innerJoin('users', 'users.id_user', 'file.uploaded_by')
    .select([
      'file.id_file',
      'file.id_patient',
      'file.file_path',
      'file.filename',
      'file.mime',
      'file.size',
      'file.category',
      'file.note',
      'file.uploaded_at',
    ])
    .select((eb) => eb('file.thumbnail_path', 'is not', null).$castTo<boolean>().as('has_thumbnail'))
    .select(personName('users').as('uploaded_by'))
}

async function fileRow(db: Kysely<Schema>, id: string): Promise<PatientFile> {
  const row = await fileRows(db).where('file.id_file', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('file-unknown')
  return row
}

/** Stored before the row, which makes it part of the file. Bytes without a row only cost space. */
async function keepThumbnail(services: Services, scope: Scope, idPatient: string, bytes: Uint8Array): Promise<string> {
  await findPatient(services.db.pool, scope, idPatient)
  const key = `patient-thumbnails/${randomUUID()}`
  await services.storage.put(key, once(bytes), bytes.byteLength)
  return key
}

/** The audit comes first: a look that cannot be audited shows no file. */
async function seenFile(services: Services, scope: Scope, id: string): Promise<PatientFile> {
  const { pool } = services.db
  const file = await fileRow(pool, id)
  await findPatient(pool, scope, file.id_patient)
  await auditView(pool, { ...told(services, scope, file.id_patient), action: 'file.view', detail: file.id_file })
  return file
}

function told(services: Services, scope: Scope, idPatient: string) {
  return { id_patient: idPatient, at: now(services), by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
}

function now(services: Services): string {
  return new Date(services.clock.now()).toISOString()
}

/** Escapes what encodeURIComponent leaves and a header may not hold (RFC 8187). */
function headerText(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
