import { Refusal } from '#contract/core/errors.ts'
import { mostFileBytes } from '#contract/patients/patient-files.ts'
import { announcedBytes, readBytes } from '#server/platform/http/read-body.ts'

/** Room for the other parts of a form. */
const formBytes = 16 * 1024

type Sent = Pick<Request, 'headers' | 'body'>
type FormBytes = { type: string; bytes: Uint8Array<ArrayBuffer> }

/**
 * Returns the announced size of a form with a file, before any byte is read.
 * @throws Refusal content-type-wrong when it is no form, file-too-large
 */
export function announcedForm({ headers }: Pick<Sent, 'headers'>): number {
  formType(headers)
  return announcedBytes(headers, mostFileBytes + formBytes, tooLarge())
}

/**
 * Returns the bytes of a form.
 * @throws Refusal content-type-wrong, file-too-large as early as possible, and as `readBytes`
 */
export async function receiveForm(request: Sent): Promise<FormBytes> {
  const type = formType(request.headers)
  return { type, bytes: await readBytes(request, mostFileBytes + formBytes, tooLarge()) }
}

/**
 * Returns the part `file` of a form.
 * @throws Refusal request-unreadable, request-invalid, file-too-large, file-empty
 */
export async function readForm({ type, bytes: body }: FormBytes): Promise<{ name: string; bytes: Uint8Array }> {
  const file = await fileOf(body, type)
  if (file.size > mostFileBytes) throw tooLarge()
  if (file.size === 0) throw new Refusal('file-empty')
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

function formType(headers: Headers): string {
  const type = headers.get('content-type') ?? ''
  if (/^multipart\/form-data\s*;/i.test(type)) return type
  throw new Refusal('content-type-wrong', { message: 'The request must be a form with a file' })
}

function tooLarge(): Refusal {
  return new Refusal('file-too-large', { details: { limit_bytes: mostFileBytes } })
}

async function fileOf(body: Uint8Array<ArrayBuffer>, type: string): Promise<File> {
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Refusal('request-unreadable', { message: 'Couldn’t read the form' })
  }
  const file = form.get('file')
  if (file instanceof File) return file
  throw new Refusal('request-invalid', { fields: [{ path: 'body.file', message: 'This field is required' }] })
}
