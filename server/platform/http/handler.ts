import type { AnswerOf, Endpoint, ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { EndpointName, Endpoints } from '#contract/core/endpoints.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/** One call as its handler sees it: parsed, and allowed. */
export type Call<E extends Endpoint> = ParsedRequestOf<E> & {
  services: Services
  headers: Headers
  /** Of the body as it was sent; 0 without one. */
  bodyBytes: number
  /** The body as it arrives, where the handler reads it by itself; null elsewhere. */
  stream: Request['body']
  /** The caller's network address, for lockouts. Never logged in full. */
  address: string
  /** Ends when the caller hangs up. */
  signal: AbortSignal
  scope: E['access'] extends 'public' ? null : Scope
}

/** Returns the answer's value, or a `Response` where the endpoint streams. Refusals are thrown as `Refusal`. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Response>

/** The handlers of some endpoints: what each feature exports. */
export type HandlersOf<Names extends EndpointName> = { [Name in Names]: Handler<Endpoints[Name]> }
export type AllHandlers = HandlersOf<EndpointName>
