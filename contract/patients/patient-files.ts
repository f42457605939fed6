import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { fileMimes } from '#contract/patients/file-types.ts'
import { thumbnail } from '#contract/core/photo.ts'
import { instant, text, uuid } from '#contract/core/primitives.ts'

/**
 * Files of a patient: a scanned referral, a photo of an insurance card, an image of the eye. A file arrives in three
 * calls. `generate-filename-doc` gives it a name and a place, `/upload/` takes its bytes, and the last one puts it into
 * the record.
 */

/** Enough for a scan of several pages or an image of the eye; not for a film. */
export const mostFileBytes = 25 * 1024 * 1024
/** An upload that is not in a record after this time is discarded. */
export const uploadHours = 24

export const fileCategories = ['insurance card', 'outside Rx', 'referral', 'imaging', 'consent', 'other'] as const
export type FileCategory = (typeof fileCategories)[number]

/** The name for people. The server never names anything by it. */
export const givenName = v.pipe(
  text(200),
  v.transform((given) => given.replaceAll(/[/\\]/g, '-').trim()),
  v.minLength(1, 'This field is required'),
)
const category = v.picklist(fileCategories, 'must be one of the choices')
const note = text(500)

export const patientFile = v.object({
  id_file: uuid,
  id_patient: uuid,
  /** The place at the server. It does not reveal whose file it is, and opens nothing. */
  file_path: v.string(),
  filename: v.string(),
  /** The type by its content. */
  mime: v.picklist(fileMimes),
  size: v.number(),
  category,
  note: v.string(),
  has_thumbnail: v.boolean(),
  uploaded_by: v.string(),
  uploaded_at: instant,
})
export type PatientFile = v.InferOutput<typeof patientFile>

const byteCount = v.pipe(v.string(), v.regex(/^\d{1,10}$/, 'must be a number of bytes'), v.transform(Number))

/** The name that the server gave to an upload. */
export const uploadName = v.pipe(v.string(), v.regex(/^doc-[0-9a-f]{32}$/, 'must be a name that the server gave'))

export const generateFilename = endpoint({
  method: 'GET',
  path: '/api/patient/{id_patient}/generate-filename-doc',
  summary: 'The first of three calls: a name under which a file of this patient is uploaded, good for a day and for who asked',
  access: 'file.write',
  params: v.object({ id_patient: uuid }),
  response: v.object({ filename: uploadName, expires_at: instant }),
  refuses: ['patient-unknown', 'patient-of-other-store', 'uploads-too-many', 'files-full'],
})

/**
 * The body is a form with one part, `file`, whose file name is the given one. A file in parts says with each part where
 * it begins and how long the whole file is.
 */
export const uploadFile = endpoint({
  method: 'POST',
  path: '/upload/',
  summary: 'The second of three calls: the file, whole or in parts. Answers its path when it is whole, and nothing before',
  access: 'file.write',
  takes: 'form',
  query: v.object({ offset: v.optional(byteCount), length: v.optional(byteCount) }),
  answers: 'text/plain',
  response: v.string(),
  refuses: [
    'upload-unknown',
    'upload-offset-wrong',
    'key-reused',
    'file-too-large',
    'file-type-unknown',
    'file-empty',
    'file-infected',
    'file-picture-too-large',
    'file-pages-too-many',
    'files-full',
    'scanner-unreachable',
    'patient-of-other-store',
    'storage-unreachable',
  ],
})

export const uploadProgress = endpoint({
  method: 'GET',
  path: '/upload/{filename}',
  summary: 'How much of a file has arrived: where to go on after a lost connection',
  access: 'file.write',
  params: v.object({ filename: uploadName }),
  response: v.object({
    filename: uploadName,
    received: v.number(),
    length: v.nullable(v.number()),
    /** Set when the file is whole. */
    file_path: v.nullable(v.string()),
    expires_at: instant,
  }),
  refuses: ['upload-unknown'],
})

export const attachFile = endpoint({
  method: 'POST',
  path: '/api/patient/file',
  summary: 'The last of three calls: puts what was uploaded into the record. Again for the same path or id it answers the same file',
  access: 'file.write',
  body: v.object({
    file_path: text(200),
    id_patient: uuid,
    /**
     * The id from a tablet that keeps the file until the server confirms it. However often it is sent, it is in the
     * record once.
     */
    id_file: v.optional(uuid),
    filename: v.optional(givenName),
    category: v.optional(category, 'other'),
    note: v.optional(note, ''),
    thumbnail: v.optional(thumbnail),
  }),
  response: patientFile,
  refuses: [
    'patient-unknown',
    'patient-of-other-store',
    'upload-unknown',
    'key-reused',
    'storage-unreachable',
    'file-infected',
    'scanner-unreachable',
  ],
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/api/patient/file',
  summary: 'The files of a patient, newest first; that they were looked at is kept',
  access: 'file.read',
  query: v.object({ id_patient: uuid, category: v.optional(category) }),
  response: v.object({ files: v.array(patientFile) }),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

const ofFile = v.object({ id: uuid })

export const readFile = endpoint({
  method: 'GET',
  path: '/api/patient/file/{id}',
  summary: 'One file, without its content',
  access: 'file.read',
  params: ofFile,
  response: patientFile,
  refuses: ['file-unknown', 'patient-of-other-store'],
})

export const readFileContent = endpoint({
  method: 'GET',
  path: '/api/patient/file/{id}/content',
  summary: 'The file itself; that it was looked at is kept. Never to be stored on the way',
  access: 'file.read',
  params: ofFile,
  answers: 'file',
  response: v.blob(),
  refuses: ['file-unknown', 'patient-of-other-store', 'storage-unreachable'],
})

export const readFileThumbnail = endpoint({
  method: 'GET',
  path: '/api/patient/file/{id}/thumbnail',
  summary: 'The small picture of an image, where there is one; looking at it is looking at the list. Never to be stored on the way',
  access: 'file.read',
  params: ofFile,
  answers: 'file',
  response: v.blob(),
  refuses: ['file-unknown', 'patient-of-other-store', 'storage-unreachable'],
})

export const changeFile = endpoint({
  method: 'PUT',
  path: '/api/patient/file/{id_file}',
  summary: 'Rename a file, or change its category or note. Missing fields stay',
  access: 'file.write',
  params: v.object({ id_file: uuid }),
  body: v.object({ filename: v.optional(givenName), category: v.optional(category), note: v.optional(note) }),
  response: patientFile,
  refuses: ['file-unknown', 'patient-of-other-store'],
})

export const patientFileEndpoints = {
  generateFilename,
  uploadFile,
  uploadProgress,
  attachFile,
  listFiles,
  readFile,
  readFileContent,
  readFileThumbnail,
  changeFile,
}
