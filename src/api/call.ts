import * as v from 'valibot'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { errorBody } from '#contract/core/error-body.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'

/** The parts of the outside world that a call needs. `origin` is empty in a browser, where paths are enough. */
export type Wire = {
  fetch: (input: string, init: RequestInit) => Promise<Response>
  origin: string
  /** Runs `work` after `ms`. Returns a function that cancels it. */
  schedule: (ms: number, work: () => void) => () => void
}

export type CallOptions = {
  token?: string | null
  signal?: AbortSignal
  timeoutMs?: number
  headers?: Record<string, string>
}

const usualTimeoutMs = 20_000

/**
 * Makes one call of the contract's table. Never throws for the network. `unreachable` means that our server did not
 * answer: no network, a time-out, a redirect, or the page of a captive portal.
 */
export async function call<E extends Endpoint>(
  wire: Wire,
  endpoint: E,
  request: RequestOf<E>,
  options: CallOptions = {},
): Promise<Outcome<ResponseOf<E>>> {
  const cut = cutAfter(wire, options.timeoutMs ?? usualTimeoutMs, options.signal)
  try {
    const answer = await send(wire, endpoint, request, { ...options, signal: cut.signal })
    if (!answer.ok) return answer
    const parsed = v.safeParse(endpoint.response, await readAnswer(endpoint, answer.value))
    if (!parsed.success) return unreachable('The response didn’t come from the clinic’s server')
    return { ok: true, value: parsed.output }
  } catch (error) {
    return unreachable(messageOf(error))
  } finally {
    cut.end()
  }
}

/**
 * The same for an endpoint that streams: resolves with the response as soon as its head is there. The time-out covers
 * the head only. The caller watches the body, and cancels it with `signal`.
 */
export async function openStream<E extends Endpoint>(
  wire: Wire,
  endpoint: E,
  request: RequestOf<E>,
  options: CallOptions = {},
): Promise<Outcome<Response>> {
  const cut = cutAfter(wire, options.timeoutMs ?? usualTimeoutMs, options.signal)
  try {
    return await send(wire, endpoint, request, { ...options, signal: cut.signal })
  } catch (error) {
    return unreachable(messageOf(error))
  } finally {
    cut.stopClock()
  }
}

async function send(
  wire: Wire,
  endpoint: Endpoint,
  request: unknown,
  options: CallOptions & { signal: AbortSignal },
): Promise<Outcome<Response>> {
  const parts = partsOf(request)
  const headers: Record<string, string> = { Accept: acceptedBy(endpoint), ...options.headers }
  if (options.token) headers['Authorization'] = `Bearer ${options.token}`
  const form = formOf(endpoint, request, parts.body)
  if (endpoint.body && !form) headers['Content-Type'] = 'application/json'
  const response = await wire.fetch(wire.origin + addressOf(endpoint, parts), {
    method: endpoint.method,
    headers,
    // Our server never redirects: a redirect is the login page of a network.
    redirect: 'manual',
    credentials: 'same-origin',
    cache: endpoint.cached === 'browser' ? 'default' : 'no-store',
    signal: options.signal,
    // The browser writes the content type of a form, with the boundary between its parts.
    ...((form || endpoint.body) && { body: form ?? JSON.stringify(parts.body ?? {}) }),
  })
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return unreachable('This network needs its own sign-in')
  }
  if (!response.ok) return { ok: false, failure: await failureOf(response) }
  if (!isExpected(endpoint, contentType(response))) {
    return unreachable('The response didn’t come from the clinic’s server')
  }
  return { ok: true, value: response }
}

/** Returns the `FormData` body, or null when the call has none. */
function formOf({ takes }: Endpoint, request: unknown, body: unknown): FormData | null {
  const given = takes === 'form' && isRecord(request) ? request['form'] : body
  return given instanceof FormData ? given : null
}

function acceptedBy({ answers = 'json' }: Endpoint): string {
  if (answers === 'file') return '*/*'
  return answers === 'json' ? 'application/json' : answers
}

/** Our server never answers a call with an HTML page: a proxy or a network in between sent it. */
function isExpected({ answers = 'json' }: Endpoint, type: string): boolean {
  return answers === 'file' ? type !== '' && !type.includes('html') : type.includes(answers)
}

async function readAnswer({ answers = 'json' }: Endpoint, response: Response): Promise<unknown> {
  if (answers === 'file') return await response.blob()
  return answers === 'json' ? await readJson(response) : await response.text()
}

/** The failure in an error response. A response without our error body comes from a proxy or network in between. */
async function failureOf(response: Response): Promise<Failure> {
  const waits = retryAfter(response)
  const body = contentType(response).includes('json') ? v.safeParse(errorBody, await readJson(response)) : null
  if (body?.success) {
    return {
      kind: 'refused',
      status: response.status,
      code: body.output.code,
      message: body.output.error,
      fields: body.output.fields ?? [],
      retryAfterS: body.output.retry_after_s ?? waits,
      details: body.output.details ?? {},
    }
  }
  // A proxy in front of the server answers 413 and 429 in its own words, and both mean what they say.
  const spoken =
    response.status === 413
      ? { code: 'request-too-large', message: 'The request is too large' }
      : response.status === 429
        ? { code: 'request-too-frequent', message: 'Too many requests. Wait a moment.' }
        : null
  if (spoken) return { kind: 'refused', status: response.status, ...spoken, fields: [], retryAfterS: waits, details: {} }
  return { kind: 'unreachable', message: `Couldn’t reach the clinic’s server (${response.status})` }
}

type Parts = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

function partsOf(request: unknown): Parts {
  const given: Record<string, unknown> = isRecord(request) ? request : {}
  return {
    params: isRecord(given['params']) ? given['params'] : {},
    query: isRecord(given['query']) ? given['query'] : {},
    body: given['body'],
  }
}

function addressOf(endpoint: Endpoint, parts: Parts): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(parts.params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts.query)) {
    if (value !== undefined && value !== null) query.set(name, textOf(value))
  }
  const asked = query.toString()
  return asked ? `${path}?${asked}` : path
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function contentType(response: Response): string {
  return response.headers.get('content-type')?.toLowerCase() ?? ''
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfter(response: Response): number | null {
  const header = response.headers.get('retry-after')
  if (!header || !/^\d+$/.test(header)) return null
  return Number(header)
}

/** A signal that aborts with the caller's own signal or at the time-out, whichever comes first. */
function cutAfter(wire: Wire, ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const stopClock = wire.schedule(ms, () => controller.abort(new Error('The clinic’s server took too long to respond')))
  const follow = () => controller.abort(signal?.reason)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    stopClock,
    end() {
      stopClock()
      signal?.removeEventListener('abort', follow)
    },
  }
}

export function unreachable(message: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { kind: 'unreachable', message } }
}

/** A browser's words for a lost network (a TypeError) mean nothing to a person. Our words for a time-out do. */
function messageOf(error: unknown): string {
  const isOurs = error instanceof Error && !(error instanceof TypeError) && error.message !== ''
  return isOurs ? error.message : 'Couldn’t reach the clinic’s server'
}
