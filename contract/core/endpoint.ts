import type * as v from 'valibot'
import type { ErrorCode } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Schema = v.GenericSchema<any, unknown>

/**
 * One call, declared once for both sides.
 * - `access`: `public`, `signed-in`, or the permission that the signed-in person must hold.
 * - `tablet`: true when the tablet sends its device token with the call (`deviceTokenHeader`), if it has one.
 * - `cached`: `reference` when the service worker keeps the answer for offline use, per person and store. `recent` when
 *   the tablet keeps the last answer to each question until sign-out, per person and store; never for answers about
 *   patients. `browser` when the answer of an address never changes, so the browser may keep it as long as the answer
 *   says.
 * - `answers`: `json` (default), or the content type that the handler streams; `file` for a file, which brings its own
 *   type.
 * - `secret`: true for a `reference` answer that describes patients. The tablet keeps it encrypted with the key of its
 *   patients.
 * - `takes`: `form` when the body is a multipart form with a file. The handler reads its stream.
 * - `form`: set when the body may also be a multipart form. `fields` names the part with the JSON, `files` name the
 *   parts with bytes. The schema sees all of them as one body.
 * - `refuses`: the call's own refusals. Any call can also refuse with those of "authentication" and "requests".
 */
export type Endpoint = {
  method: Method
  path: `/api/${string}` | `/upload/${string}`
  summary: string
  access: 'public' | 'signed-in' | Permission
  tablet?: true
  params?: Schema
  query?: Schema
  body?: Schema
  response: Schema
  cached?: 'reference' | 'recent' | 'browser'
  secret?: true
  takes?: 'form'
  form?: { fields: string; files: readonly string[] }
  answers?: 'json' | 'application/x-ndjson' | 'text/event-stream' | 'text/csv' | 'text/plain' | 'file'
  refuses?: readonly ErrorCode[]
  /** Largest body in bytes; 64 KiB by default. */
  bodyLimit?: number
}

/** Checks the entry without widening it, so that its schemas keep their types. */
export function endpoint<const E extends Endpoint>(entry: E): E {
  return entry
}

type Input<S> = S extends v.GenericSchema<any, unknown> ? v.InferInput<S> : undefined
type Output<S> = S extends v.GenericSchema<any, unknown> ? v.InferOutput<S> : undefined

/** The parts of a call that the caller gives. Parts that an endpoint does not have are absent. */
export type RequestOf<E extends Endpoint> = (E extends { params: infer S } ? { params: Input<S> } : unknown) &
  (E extends { query: infer S } ? { query?: Input<S> } : unknown) &
  (E extends { body: infer S } ? { body: Input<S> | (E extends { form: object } ? FormData : never) } : unknown) &
  (E extends { takes: 'form' } ? { form: FormData } : unknown)

/** The same parts for the handler, after parsing. */
export type ParsedRequestOf<E extends Endpoint> = {
  params: E extends { params: infer S } ? Output<S> : undefined
  query: E extends { query: infer S } ? Output<S> : undefined
  body: E extends { body: infer S } ? Output<S> : undefined
}

export type ResponseOf<E extends Endpoint> = v.InferOutput<E['response']>
/** The handler's answer, before the schema turns it into the shape of the wire. */
export type AnswerOf<E extends Endpoint> = v.InferInput<E['response']>
