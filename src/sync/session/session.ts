import { createStore } from 'zustand/vanilla'
import { nameOfKey, type SigningKey } from '#contract/sync/signing-key.ts'
import { sessionEndpoints } from '#contract/people/session.ts'
import type { HomeInfo, SignedIn } from '#contract/people/session.ts'
import { call } from '#src/api/call.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { HotDatabase, OfflineSession, SessionRow } from '#src/db/hot/hot.ts'
import type { Session, SessionState } from '#src/sync/device/device.ts'
import { keepDeviceToken, tabletHeaders } from '#src/sync/session/device-token.ts'
import { pause, type Environment } from '#src/sync/device/environment.ts'
import { minutesKey } from '#src/sync/device/idling.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { keptPrefix } from '#src/sync/device/kept-prefix.ts'
import { noteLeftPage, takeLeftPage } from '#src/sync/session/left-page.ts'
import { begunFact, forgetOffline, noteLeaving } from '#src/sync/session/offline-facts.ts'
import { patientsKeyFact, patientsKeyRow } from '#src/sync/patients/patients-key.ts'
import { forgetUnusedKeys, hasKeyFor, keyNameOf, makeSigningKey, type NewKey } from '#src/sync/session/signing-keys.ts'
import { isSeated, standingOf } from '#src/sync/session/standing.ts'
import { accessKey, refreshKey, serialKey, sessionChannel } from '#src/sync/session/stored-tokens.ts'
import { createWorkInHand } from '#src/sync/session/work-in-hand.ts'

/** The result of a request for a new access token. */
export type Renewal = 'renewed' | 'over' | 'unreachable'

/** The session as the sync code uses it. */
export type SessionKeeper = Session & {
  /** Continues with a row that was read before the database was open. */
  begin(first: SessionRow): void
  /** Reads the stored session. The app shows nothing before. */
  load(): Promise<void>
  /** Reads the hot database's copy again: the worker before each drain, a tab after a message from another. */
  reload(): Promise<void>
  accessToken(): string | null
  /** The access token, or a new one when only the refresh token is left. Null when none can be had now. */
  freshToken(): Promise<string | null>
  /** Whether there is a session, even without an access token. */
  isOpen(): boolean
  /** Null when nobody is signed in, and no user continues after their session ended. */
  home(): HomeInfo | null
  /** Whether nobody may read patients here: the tablet is locked, or the session has ended. */
  isLocked(): boolean
  /** Says that the screen needs the session that ended. */
  askForSignIn(): void
  /** Ends a session that began without the server. The server has since refused its user. */
  endOffline(): Promise<void>
  /** Signs in without the server: with no tokens, and with the key for patients when there is one. */
  signInOffline(home: HomeInfo, offline: OfflineSession, key: CryptoKey | null): Promise<void>
  /** The server has answered this user: the PIN that it did not check was theirs. */
  serverKnows(): Promise<void>
  /**
   * The user is back, with the key for patients if there is one. Returns false when another user is signed in by now.
   */
  unlock(idUser: number, key: CryptoKey | null, reduced: boolean): Promise<boolean>
  /** Binds a session to a signing key: one that began without a key under an older app, or has lost its key. */
  bind(): Promise<void>
  /** @param used the access token that the server called expired */
  renew(used: string | null): Promise<Renewal>
  /** The server said that this session is over. Ends it, unless another one has begun since. */
  end(used: string | null): Promise<void>
  onChange(listener: () => void): () => void
  close(): void
}

const lockName = 'lorgnette-refresh'
const refreshTimeoutMs = 10_000
/** How long a sign-out waits for the server, ms. */
const endTimeoutMs = 4000
const unheard: Outcome<unknown> = {
  ok: false,
  failure: { kind: 'unreachable', message: 'The server did not hear that the session is over' },
}
/** A lost answer is soon requested again, within the server's grace for tokens that other tabs have used by then. */
const retryPausesMs = [1000, 3000]
/**
 * A read of one row that takes longer was interrupted, ms. Shorter than the server's grace for a token that comes
 * twice.
 */
