import * as v from 'valibot'

/** One invalid field: `path` is its place in the request (`body.username`). */
export const fieldProblem = v.object({ path: v.string(), message: v.string() })
export type FieldProblem = v.InferOutput<typeof fieldProblem>

/**
 * The body of every answer that is not a success. People read the sentence `error`; the program reads `code`.
 * `retry_after_s` is set when waiting helps; `details` name the obstacles.
 */
export const errorBody = v.object({
  error: v.string(),
  code: v.string(),
  fields: v.optional(v.array(fieldProblem)),
  retry_after_s: v.optional(v.number()),
  details: v.optional(v.record(v.string(), v.unknown())),
})
export type ErrorBody = v.InferOutput<typeof errorBody>

/** An area's refusals: the HTTP status of each code, and the sentence that a person reads. */
export type ErrorEntries = Record<string, { status: number; message: string }>
