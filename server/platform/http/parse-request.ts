import * as v from 'valibot'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import { parseFormBody, parseJsonBody, type RawBody } from '#server/platform/http/read-body.ts'

/** More problems than these help nobody. */
const problemLimit = 20

type Raw = { params: Record<string, string>; query: Record<string, string>; body: RawBody | null }
type Parsed = { params: unknown; query: unknown; body: unknown; bodyBytes: number }

/** The parts of a request by the endpoint's schemas. Refuses with every problem of every part at once. */
export async function parseRequest(endpoint: Endpoint, raw: Raw): Promise<Parsed> {
  const given = { params: raw.params, query: raw.query, body: await bodyOf(endpoint, raw.body) }
  const parsed: Parsed = { params: undefined, query: undefined, body: undefined, bodyBytes: raw.body?.bytes.byteLength ?? 0 }
  const problems: FieldProblem[] = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part]
    if (!schema) continue
    const result = v.safeParse(schema, given[part])
    if (result.success) parsed[part] = result.output
    else problems.push(...result.issues.map((issue) => problemOf(part, issue)))
  }
  if (problems.length > 0) throw new Refusal('request-invalid', { fields: problems.slice(0, problemLimit) })
  return parsed
}

async function bodyOf(endpoint: Endpoint, body: RawBody | null): Promise<unknown> {
  if (body === null) return undefined
  return body.contentType !== null && endpoint.form ? await parseFormBody(body, endpoint.form) : parseJsonBody(body.bytes)
}

function problemOf(part: string, issue: v.BaseIssue<unknown>): FieldProblem {
  const keys = issue.path?.map((item) => String(item.key)) ?? []
  return { path: [part, ...keys].join('.').slice(0, 200), message: messageOf(issue) }
}

/** The schema's own words; valibot's default ones would quote what was sent, which may be a password. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  const isDefault = issue.message.startsWith('Invalid ') && issue.message.includes(`eceived ${issue.received}`)
  if (!isDefault) return issue.message
  if (issue.received === 'undefined') return 'This field is required'
  return issue.expected === null ? 'is not valid' : `must be ${issue.expected}`
}
