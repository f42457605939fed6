import { Refusal } from '#contract/errors.ts'

/** Deeper than anything that is sent here; keeps code that walks a value from running out of stack. */
const deepest = 64

/** The bytes of a request's JSON body. Refuses another content type (415), and more than `limit` bytes as soon as they arrive (413). */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (!isJson(request.headers.get('content-type') ?? '')) throw new Refusal('content-type-wrong')
  return await readBytes(request, limit)
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

/** The bytes of a body. Refuses more than `limit` of them as soon as they arrive. */
export async function readBytes(
  request: Pick<Request, 'headers' | 'body'>,
  limit: number,
  tooLarge = new Refusal('request-too-large', { details: { limit_bytes: limit } }),
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  if (request.body !== null) {
    const reader = request.body.getReader()
    for (;;) {
      const { done, value } = await nextChunk(reader)
      if (done) break
      size += value.byteLength
      if (size > limit) {
        await reader.cancel().catch(() => {})
        throw tooLarge
      }
      chunks.push(value)
    }
  }
  return Buffer.concat(chunks)
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch {
    throw new Refusal('request-unreadable', { message: 'The request broke off' })
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