const frozenMs = 20_000

const endings = new Set(['token-missing', 'token-revoked', 'token-mismatch', 'refresh-expired', 'refresh-invalid'])

/** Whether a refusal says that this session is over and the user must sign in again. */
export function endsSession(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.status === 401 && endings.has(failure.code)
}

export function isExpired(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.status === 401 && failure.code === 'token-expired'
}

const nobody: SessionRow = { key: 'session', access_token: null, refresh_token: null, home: null, serial: 0 }

/**
 * Owns both copies of the session. The row in the hot database counts, because the worker also renews tokens and cannot
 * read local storage. Local storage is its copy, as the specification requires.
 */
export function createSession(
  environment: Environment,
  hot: HotDatabase,
  exclusion: Exclusion,
  facts: { deviceId: () => string },
): SessionKeeper {
  const state = createStore<SessionState>(() => ({
    status: 0,
    home: null,
    ready: false,
    locked: false,
    offline: null,
    reduced: false,
    ended: null,
    asks: 0,
  }))
  const listeners = new Set<() => void>()
  let row = nobody
  const work = createWorkInHand(() => {
    publish()
    tellListeners()
  })
  /** The keys of sign-ins without a stored answer yet, by name. */
  const newKeys = new Map<string, NewKey>()
  let hasAskedToBind = false
  const channel = environment.openChannel?.(sessionChannel) ?? null
  channel?.listen(() => void reload())
  const stopStorage = environment.page?.onStorage((key) => {
    if (key === null || key === accessKey || key === refreshKey) void reload()
  })

  async function stored(): Promise<SessionRow> {
    return (await hot.session.get('session')) ?? nobody
  }

  /** Takes over a row as the present session. */
  function adopt(next: SessionRow) {
    const before = row
    row = next
    work.adopt(before, next)
    const { localStorage } = environment
    if (localStorage) {
      try {
        for (const [key, value] of [
          [accessKey, next.access_token],
          [refreshKey, next.refresh_token],
        ] as const) {
          if (value === null) localStorage.removeItem(key)
          else if (localStorage.getItem(key) !== value) localStorage.setItem(key, value)
        }
        const serial = String(next.serial)
        if (localStorage.getItem(serialKey) !== serial) localStorage.setItem(serialKey, serial)
        const minutes = next.home?.lock_minutes
        if (minutes !== undefined && localStorage.getItem(minutesKey) !== String(minutes)) localStorage.setItem(minutesKey, String(minutes))
      } catch (error) {
        // Full, or forbidden. The row in the database counts.
        environment.report(error)
      }
    }
    publish()
    if (before.serial !== next.serial) tellListeners()
  }

  function publish() {
    const { locked = false, offline = null, reduced = false } = row
    const { ended, asks, isLeftAlone } = work.shown()
    const status = isSeated(row) ? 1 : 0
    state.setState({ status, home: homeNow(), ready: true, locked: locked || isLeftAlone, offline, reduced, ended, asks })
  }

  const homeNow = () => row.home ?? work.person()
  const tellListeners = () => {
    for (const listener of listeners) listener()
  }

  /**
   * Changes the row in one transaction, unless `change` returns null, and then informs all listeners. `key` is the key
   * for patients.
   */
  async function write(change: (now: SessionRow) => SessionRow | null, key: CryptoKey | null = null): Promise<boolean> {
    const given = new Map(newKeys)
    const written = await hot.transaction('rw', hot.session, hot.punches, hot.cursors, hot.facts, async () => {
      const now = await stored()
      const next = change(now)
      if (!next) return null
      const raised = { ...next, serial: now.serial + 1 }
      await hot.session.put(raised)
      // In one transaction with the session, so that no session has work that cannot be signed.
      const bound = given.get(keyNameOf(next.home?.capture_token) ?? '')
      if (bound) await hot.facts.put(bound.row)
      // Tablets are shared: one user's own rows do not stay for the next. Waiting work is in no mirror, and stays.
      if (next.home === null || next.home.id_user !== now.home?.id_user) await forgetPerson()
      // The patients kept here cannot be read without this key.
      if (next.home === null || next.locked || next.home.id_user !== now.home?.id_user)
        await hot.facts.bulkDelete([patientsKeyFact, begunFact])
      if (key !== null && next.home !== null) await hot.facts.put(patientsKeyRow(next.home, key))
      return raised
    })
    if (!written) {
      adopt(await stored())
      return false
    }
    adopt(written)
    channel?.post('changed')
    return true
  }

  async function forgetPerson() {
    await hot.punches.clear()
    await hot.cursors.where('key').startsWith('punches ').delete()
    await hot.facts.where('key').startsWith(keptPrefix).delete()
  }

  async function load() {
    const found = await stored()
    const { localStorage } = environment
    switch (standingOf(found, localStorage, environment.now())) {
      case 'holds':
        return adopt(found)
      case 'ended-outside':
        // Someone removed the tokens from local storage to end the session.
        await write((now) => ({ ...now, access_token: null, refresh_token: null, home: null }))
        return
      case 'begun-outside': {
        const [access = null, refresh = null] = [accessKey, refreshKey].map((key) => localStorage?.getItem(key) ?? null)
        // They say nothing about a user who is signed in without tokens.
        await write((now) => ({ ...signedOut(now), access_token: access, refresh_token: refresh }))
        return
      }
      case 'run-out':
        await write(signedOut)
        return
      case 'left-alone':
        await write(lockedUp)
    }
  }

  async function reload() {
    const next = await stored()
    if (next.serial !== row.serial || !state.getState().ready) adopt(next)
  }

  async function renew(used: string | null): Promise<Renewal> {
    return await exclusion.exclusively(lockName, 30_000, async () => {
      const now = await storedNow()
      if (now.refresh_token === null) {
        adopt(now)
        return 'over'
      }
      if (now.access_token !== null && now.access_token !== used) {
        adopt(now)
        return 'renewed'
      }
      const sent = now.refresh_token
      const isBound = now.home === null || (await hasKeyFor(hot, now.home.capture_token))
      const key = isBound ? null : await newKey()
      const answer = await askForTokens(sent, key)
      if (answer === null) {
        await reload()
        return row.refresh_token === null ? 'over' : 'renewed'
      }
      if (answer.ok) {
        const { access_token, refresh_token, capture_token, device_token } = answer.value
        await keepProof(device_token)
        const kept = await write((current) =>
          current.refresh_token === sent
            ? { ...current, reduced: false, access_token, refresh_token, home: current.home && { ...current.home, capture_token } }
            : null,
        )
        // The user signed out, or another signed in, while the answer was on its way.
        return kept || row.refresh_token !== null ? 'renewed' : 'over'
      }
      if (!endsSession(answer.failure)) return 'unreachable'
      await endHere((current) => current.refresh_token === sent)
      return row.refresh_token === null ? 'over' : 'renewed'
    })
  }

  async function newKey(): Promise<SigningKey | null> {
    if (environment.signing === null) return null
    const made = await makeSigningKey(environment.signing)
    newKeys.set(nameOfKey(made.public), made)
    return made.public
  }

  /** Nobody waits for this, and the next change of the session does it too. */
  const forgetKeys = () => void forgetUnusedKeys(hot, homeNow()?.capture_token).catch(() => undefined)

  /**
   * The row at the moment of the answer. A tab that was frozen during a read would continue with a row from long ago.
   */
  async function storedNow(): Promise<SessionRow> {
    for (;;) {
      const asked = environment.monotonic()
      const now = await stored()
      if (environment.monotonic() - asked < frozenMs) return now
    }
  }

  /** @returns null when another tab already has new tokens: to the server, a used token may be a stolen copy */
  async function askForTokens(refresh_token: string, signing_key: SigningKey | null) {
    const headers = await tabletHeaders(hot, sessionEndpoints.refreshToken)
    const ask = () =>
      call(
        environment,
        sessionEndpoints.refreshToken,
        { body: { refresh_token, device_id: facts.deviceId(), ...(signing_key && { signing_key }) } },
        { timeoutMs: refreshTimeoutMs, headers },
      )
    let answer = await ask()
    for (const ms of retryPausesMs) {
      if (answer.ok || answer.failure.kind !== 'unreachable') break
      await pause(environment, ms)
      // A tab that was frozen makes its second try after other tabs have moved on.
      if ((await storedNow()).refresh_token !== refresh_token) return null
      answer = await ask()
    }
    return answer
  }

  /**
   * Ends the session at the server, where it would live for weeks. Its access token has often expired by then. After
   * `patience` aborts, it must not use any token here: that may be the next user's.
   */
  async function tellEnd(patience: AbortSignal): Promise<Outcome<unknown>> {
    const renewed = async (used: string | null) => (await renew(used)) !== 'unreachable' && !patience.aborted
    const over = { ok: true, value: null } as const
    if (row.access_token === null && row.refresh_token !== null && !(await renewed(null))) return unheard
    if (row.access_token === null) return over
    const answer = await endAt(row.access_token)
    if (answer.ok || endsSession(answer.failure)) return over
    if (!isExpired(answer.failure)) return answer
    if (patience.aborted || !(await renewed(row.access_token))) return unheard
    return row.access_token === null ? over : await endAt(row.access_token)
  }

  /**
   * Keeps the device token. Without it the server does not know the tablet until the next sign-in by password, and
   * nothing is lost.
   */
  async function keepProof(token: string | null | undefined) {
    await keepDeviceToken(hot, token).catch((error: unknown) => {
      // A page that closed while the answer was on its way is no failure.
      if (hot.isOpen()) environment.report(error)
    })
  }

  /** The server has ended the session: its user may not sign in again without the server. */
  async function endHere(isMeant: (now: SessionRow) => boolean) {
    const { home } = row
    if ((await write((now) => (isMeant(now) ? signedOut(now) : null))) && home) await forgetOffline(hot, home.id_user, environment.now())
  }

  const isOther = ({ id_user }: HomeInfo) => (homeNow()?.id_user ?? id_user) !== id_user
  const fresh = { locked: false, offline: null, reduced: false }
  const signedOut = (now: SessionRow): SessionRow => ({ ...now, ...fresh, access_token: null, refresh_token: null, home: null })
  const lockedUp = (now: SessionRow): SessionRow | null => (now.home && !now.locked ? { ...now, locked: true } : null)
  const endAt = (token: string) => call(environment, sessionEndpoints.logOut, {}, { token, timeoutMs: endTimeoutMs })

  /** Stores a session that the server has begun. */
  async function enter(signedIn: SignedIn): Promise<void> {
    const { access_token, refresh_token, device_token, ...home } = signedIn
    await keepProof(device_token)
    if (isOther(home)) await clearReferenceCaches()
    await write((now) => ({ ...now, ...fresh, access_token, refresh_token, home }))
    newKeys.clear()
    forgetKeys()
  }

  async function clearReferenceCaches() {
    const { caches } = environment
    if (!caches) return
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name.startsWith(referenceCachePrefix)).map((name) => caches.delete(name)))
  }

  return {
    state,
    begin: adopt,
    load,
    reload,
    renew,
    signingKey: newKey,
    async bind() {
      const { home, access_token } = row
      if (hasAskedToBind || environment.signing === null || home === null || row.refresh_token === null) return
      if (await hasKeyFor(hot, home.capture_token)) return
      // Only once: a server without keys gives none at any number of requests.
      hasAskedToBind = true
      await renew(access_token)
    },
    accessToken: () => row.access_token,
    isOpen: () => row.access_token !== null || row.refresh_token !== null,
    async freshToken() {
      if (row.access_token === null && row.refresh_token !== null) await renew(null)
      return row.access_token
    },
    home: homeNow,
    holdWork: work.hold,
    askForSignIn: work.ask,
    async signIn(signedIn: SignedIn) {
      const { locked, access_token: before } = row
      await enter(signedIn)
      // A user who unlocks through the server has two sessions there, and needs one.
      if (locked && before !== null) void endAt(before)
    },
    async switchUser(signedIn: SignedIn, path: string) {
      const former = homeNow()
      const { access_token: before } = row
      if (former) {
        await noteLeftPage(hot, former.id_user, path, environment.now()).catch(environment.report)
        // The server ends the former session. That says nothing about the account.
        await noteLeaving(hot, former.id_user, environment.now()).catch(environment.report)
      }
      // Before the colleague enters, because the page reloads then and would abort the call.
      if (before !== null) await Promise.race([endAt(before), pause(environment, endTimeoutMs)])
      await enter(signedIn)
    },
    async takeLeftPage() {
      const home = homeNow()
      return home && (await takeLeftPage(hot, home.id_user, environment.now()))
    },
    async turnAway({ access_token }) {
      await endAt(access_token)
    },
    isLocked: () => row.locked === true || work.person() !== null,
    async lock() {
      if (work.person() === null) await write(lockedUp)
      else work.lock()
    },
    async unlock(idUser, key, reduced) {
      return await write((now) => (now.home?.id_user === idUser ? { ...now, locked: false, reduced } : null), key)
    },
    async serverKnows() {
      await write((now) => (now.reduced && !now.locked ? { ...now, reduced: false } : null))
    },
    async signInOffline(home, offline, key) {
      if (isOther(home)) await clearReferenceCaches()
      await write((now) => ({ ...signedOut(now), home, offline }), key)
    },
    async updateHome(home: HomeInfo) {
      // An answer that was on its way while another user signed in is about the former user.
      const isTheirs = (now: SessionRow) => now.refresh_token !== null && (now.home?.id_user ?? home.id_user) === home.id_user
      await write((now) => (isTheirs(now) ? { ...now, home } : null))
    },
    async signOut(): Promise<Outcome<unknown>> {
      // Before the tokens go, because the server needs one. The user is signed out even when the server does not hear
      // it.
      const patience = new AbortController()
      // Other windows may hear the end of the session from the server before they hear it from here.
      if (row.home) await noteLeaving(hot, row.home.id_user, environment.now()).catch(environment.report)
      const told = await Promise.race([tellEnd(patience.signal), pause(environment, endTimeoutMs).then(() => unheard)])
      patience.abort()
      await write(signedOut)
      work.letGo()
      forgetKeys()
      await clearReferenceCaches()
      return told
    },
    async deleteTokens() {
      const found = await stored()
      const isOver = found.refresh_token === null && row.refresh_token === null && !found.offline
      if (isOver) adopt(found)
      else await write(signedOut)
      work.letGo()
      if (isOver) return
      forgetKeys()
      await clearReferenceCaches()
    },
    async endOffline() {
      await write((now) => (now.offline ? signedOut(now) : null))
      await clearReferenceCaches()
    },
    async end(used: string | null) {
      await endHere((now) => now.access_token === used && !now.offline)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stopStorage?.()
      channel?.close()
      listeners.clear()
    },
  }
}

/** The caches of reference lists, one for each user and store: `lorgnette-reference-{user}-{store}`. */
const referenceCachePrefix = 'lorgnette-reference-'

export function referenceCacheName(home: Pick<HomeInfo, 'id_user' | 'store_id'>): string {
  return `${referenceCachePrefix}${home.id_user}-${home.store_id}`
}
