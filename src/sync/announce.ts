import { syncEndpoints } from '#contract/sync.ts'
import { call } from '#src/api/call.ts'
import { pushBody, type PushParts } from '#src/sync/push-body.ts'
import { isExpired, type SessionKeeper } from '#src/sync/session.ts'

type Parts = PushParts & { session: SessionKeeper }

/** Said again with the next beat: one that hangs must not keep the others from being said. */
const timeoutMs = 15_000

export type Announcer = {
  /**
   * Tells the server what this device holds and has open, though nothing is to be sent: closing a sheet waits for tablets
   * that have it open. What could not be said is owed until it can be.
   */
  announce(): Promise<void>
  /** Says it now if it is owed. */
  catchUp(): Promise<void>
  close(): void
}

export function createAnnouncer(parts: Parts): Announcer {
  const { environment, session } = parts
  const cut = new AbortController()
  let isOwed = false

  async function announce() {
    isOwed = true
    const token = await session.freshToken()
    if (token === null || cut.signal.aborted) return
    const say = async (token: string) =>
      await call(environment, syncEndpoints.push, { body: await pushBody(parts, []) }, { token, signal: cut.signal, timeoutMs })
    let answer = await say(token)
    if (!answer.ok && isExpired(answer.failure) && (await session.renew(token)) === 'renewed') {
      answer = await say(session.accessToken() ?? token)
    }
    if (answer.ok) isOwed = false
  }

  return {
    announce,
    async catchUp() {
      if (isOwed) await announce()
    },
    close: () => cut.abort(new Error('The app was closed')),
  }
}
