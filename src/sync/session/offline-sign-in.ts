import * as v from 'valibot'
import { homeInfo, type HomeInfo } from '#contract/people/session.ts'
import { syncEndpoints } from '#contract/sync/sync.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { Device, OfflineAnswer, OfflineSignIn, Secret } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { type Box, closeBox, keyOfSecret, type Lid, makeLid, newSalt, openBox } from '#src/sync/session/offline-box.ts'
import { offlineDays } from '#src/sync/session/offline-days.ts'
import { begunFact, offlineFact } from '#src/sync/session/offline-facts.ts'
import { forgetTries, takeTurn } from '#src/sync/session/offline-tries.ts'
import { importPatientsKey } from '#src/sync/patients/patients-key.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'
import { keyNameOf } from '#src/sync/session/signing-keys.ts'

const dayMs = 86_400_000
const timeoutMs = 8000
/** The latest moment that this device has seen: setting the clock back gains nothing. */
const seenFact = 'offline-seen'

type By = 'password' | 'pin'

/** A row on the disk. Of the user it shows only the id, which all their work carries. */
type Kept = {
  by: By
  id_user: number
  /** Hashes of the user's sign-in names, made for this device alone. A PIN needs no name. */
  names: string[]
  box: Box
  until: number
  /** The server's mark of this tablet when the row was written. A revoked tablet gets another mark. */
  mark: string
  /** Name of the key that signs the work of a user who signs in with it; absent in rows of older apps. */
  signing_key?: string | null
}

/** A box to be closed once the server has sent its content. If the page goes away first, the next page does it. */
type Begun = { by: By; id_user: number; lid: Lid }

const content = v.object({ home: homeInfo, patients_key: v.nullable(v.string()) })
type Content = v.InferOutput<typeof content>

type Parts = {
  environment: Environment
  hot: HotDatabase
  session: SessionKeeper
  clock: ServerClock
  deviceId: () => string
  call: Device['call']
}

/**
 * The rights that a PIN opens: counting and the clock. A thief with a copy of the disk can guess a PIN, so it opens
 * nothing else.
 */
export function reducedToPin(home: HomeInfo): HomeInfo {
  const urls = ['/', '/inventory/count-sheets', '/time-clock']
  return {
    ...home,
    permissions: home.permissions.filter((name) => name.startsWith('count.') || name === 'frame.look-up' || name === 'time.punch'),
    home_navigation: home.home_navigation.filter(({ url }) => urls.includes(url)),
  }
}

