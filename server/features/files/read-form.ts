import { Refusal } from '#contract/errors.ts'
import { mostFileBytes } from '#contract/patient-files.ts'
import { readBytes } from '#server/http/read-body.ts'

/** What a form has around its file. */
const formBytes = 16 * 1024

/** The part `file` of a form. Refuses what is no form (415), cannot be read (400) or is too large (413, as soon as that is known). */
export async function readForm(request: Pick<Request, 'headers' | 'body'>): Promise<{ name: string; bytes: Uint8Array }> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new Refusal('content-type-wrong', { message: 'The request must be a form with a file' })
  const tooLarge = new Refusal('file-too-large', { details: { limit_bytes: mostFileBytes } })
  const body = await readBytes(request, mostFileBytes + formBytes, tooLarge)
  const file = await fileOf(body, type)
  if (file.size > mostFileBytes) throw tooLarge
  if (file.size === 0) throw new Refusal('file-empty')
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function fileOf(body: Uint8Array<ArrayBuffer>, type: string): Promise<File> {
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Refusal('request-unreadable', { message: 'The form could not be read' })
  }
  const file = form.get('file')
  if (file instanceof File) return file
  throw new Refusal('request-invalid', { fields: [{ path: 'body.file', message: 'This field is required' }] })
}
