import { deviceTokenHeader } from '#contract/people/session.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'

/** Proves to the server which tablet this is. It comes with a sign-in by password, and stays after the sign-out. */
const deviceTokenFact = 'device-token'

/** The header with the tablet's proof, for a call that takes it. None when there is no token, or it cannot be read. */
export async function tabletHeaders(hot: HotDatabase, endpoint: Endpoint): Promise<Record<string, string>> {
  if (endpoint.tablet !== true) return {}
  const value = (await hot.facts.get(deviceTokenFact).catch(() => undefined))?.value
  return typeof value === 'string' ? { [deviceTokenHeader]: value } : {}
}

/** Keeps the token of an answer. An answer without one changes nothing. */
export async function keepDeviceToken(hot: HotDatabase, token: string | null | undefined): Promise<void> {
  if (typeof token === 'string') await hot.facts.put({ key: deviceTokenFact, value: token })
}
