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
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { keptPrefix } from '#src/sync/device/kept-prefix.ts'
import { begunFact, forgetOffline, noteLeaving } from '#src/sync/session/offline-facts.ts'
import { patientsKeyFact, patientsKeyRow } from '#src/sync/patients/patients-key.ts'
import { forgetUnusedKeys, hasKeyFor, keyNameOf, makeSigningKey, type NewKey } from '#src/sync/session/signing-keys.ts'
import { isSeated, standingOf } from '#src/sync/session/standing.ts'
import { accessKey, refreshKey, serialKey, sessionChannel } from '#src/sync/session/stored-tokens.ts'
import { createWorkInHand } from '#src/sync/session/work-in-hand.ts'

/** What became of the wish for a new access token. */
export type Renewal = 'renewed' | 'over' | 'unreachable'

/** The session as the sync code sees it. */
export type SessionKeeper = Session & {
  /** Goes on with a row that was read before the database was open. */
  begin(first: SessionRow): void
  /** Reads what is stored; the app shows nothing before. */
  load(): Promise<void>
  /** Reads the hot database's copy again: the worker before each drain, a tab when another tells. */
  reload(): Promise<void>
  accessToken(): string | null
  /** The access token; a new one when only the refresh token is left. Null when there is none to be had now. */
  freshToken(): Promise<string | null>
  /** Whether there is a session, of which the access token may be missing. */
  isOpen(): boolean
  /** Null when nobody is signed in, nor works on after their session ended. */
  home(): HomeInfo | null
  /** Whether nobody may read patients here: the tablet is locked, or the session has ended. */
  isLocked(): boolean
  /** Something on the screen needs the session that ended. */
  askForSignIn(): void
  /** Ends a session that was begun without the server, which has refused its person since. */
  endOffline(): Promise<void>
  /** For whom the server cannot be asked: no tokens, and the key for patients where there is one. */
  signInOffline(home: HomeInfo, offline: OfflineSession, key: CryptoKey | null): Promise<void>
  /** The server has given what only this person may have: a PIN that it was not asked about was theirs. */
  serverKnows(): Promise<void>
  /** Its person is back, with the key for patients where that could be had. False when someone else is signed in by now. */
  unlock(idUser: number, key: CryptoKey | null, reduced: boolean): Promise<boolean>
  /** Binds a session to a key that began without one, under an older app, or whose key is gone. */
  bind(): Promise<void>
  /** @param used the access token that the server called expired. */
  renew(used: string | null): Promise<Renewal>
  /** The server said that this session is over. Ends it, unless another one has begun since. */
  end(used: string | null): Promise<void>
  onChange(listener: () => void): () => void
  close(): void
}

const lockName = 'lorgnette-refresh'
const refreshTimeoutMs = 10_000
/** How long a person who signs out waits for the server to hear of it. */
const endTimeoutMs = 4000
const unheard: Outcome<unknown> = {
  ok: false,
  failure: { kind: 'unreachable', message: 'The server did not hear that the session is over' },
}
/** A lost answer is soon asked for again; what other tabs have made of it by then is within the server's grace. */
const retryPausesMs = [1000, 3000]
/** A read of one row that takes longer was interrupted; shorter than the server's grace for a token that comes twice. */
const frozenMs = 20_000

const endings = new Set(['token-missing', 'token-revoked', 'token-mismatch', 'refresh-expired', 'refresh-invalid'])

/** A refusal of the server that says: this session is over, sign in again. */
export function endsSession(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.status === 401 && endings.has(failure.code)
}

export function isExpired(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.status === 401 && failure.code === 'token-expired'
}

const nobody: SessionRow = { key: 'session', access_token: null, refresh_token: null, home: null, serial: 0 }

