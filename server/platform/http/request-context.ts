import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from '#server/platform/http/scope.ts'

/** What the logs say of a request, wherever in its handling they are written. */
export type RequestContext = {
  request_id: string
  address: string
  /** Known once the session gate has read the session. */
  caller: Scope | null
}

const requests = new AsyncLocalStorage<RequestContext>()

export async function withinRequest(context: RequestContext, work: () => Promise<void>): Promise<void> {
  await requests.run(context, work)
}

/** The request that is being handled; null outside of one. */
export function currentRequest(): RequestContext | null {
  return requests.getStore() ?? null
}
