import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { call } from '#src/api/call.ts'
import type { Outcome } from '#src/api/outcome.ts'

/** Proves the patient's identity in every call. Only the memory of this page holds it. */
export type Proof = { token: string; dob: string }

/** Calls the server without a session: every call holds the link and the date of birth. Tests pass their own. */
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

/** Returns the token after the `#`, which no server sees. Null when the address is no link of the portal. */
export function tokenOf(hash: string): string | null {
  return /^#([\w-]{43})$/.exec(hash)?.[1] ?? null
}
