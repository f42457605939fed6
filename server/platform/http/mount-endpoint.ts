import type { Context } from 'hono'
import * as v from 'valibot'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { Call, Handler } from '#server/platform/http/handler.ts'
import type { Connection } from '#server/platform/http/client-address.ts'
import { bodyBudgetsOf } from '#server/platform/http/body-budget.ts'
import { parseRequest } from '#server/platform/http/parse-request.ts'
import { announcedBytes, type RawBody, readBody } from '#server/platform/http/read-body.ts'
import { passGate } from '#server/platform/http/session-gate.ts'
import { turnsOf } from '#server/platform/http/turns.ts'
import type { Services } from '#server/platform/services.ts'

const usualBodyLimit = 64 * 1024

/** The context of a request on its way through the server. */
export type HttpEnvironment = {
  Bindings: { connection?: Connection }
  Variables: { requestId: string; address: string; isHttps: boolean; route: string }
}
export type HttpContext = Context<HttpEnvironment>

/** Returns a path of the contract in the router's form: parameters by their place. */
export function pathWithPlaces(path: string): string {
  let place = 0
  return path.replaceAll(/\{\w+\}/g, () => `:at${place++}`)
}

/** Returns the values at those places under the call's own names. */
function namedParameters(path: string, given: Record<string, string>): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name, place) => [name, given[`at${place}`] ?? '']))
}

/**
 * Returns one call, ready to be mounted: it checks the permission and the request, runs the handler, and shapes its
 * answer.
 */
export function answerCall<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  services: Services,
  stopping: AbortSignal,
): (context: HttpContext) => Promise<Response> {
  // A stream of events has no end, so it ends with the server; other answers are finished first.
  const endsWithServer = endpoint.answers === 'text/event-stream'
  // A body waits for its turn as bytes, because its parsed form takes several times as much memory.
  const turns = endpoint.bodyLimit === undefined ? null : turnsOf(services.db).largeBodies
  const budget = bodyBudgetsOf(services.db)[endpoint.bodyLimit === undefined ? 'small' : 'large']
  const limit = endpoint.bodyLimit ?? usualBodyLimit

  return async (context) => {
    const request = context.req.raw
    const scope = await passGate(services, endpoint.access, request.headers)
    turns?.assertRoom()
    if (!endpoint.body) return await answerWith(null)
    const giveBack = budget.take(announcedBytes(request.headers, limit), scope?.session_id ?? context.var.address)
    try {
      return await answerWith(await readBody(request, limit, endpoint.form !== undefined))
    } finally {
      giveBack()
    }

    async function answerWith(body: RawBody | null): Promise<Response> {
      return turns ? await turns.take(request.signal, () => answered(body)) : await answered(body)
    }

    async function answered(body: RawBody | null): Promise<Response> {
      const parsed = await parseRequest(endpoint, {
        params: namedParameters(endpoint.path, context.req.param() as Record<string, string>),
        query: context.req.query(),
        body,
      })
      const call = {
        ...parsed,
        services,
        headers: request.headers,
        stream: endpoint.takes ? request.body : null,
        address: context.var.address,
        signal: endsWithServer ? AbortSignal.any([request.signal, stopping]) : request.signal,
        scope,
      }
      // This endpoint's own schemas parsed the parts, and the gate has passed, which is what `Call<E>` claims.
      const answer = await handler(call as Call<E>)
      if (answer instanceof Response) return answer
      return Response.json(v.parse(endpoint.response, answer))
    }
  }
}
