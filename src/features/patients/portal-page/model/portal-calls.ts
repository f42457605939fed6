import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { call } from '#src/api/call.ts'
import type { Outcome } from '#src/api/outcome.ts'

/** What proves who it is, with every call. It is in the memory of this page alone. */
export type Proof = { token: string; dob: string }

/** Asks the server without any session: the link and the date of birth are in each call. Tests bring their own. */
export type PortalCall = <E extends Endpoint>(endpoint: E, request: RequestOf<E>) => Promise<Outcome<ResponseOf<E>>>

const wire = {
  fetch: (input: string, init: RequestInit) => fetch(input, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' }),
  origin: '',
  schedule(ms: number, work: () => void) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

export const callServer: PortalCall = (endpoint, request) => call(wire, endpoint, request)

/** What stands behind the `#`, where no server sees it; null when it is no link of ours. */
export function tokenOf(hash: string): string | null {
  return /^#([\w-]{43})$/.exec(hash)?.[1] ?? null
}