export function createOfflineSignIn(parts: Parts): OfflineSignIn {
  const { environment, hot, session, clock } = parts

  /** The rows that have not expired. Deletes expired ones. */
  async function all(): Promise<Kept[]> {
    const now = await latestNow()
    const rows = await hot.facts.where('key').startsWith('offline-p').toArray()
    const kept = rows.map(({ value }) => value as Kept)
    const over = kept.filter(({ until }) => until <= now)
    await hot.facts.bulkDelete(over.map(({ by, id_user }) => offlineFact(by, id_user)))
    return kept.filter(({ until }) => until > now)
  }

  async function latestNow(): Promise<number> {
    const seen = Number((await hot.facts.get(seenFact))?.value ?? 0)
    const now = Math.max(clock.serverNow(), seen)
    if (now > seen) await hot.facts.put({ key: seenFact, value: now })
    return now
  }

  const nameOf = async (name: string) => await environment.sha256(`${parts.deviceId()} ${name.trim().toLowerCase()}`)
  const textOf = (secret: Secret) => ('pin' in secret ? secret.pin : secret.password)
  /** All PINs of a tablet are tried together, and so count as one. */
  const lotOf = (kept: Kept) => (kept.by === 'pin' ? 'pin' : `password ${kept.id_user}`)

  async function candidates(secret: Secret): Promise<Kept[]> {
    const kept = await all()
    if ('pin' in secret) return kept.filter(({ by }) => by === 'pin')
    const name = await nameOf(secret.username)
    return kept.filter(({ by, names }) => by === 'password' && names.includes(name))
  }

  async function firstThatOpens(subtle: SubtleCrypto, secret: Secret, kept: Kept[]): Promise<{ kept: Kept; content: Content } | null> {
    const keys = new Map<string, Promise<CryptoKey>>()
    for (const each of kept) {
      const salt = String(each.box.salt)
      const key = keys.get(salt) ?? keyOfSecret(subtle, textOf(secret), each.box, 'unwrapKey')
      keys.set(salt, key)
      const found = v.safeParse(content, await openBox(subtle, await key, each.box))
      if (found.success) return { kept: each, content: found.output }
    }
    return null
  }

  async function shred(kept: Kept[]): Promise<void> {
    await hot.facts.bulkDelete(kept.map(({ by, id_user }) => offlineFact(by, id_user)))
    for (const each of kept) await forgetTries(hot, lotOf(each))
  }

  /** Makes one try among `kept`, and counts it first. */
  async function tryOn(
    kept: Kept[],
    secret: Secret,
    use: (kept: Kept, opened: Content, key: CryptoKey | null) => Promise<boolean>,
  ): Promise<OfflineAnswer> {
    const { subtle } = environment
    const [first] = kept
    if (!first || subtle === null) return { kind: 'none' }
    const turn = await takeTurn(hot, lotOf(first), environment.now())
    if (turn.kind === 'wait') return turn
    const opened = turn.kind === 'go' ? await firstThatOpens(subtle, secret, kept) : null
    if (turn.kind === 'spent' || (opened === null && turn.left === 0)) {
      await shred(kept)
      return { kind: 'wrong', left: 0 }
    }
    if (opened === null) return { kind: 'wrong', left: turn.left }
    const { by, until } = opened.kept
    const given = opened.content.patients_key
    const key = given === null ? null : await importPatientsKey(subtle, given)
    if (!(await use(opened.kept, opened.content, key))) return { kind: 'wrong', left: turn.left }
    await forgetTries(hot, lotOf(first))
    return { kind: 'open', by, until }
  }

  /** `isFinal`: another request would get the same answer. */
  async function patientsKeyOf(home: HomeInfo): Promise<{ key: string | null; isFinal: boolean }> {
    if (!home.permissions.includes('patient.read')) return { key: null, isFinal: true }
    const answer = await parts.call(syncEndpoints.patientsKey, {}, { timeoutMs })
    if (!answer.ok) return { key: null, isFinal: answer.failure.kind === 'refused' }
    const isHere = answer.value.store_id === home.store_id
    return { key: isHere ? answer.value.key : null, isFinal: isHere }
  }

  async function readBegun(): Promise<Begun | null> {
    const value = (await hot.facts.get(begunFact))?.value
    return isBegun(value) && value.id_user === session.home()?.id_user ? value : null
  }

  async function finish(): Promise<void> {
    const { subtle } = environment
    const home = session.home()
    const begun = await readBegun()
    if (subtle === null || home === null || begun === null) return
    const { by, lid } = begun
    const answer = await parts.call(syncEndpoints.tabletMark, {}, { timeoutMs })
    if (!answer.ok) return
    const { mark } = answer.value
    // The tablet was revoked since: rows written before open nothing.
    await shred((await all()).filter((kept) => kept.mark !== mark))
    const patients = by === 'pin' ? { key: null, isFinal: true } : await patientsKeyOf(home)
    const inside: Content = { home: by === 'pin' ? reducedToPin(home) : home, patients_key: patients.key }
    const kept: Kept = {
      by,
      id_user: home.id_user,
      names: by === 'pin' ? [] : await Promise.all([...new Set([home.username, home.email])].map(nameOf)),
      box: await closeBox(subtle, lid, inside),
      until: (await latestNow()) + offlineDays * dayMs,
      mark,
      signing_key: keyNameOf(home.capture_token),
    }
    const isKept = await hot.transaction('rw', hot.facts, hot.session, async () => {
      // The user may have left meanwhile, and the server may have ended the session.
      const now = await hot.session.get('session')
      const there = (await hot.facts.get(begunFact))?.value
      if (now?.home?.id_user !== home.id_user || !isBegun(there) || !isSame(there.lid.salt, lid.salt)) return false
      await hot.facts.put({ key: offlineFact(by, home.id_user), value: kept })
      // Without the key for patients the box lets its user in. It is closed again when the key arrives.
      if (patients.isFinal) await hot.facts.delete(begunFact)
      return true
    })
    if (isKept) await forgetTries(hot, lotOf(kept))
  }

  return {
    async offers() {
      const kept = environment.subtle === null ? [] : await all()
      const latest = (wanted: By) =>
        kept.reduce<number | null>((last, { by, until }) => (by === wanted ? Math.max(last ?? 0, until) : last), null)
      return { password: latest('password'), pin: latest('pin') }
    },
    async prepare(secret) {
      const { subtle } = environment
      if (subtle === null) return () => Promise.resolve()
      const by = 'pin' in secret ? 'pin' : 'password'
      const salt = (by === 'pin' && (await all()).find((kept) => kept.by === 'pin')?.box.salt) || newSalt()
      const lid = await makeLid(subtle, textOf(secret), salt)
      return async () => {
        await hot.transaction('rw', hot.facts, hot.session, async () => {
          const { home, locked } = (await hot.session.get('session')) ?? {}
          if (!home || locked || home.id_user !== session.home()?.id_user) return
          await hot.facts.put({ key: begunFact, value: { by, id_user: home.id_user, lid } satisfies Begun })
        })
        await finish()
      }
    },
    finish,
    async refused(secret) {
      const { subtle } = environment
      const opened = subtle && (await firstThatOpens(subtle, secret, await candidates(secret)))
      if (!opened) return
      await shred([opened.kept])
      const { home, offline } = session.state.getState()
      // The server no longer accepts the user who signed in here. Their work stays, and waits for a user who may send
      // it.
      if (offline !== null && home?.id_user === opened.kept.id_user) await session.endOffline()
    },
    async signIn(secret) {
      return await tryOn(await candidates(secret), secret, async ({ by, until }, { home }, key) => {
        await session.signInOffline(home, { by, until }, key)
        return true
      })
    },
    async unlock(secret) {
      const home = session.home()
      if (home === null) return { kind: 'none' }
      const by = 'pin' in secret ? 'pin' : 'password'
      const kept = (await all()).filter((each) => each.by === by && (by === 'pin' || each.id_user === home.id_user))
      if (!kept.some(({ id_user }) => id_user === home.id_user)) return { kind: 'none' }
      return await tryOn(
        kept,
        'pin' in secret ? secret : { username: home.username, ...secret },
        async ({ id_user, until }, opened, key) => {
          const isHere = opened.home.store_id === home.store_id
          // There is no session left to unlock: this begins one without the server.
          if (session.state.getState().ended !== null) {
            if (id_user === home.id_user) await session.signInOffline(opened.home, { by, until }, key)
            return id_user === home.id_user
          }
          return id_user === home.id_user && (await session.unlock(id_user, isHere ? key : null, by === 'pin'))
        },
      )
    },
  }
}

function isBegun(value: unknown): value is Begun {
  return typeof value === 'object' && value !== null && 'by' in value && 'lid' in value && 'id_user' in value
}

const isSame = (one: Uint8Array, other: Uint8Array) => String(one) === String(other)
