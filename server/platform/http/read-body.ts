import { Refusal } from '#contract/core/errors.ts'

/** Deeper than anything that is sent here; keeps code that walks a value from running out of stack. */
const deepest = 64

/** A body as it came. `contentType` is set for a form; everything else is JSON. */
export type RawBody = { bytes: Uint8Array; contentType: string | null }

/** The bytes of a request's body. Refuses another content type (415), and more than `limit` bytes as soon as they arrive (413). */
export async function readBody(request: Request, limit: number, mayBeForm = false): Promise<RawBody> {
  const contentType = request.headers.get('content-type') ?? ''
  const isForm = mayBeForm && /^multipart\/form-data *;/i.test(contentType)
  if (!isForm && !isJson(contentType)) throw new Refusal('content-type-wrong')
  return { bytes: await readBytes(request, limit), contentType: isForm ? contentType : null }
}

/**
 * What a form says, as one value: the JSON in its part `fields`, and the bytes of those of its `files` that came. Refuses what is no form, and
 * parts that nobody asked for (400).
 */
export async function parseFormBody({ bytes, contentType }: RawBody, form: { fields: string; files: readonly string[] }): Promise<unknown> {
  const parts = await formOf(bytes, contentType ?? '')
  const value: Record<string, unknown> = {}
  const text = parts.get(form.fields)
  if (text !== null) {
    if (typeof text !== 'string') throw new Refusal('request-unreadable', { message: 'The form’s fields aren’t text' })
    Object.assign(value, parseJsonBody(new TextEncoder().encode(text)))
  }
  for (const name of new Set(parts.keys())) {
    if (name === form.fields) continue
    const file = parts.get(name)
    if (!form.files.includes(name) || file === null) throw new Refusal('request-unreadable', { message: 'The form has an unknown part' })
    value[name] = typeof file === 'string' ? file : new Uint8Array(await file.arrayBuffer())
  }
  return value
}

async function formOf(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw new Refusal('request-unreadable', { message: 'Couldn’t read the form' })
  }
}

/** The JSON value in a body. Refuses what is not UTF-8 or not JSON (400). */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  if (isTooDeep(text)) throw new Refusal('request-unreadable', { message: 'The request is nested too deeply' })
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal('request-unreadable', { message: 'The request is not JSON' })
  }
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
}

/** At least `leastBytes` of a body arrive in every `rateWindowMs`, or its end does. That is 1 KB a second. */
export const rateWindowMs = 15_000
export const leastBytes = 16 * 1024

/**
 * The bytes that a body says it has; `limit` when it does not say.
 * @throws Refusal `tooLarge` when it says more than `limit`
 */
export function announcedBytes(headers: Headers, limit: number, tooLarge = tooLargeFor(limit)): number {
  const said = headers.get('content-length')
  const announced = said === null ? limit : Number(said)
  if (announced > limit) throw tooLarge
  return Number.isFinite(announced) ? announced : limit
}

function tooLargeFor(limit: number): Refusal {
  return new Refusal('request-too-large', { details: { limit_bytes: limit } })
}

/**
 * The bytes of a body.
 * @throws Refusal `tooLarge` as soon as more than `limit` arrived, request-too-slow when fewer than `leastBytes` arrive in a window,
 * request-unreadable when it breaks off
 */
export async function readBytes(
  request: Pick<Request, 'headers' | 'body'>,
  limit: number,
  tooLarge = tooLargeFor(limit),
): Promise<Uint8Array<ArrayBuffer>> {
  announcedBytes(request.headers, limit, tooLarge)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  let giveUp = (_refusal: Refusal) => {}
  const tooSlow = new Promise<never>((_, reject) => (giveUp = reject))
  // Nobody may be waiting for it at that moment.
  tooSlow.catch(() => {})
  let before = 0
  const watch = setInterval(() => {
    if (size - before < leastBytes) giveUp(new Refusal('request-too-slow', { retry_after_s: 5 }))
    before = size
  }, rateWindowMs)
  try {
    for (;;) {
      const { done, value } = await Promise.race([nextChunk(reader), tooSlow])
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > limit) throw tooLarge
      chunks.push(value)
    }
  } catch (refusal) {
    // Not awaited: a sender that has stopped may never let it end.
    void reader.cancel().catch(() => {})
    throw refusal
  } finally {
    clearInterval(watch)
  }
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch {
    throw new Refusal('request-unreadable', { message: 'The request was interrupted' })
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('request-unreadable', { message: 'The request is not UTF-8' })
  }
}

function isTooDeep(json: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (inText) {
      if (character === '\\') at++
      else if (character === '"') inText = false
    } else if (character === '"') inText = true
    else if (character === '[' || character === '{') {
      if (++depth > deepest) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}