/**
 * Owns both copies of the session. The row in the hot database is the one that counts, because the worker renews tokens
 * too and cannot see local storage; local storage is its copy, as the specification wants it.
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
  /** Keys of sign-ins whose answer is not kept yet, by name. */
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

  /** Makes what is known here what the row says. */
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
      } catch (error) {
        // Full, or forbidden. The row in the database is the one that counts.
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

  /** Changes the row in one transaction, unless `change` answers null; then everyone is told. `key` is the one for patients. */
  async function write(change: (now: SessionRow) => SessionRow | null, key: CryptoKey | null = null): Promise<boolean> {
    const given = new Map(newKeys)
    const written = await hot.transaction('rw', hot.session, hot.punches, hot.cursors, hot.facts, async () => {
      const now = await stored()
      const next = change(now)
      if (!next) return null
      const raised = { ...next, serial: now.serial + 1 }
      await hot.session.put(raised)
      // With the session, so that there is none whose work cannot be signed.
      const bound = given.get(keyNameOf(next.home?.capture_token) ?? '')
      if (bound) await hot.facts.put(bound.row)
      // Tablets are shared: what is one person's own does not stay for the next. Work that waits is in no mirror, and stays.
      if (next.home === null || next.home.id_user !== now.home?.id_user) await forgetPerson()
      // What is kept here of patients cannot be read without it.
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
        // Whoever took the tokens out of local storage meant to end the session.
        await write((now) => ({ ...now, access_token: null, refresh_token: null, home: null }))
        return
      case 'begun-outside': {
        const [access = null, refresh = null] = [accessKey, refreshKey].map((key) => localStorage?.getItem(key) ?? null)
        // They say nothing of whoever is signed in without any.
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
        // Someone signed out, or in as another, while the answer was on its way.
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

  /** Nobody waits for it, and the next change of the session does it as well. */
  const forgetKeys = () => void forgetUnusedKeys(hot, homeNow()?.capture_token).catch(() => undefined)

  /** What is stored at the moment of the answer: a tab that was frozen while it read would go on with what is long past. */
  async function storedNow(): Promise<SessionRow> {
    for (;;) {
      const asked = environment.monotonic()
      const now = await stored()
      if (environment.monotonic() - asked < frozenMs) return now
    }
  }

  /** @returns null when another tab has new tokens already: to the server a used one that comes again may be a stolen copy. */
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
      // A tab that was frozen comes back to its second try when others have gone on without it.
      if ((await storedNow()).refresh_token !== refresh_token) return null
      answer = await ask()
    }
    return answer
  }

  /**
   * Ends the session at the server, where it lives on for weeks. Its access token has often run out by then. With the
   * patience its right to any token here ends: the next one may be that of whoever signs in.
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

  /** Without it the tablet is a stranger to the server until the next sign-in by password, and nothing is lost. */
  async function keepProof(token: string | null | undefined) {
    await keepDeviceToken(hot, token).catch(environment.report)
  }

  /** The server has ended the session: whoever it was may not come in again without asking it. */
  async function endHere(isMeant: (now: SessionRow) => boolean) {
    const { home } = row
    if ((await write((now) => (isMeant(now) ? signedOut(now) : null))) && home) await forgetOffline(hot, home.id_user, environment.now())
  }

  const isOther = ({ id_user }: HomeInfo) => (homeNow()?.id_user ?? id_user) !== id_user
  const fresh = { locked: false, offline: null, reduced: false }
  const signedOut = (now: SessionRow): SessionRow => ({ ...now, ...fresh, access_token: null, refresh_token: null, home: null })
  const lockedUp = (now: SessionRow): SessionRow | null => (now.home && !now.locked ? { ...now, locked: true } : null)
  const endAt = (token: string) => call(environment, sessionEndpoints.logOut, {}, { token, timeoutMs: endTimeoutMs })

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
      // Once: a server that knows of no keys yet gives none however often it is asked.
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
      const { access_token, refresh_token, device_token, ...home } = signedIn
      await keepProof(device_token)
      if (isOther(home)) await clearReferenceCaches()
      const { locked, access_token: before } = row
      await write((now) => ({ ...now, ...fresh, access_token, refresh_token, home }))
      newKeys.clear()
      forgetKeys()
      // Whoever unlocks by the server's word has two sessions there, and needs one.
      if (locked && before !== null) void endAt(before)
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
      // An answer that was on its way while someone else signed in is about the one before.
      const isTheirs = (now: SessionRow) => now.refresh_token !== null && (now.home?.id_user ?? home.id_user) === home.id_user
      await write((now) => (isTheirs(now) ? { ...now, home } : null))
    },
    async signOut(): Promise<Outcome<unknown>> {
      // Said first, because it needs the token; whether it was heard does not keep the person signed in.
      const patience = new AbortController()
      // Other windows may hear from the server that it is over before they hear it from here.
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

/** The caches of reference lists, one per person and store: `lorgnette-reference-{user}-{store}`. */
const referenceCachePrefix = 'lorgnette-reference-'

export function referenceCacheName(home: Pick<HomeInfo, 'id_user' | 'store_id'>): string {
  return `${referenceCachePrefix}${home.id_user}-${home.store_id}`
}
