import type { Failure, Outcome } from '#src/api/outcome.ts'
import { type FileCategory, type PatientFile, patientFileEndpoints } from '#contract/patient-files.ts'
import type { Device } from '#src/sync/device.ts'

/** Bytes that are sent at once: what a lost connection costs, and how finely the progress is told. */
export const partBytes = 512 * 1024
const timeoutMs = 15_000
/** A part may take this long on a poor line. */
const partTimeoutMs = 90_000
/** So often the server may say that it is elsewhere than we thought, before a person should look. */
const mostCorrections = 5

export type FileToSend = {
  idPatient: string
  file: File
  /** What people call it. */
  name: string
  category: FileCategory
  /** The server's name for the upload, of a try that broke off. */
  upload: string | null
}

/** What is told while it is under way. */
export type SendingNews = { begun(upload: string): void; sent(bytes: number): void }

/** The three calls. Called again with the upload of a try that broke off, it goes on where the server is. */
export async function sendFile(
  device: Pick<Device, 'call'>,
  { idPatient, file, name, category, upload: known }: FileToSend,
  news: SendingNews,
  signal: AbortSignal,
): Promise<Outcome<PatientFile>> {
  const options = { timeoutMs, signal }
  let upload = known
  let at: { received: number; path: string | null } = { received: 0, path: null }

  async function whereIsIt(filename: string): Promise<Failure | null> {
    const answer = await device.call(patientFileEndpoints.uploadProgress, { params: { filename } }, options)
    if (!answer.ok) return answer.failure
    at = { received: answer.value.received, path: answer.value.file_path }
    news.sent(at.received)
    return null
  }

  if (upload !== null) {
    const failure = await whereIsIt(upload)
    if (failure && !isCode(failure, 'upload-unknown')) return { ok: false, failure }
    // Its time is over: it begins anew.
    if (failure) upload = null
  }
  if (upload === null) {
    const answer = await device.call(patientFileEndpoints.generateFilename, { params: { id_patient: idPatient } }, options)
    if (!answer.ok) return answer
    upload = answer.value.filename
    news.begun(upload)
    news.sent(0)
  }
  for (let corrections = 0; at.path === null;) {
    const part = await readPart(file, at.received)
    if (!part) return unreadable
    const form = new FormData()
    form.set('file', part, upload)
    const query = file.size <= partBytes ? {} : { offset: String(at.received), length: String(file.size) }
    const answer = await device.call(patientFileEndpoints.uploadFile, { form, query }, { timeoutMs: partTimeoutMs, signal })
    if (answer.ok) {
      at = { received: at.received + part.size, path: answer.value || null }
      news.sent(at.received)
    } else if (isCode(answer.failure, 'upload-offset-wrong') && corrections < mostCorrections) {
      corrections += 1
      const failure = await whereIsIt(upload)
      if (failure) return { ok: false, failure }
    } else return answer
  }
  const body = { file_path: at.path, id_patient: idPatient, filename: name, category }
  return await device.call(patientFileEndpoints.attachFile, { body }, options)
}

/** Null when the device does not give it any more: it was moved, changed or its card pulled out. */
async function readPart(file: File, from: number): Promise<Blob | null> {
  try {
    return new Blob([await file.slice(from, from + partBytes).arrayBuffer()])
  } catch {
    return null
  }
}

const unreadable: Outcome<never> = {
  ok: false,
  failure: {
    kind: 'refused',
    status: 0,
    code: 'file-unreadable',
    message: 'This device no longer gives the file. Choose it again.',
    fields: [],
    retryAfterS: null,
    details: {},
  },
}

function isCode(failure: Failure, code: string): boolean {
  return failure.kind === 'refused' && failure.code === code
}
