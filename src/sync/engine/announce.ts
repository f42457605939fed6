import { syncEndpoints } from '#contract/sync/sync.ts'
import { call } from '#src/api/call.ts'
import { lockPatienceMs, sendingLock } from '#src/sync/engine/drain.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { pushBody, type PushParts } from '#src/sync/engine/push-body.ts'
import { isExpired, type SessionKeeper } from '#src/sync/session/session.ts'
import { takeFence } from '#src/sync/engine/settle.ts'

type Parts = PushParts & { session: SessionKeeper; exclusion: Exclusion }

/** Said again with the next beat: one that hangs must not keep the others from being said. */
const timeoutMs = 15_000
/** After so long what was said last is no longer news of this device. */
const freshMs = 5 * 60_000

export type Announcer = {
  /**
   * Tells the server what this device holds and has open, though nothing is to be sent: closing a sheet waits for tablets
   * that have it open, and managers see which there are. What could not be said is owed until it can be.
   */
  announce(): Promise<void>
  /** Says it now if it is owed. */
  catchUp(): Promise<void>
  /** Says it when it was not said for five minutes, or not yet for whoever is signed in now and their store. */
  keepFresh(): Promise<void>
  close(): void
}

/**
 * Announcements take turns with each other and with what is drained: said beside a batch that is on its way, that batch
 * would be told as held, for as long as nothing else is said.
 */
export function createAnnouncer(parts: Parts): Announcer {
  const { environment, hot, session } = parts
  const cut = new AbortController()
  const holder = environment.newId()
  let wishes = 0
  /** The last wish that what was said has fulfilled. */
  let said = 0
  let saidAt = -Infinity
  let saidFor: string | null = null
  let running: Promise<void> | null = null

  async function announce() {
    wishes += 1
    await catchUp()
  }

  async function catchUp() {
    running ??= sayAll().finally(() => {
      running = null
    })
    await running
  }

  async function keepFresh() {
    await running
    if (saidFor === seat() && environment.monotonic() - saidAt < freshMs) return
    await announce()
  }

  function seat() {
    const home = session.home()
    return home && `${home.id_user} ${home.store_id}`
  }

  async function sayAll() {
    while (said < wishes && !cut.signal.aborted) {
      const token = await session.freshToken()
      if (token === null) return
      let answer = await say(token)
      if (!answer.ok && isExpired(answer.failure) && (await session.renew(token)) === 'renewed') {
        answer = await say(session.accessToken() ?? token)
      }
      if (!answer.ok) return
    }
  }

  async function say(token: string) {
    return await parts.exclusion.exclusively(sendingLock, lockPatienceMs, async () => {
      // What is wished for from here on may not be in it.
      const upTo = wishes
      const sayer = seat()
      const body = await pushBody(parts, [], await takeFence(hot, holder))
      const answer = await call(environment, syncEndpoints.push, { body }, { token, signal: cut.signal, timeoutMs })
      if (answer.ok) {
        said = upTo
        saidAt = environment.monotonic()
        saidFor = sayer
      }
      return answer
    })
  }

  return {
    announce,
    catchUp,
    keepFresh,
    close: () => cut.abort(new Error('The app was closed')),
  }
}
