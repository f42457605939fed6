import { patientFileEndpoints } from '#contract/patients/patient-files.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { type FileProgress, type FileWords, nothingSent } from '#src/sync/files/unsent-files.ts'

/** Bytes in one call: the loss when a connection breaks, and the step of the progress. */
export const partBytes = 512 * 1024
const timeoutMs = 15_000
/** A part may take this long on a poor line. */
const partTimeoutMs = 90_000

type FileToSend = FileProgress & { id: string; size: number; part_bytes: number }

export type SendStep =
  /** The server has this progress now. */
  | { kind: 'further'; progress: FileProgress }
  /** The file is in the record. */
  | { kind: 'done' }
  | { kind: 'failed'; failure: Failure }

/**
 * Makes the next of the three calls, or sends the next part in the second. The progress is stored after each step, so a
 * restart or another tab continues there. A call without an answer is repeated and takes effect once: the server takes
 * a part only at the right offset, and a file id only once.
 *
 * @param isSure false when this page has not asked the server about this upload yet: then it asks first
 * @param read returns part `index` of the file
 */
export async function sendStep(
  call: Device['call'],
  file: FileToSend,
  words: FileWords,
  isSure: boolean,
  read: (index: number) => Promise<ArrayBuffer>,
  signal: AbortSignal,
): Promise<SendStep> {
  const { id, size, part_bytes, upload, received, path } = file
  const { id_patient, name, category, thumbnail } = words
  const options = { timeoutMs, signal }

  if (path !== null) {
    const body = { id_file: id, file_path: path, id_patient, filename: name, category, ...(thumbnail !== undefined && { thumbnail }) }
    const answer = await call(patientFileEndpoints.attachFile, { body }, options)
    if (answer.ok) return { kind: 'done' }
    // It waited longer than the server keeps an upload without a record.
    return isCode(answer.failure, 'upload-unknown')
      ? { kind: 'further', progress: nothingSent }
      : { kind: 'failed', failure: answer.failure }
  }
  if (upload === null) {
    const answer = await call(patientFileEndpoints.generateFilename, { params: { id_patient } }, options)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return { kind: 'further', progress: { ...nothingSent, upload: answer.value.filename } }
  }
  // The server assembles a complete upload when asked for its progress.
  if (!isSure || received >= size) return await whereIsIt(upload)

  const isWhole = size <= part_bytes
  const from = isWhole ? 0 : received
  const index = Math.floor(from / part_bytes)
  const part = (await read(index)).slice(from - index * part_bytes)
  const form = new FormData()
  form.set('file', new Blob([part]), upload)
  const query = isWhole ? {} : { offset: String(from), length: String(size) }
  const answer = await call(patientFileEndpoints.uploadFile, { form, query }, { timeoutMs: partTimeoutMs, signal })
  if (answer.ok) return { kind: 'further', progress: { upload, received: from + part.byteLength, path: answer.value || null } }
  // The server's progress differs: complete already, further, or gone.
  return ['upload-offset-wrong', 'upload-unknown', 'key-reused'].some((code) => isCode(answer.failure, code))
    ? await whereIsIt(upload)
    : { kind: 'failed', failure: answer.failure }

  async function whereIsIt(filename: string): Promise<SendStep> {
    const found = await call(patientFileEndpoints.uploadProgress, { params: { filename } }, options)
    if (found.ok) return { kind: 'further', progress: { upload: filename, received: found.value.received, path: found.value.file_path } }
    return isCode(found.failure, 'upload-unknown') ? { kind: 'further', progress: nothingSent } : { kind: 'failed', failure: found.failure }
  }
}

function isCode(failure: Failure, code: string): boolean {
  return failure.kind === 'refused' && failure.code === code
}
