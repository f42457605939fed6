import { syncEndpoints } from '#contract/sync/sync.ts'
import { call } from '#src/api/call.ts'
import { lockPatienceMs, sendingLock } from '#src/sync/engine/drain.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { pushBody, type PushParts } from '#src/sync/engine/push-body.ts'
import { isExpired, type SessionKeeper } from '#src/sync/session/session.ts'
import { takeFence } from '#src/sync/engine/settle.ts'

type Parts = PushParts & { session: SessionKeeper; exclusion: Exclusion }

/** The next heartbeat reports again: a hung report must not block the others. */
const timeoutMs = 15_000
/** After this time the last report no longer counts as fresh, ms. */
const freshMs = 5 * 60_000

export type Announcer = {
  /**
   * Reports to the server this device's held work and open sheets, although there is nothing to send. A manager who
   * closes a sheet waits for the tablets that have it open, and sees them. A failed report stays due.
   */
  announce(): Promise<void>
  /** Sends a report if one is due. */
  catchUp(): Promise<void>
  /** Sends a report if the last one is over five minutes old, or was for another user or store. */
  keepFresh(): Promise<void>
  close(): void
}

/**
 * Reports take turns with each other and with the drain. A report during a batch would name that batch as held, until
 * the next report.
 */
export function createAnnouncer(parts: Parts): Announcer {
  const { environment, hot, session } = parts
  const cut = new AbortController()
  const holder = environment.newId()
  let wishes = 0
  /** The number of the last wish that a report has fulfilled. */
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
      // This report may miss a wish from here on.
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
