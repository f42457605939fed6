import type * as v from 'valibot'
import type { ErrorCode } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Schema = v.GenericSchema<any, unknown>

/**
 * One call, told once for both sides.
 * - `access`: `public`, `signed-in`, or the permission that the signed-in person must hold.
 * - `tablet`: true when the tablet shows its device token with the call (`deviceTokenHeader`), where it has one.
 * - `cached`: `reference` when the service worker keeps the answer (per person and store) for offline use; `recent` when the tablet keeps
 *   the last answer to each question (per person and store, until they sign out), and so of nothing of patients; `browser` when the
 *   answer to an address never changes, so that the browser may keep it as long as the answer says.
 * - `answers`: `json` (default) or the content type that the handler streams; `file` for one, whose type comes with it.
 * - `secret`: true for a `reference` answer that describes patients. The tablet keeps it too, encrypted with the key of its patients.
 * - `takes`: `form` when the body is a form with a file (multipart), which the handler reads by itself, as it comes.
 * - `form`: set when the body may come as a form (multipart), too: `fields` is the part that holds the JSON, `files` are the parts that
 *   hold bytes; together they are the body that the schema sees.
 * - `refuses`: the refusals of its own; those of section "authentication" and "requests" can come from any call.
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
  /** Largest body in bytes; 64 KiB when not said. */
  bodyLimit?: number
}

/** Checks the entry without widening it, so that its schemas keep their types. */
export function endpoint<const E extends Endpoint>(entry: E): E {
  return entry
}

type Input<S> = S extends v.GenericSchema<any, unknown> ? v.InferInput<S> : undefined
type Output<S> = S extends v.GenericSchema<any, unknown> ? v.InferOutput<S> : undefined

/** What the caller gives. Parts that an endpoint does not have are left out. */
export type RequestOf<E extends Endpoint> = (E extends { params: infer S } ? { params: Input<S> } : unknown) &
  (E extends { query: infer S } ? { query?: Input<S> } : unknown) &
  (E extends { body: infer S } ? { body: Input<S> | (E extends { form: object } ? FormData : never) } : unknown) &
  (E extends { takes: 'form' } ? { form: FormData } : unknown)

/** What the handler is given: the same, parsed. */
export type ParsedRequestOf<E extends Endpoint> = {
  params: E extends { params: infer S } ? Output<S> : undefined
  query: E extends { query: infer S } ? Output<S> : undefined
  body: E extends { body: infer S } ? Output<S> : undefined
}

export type ResponseOf<E extends Endpoint> = v.InferOutput<E['response']>
/** What a handler returns, before the schema has made it the wire's shape. */
export type AnswerOf<E extends Endpoint> = v.InferInput<E['response']>
