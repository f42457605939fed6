import * as v from 'valibot'

/** What was wrong with one field: `path` as it stands in the request (`body.username`). */
export const fieldProblem = v.object({ path: v.string(), message: v.string() })
export type FieldProblem = v.InferOutput<typeof fieldProblem>

/**
 * The body of every answer that is not a success. `error` is the sentence for a person, `code` is for
 * the program. `retry_after_s` stands where waiting helps; `details` names what stood in the way.
 */
export const errorBody = v.object({
  error: v.string(),
  code: v.string(),
  fields: v.optional(v.array(fieldProblem)),
  retry_after_s: v.optional(v.number()),
  details: v.optional(v.record(v.string(), v.unknown())),
})
export type ErrorBody = v.InferOutput<typeof errorBody>

/** What an area declares of its refusals: the HTTP status that each code travels under, and the sentence that a person reads. */
export type ErrorEntries = Record<string, { status: number; message: string }>
