import type { AnswerOf, Endpoint, ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { EndpointName, Endpoints } from '#contract/core/endpoints.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/** One call for its handler: parsed, and allowed. */
export type Call<E extends Endpoint> = ParsedRequestOf<E> & {
  services: Services
  headers: Headers
  /** Size of the sent body; 0 without one. */
  bodyBytes: number
  /** The body as it arrives, when the handler reads the stream; otherwise null. */
  stream: Request['body']
  /** The caller's network address, for lockouts. Never logged in full. */
  address: string
  /** Aborts when the caller hangs up. */
  signal: AbortSignal
  scope: E['access'] extends 'public' ? null : Scope
}

/** Returns the answer's value, or a `Response` where the endpoint streams. Refusals are thrown as `Refusal`. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Response>

/** The handlers of some endpoints: what each feature exports. */
export type HandlersOf<Names extends EndpointName> = { [Name in Names]: Handler<Endpoints[Name]> }
export type AllHandlers = HandlersOf<EndpointName>
