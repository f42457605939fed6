import { v7 as uuidv7 } from 'uuid'
import type { Captured, CommandBody, Lane } from '#contract/sync/commands.ts'
import { commandVersions } from '#contract/sync/command-versions.ts'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import { elapsedWords, punchTime } from '#contract/people/time-clock.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device, NotSaved } from '#src/sync/device/device.ts'
import { tooManyAttempts, blockedWords, waitSentence, type Lockout, type ToastWords } from '#src/sync/session/lockout.ts'
import type { sealPunchPassword } from '#src/sync/session/seal.ts'
import { fetchSealingKey, refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { keptSealingKey, type SealingKey } from '#src/sync/session/sealing-key.ts'

/** A person's clock status: from the server, or without it from the punches that wait on this device. */
export type ClockStatus =
  | {
      known: true
      session: boolean
      /** When the open session began, ISO; null when there is none. */
      since: string | null
      /** The same as `HH:MM DD-MM-YYYY`; null when only this device knows it. */
      time: string | null
      /** True when the status comes from a punch that still waits here to be sent. */
      waiting: boolean
    }
  | { known: false }

export type PunchResult =
  | {
      kind: 'done'
      direction: 'in' | 'out'
      /** `HH:MM DD-MM-YYYY` in the store's time: the time of the punch, or the start of the open session. */
      time: string
      first_name: string
      worked_minutes: number | null
      /** Nothing changed: the person was already in, or out. */
      already: boolean
    }
  /** On this device's disk. It leaves on its own when the server can be reached. `at` is ISO, server time. */
  | { kind: 'saved'; id: string; direction: 'in' | 'out'; at: string }
  /** The server refused while the person was there. Nothing was kept. */
  | { kind: 'refused'; code: string; message: string; retryAfterS: number | null }
  /** Neither sent nor on the disk. */
  | { kind: 'not-saved'; problem: NotSaved }
  /** The device can't seal a password: it never got the server's key, or the page has no cryptography (plain http). */
  | { kind: 'must-be-online-once'; message: string }
  /** The device can't know whether a session is open: the person chooses In or Out. */
  | { kind: 'ask-direction' }

export type PunchRequest = { username: string; password: string; direction: 'in' | 'out' | 'auto' }

export type Punching = {
  /** Never fails: a status that can't be found is `known: false`. */
  sessionStatus(username: string): Promise<ClockStatus>
  punch(request: PunchRequest): Promise<PunchResult>
  /** Fetches and keeps the server's key, so that a later punch can be sealed without a network. */
  keepSealingKey(): Promise<void>
}

type Sealing = { sealPunchPassword: typeof sealPunchPassword }

/**
 * Loads the cryptography at the first punch, because it is a good part of the login screen's weight. Null when it
 * cannot be loaded.
 */
function loadSealing(): Promise<Sealing | null> {
  return import('#src/sync/session/seal.ts').catch(() => null)
}

/** Nobody waits longer than this at a clock, ms. Then the punch is kept here and is sent later. */
const liveTimeoutMs = 8_000

const mustBeOnlineOnce = 'This tablet hasn’t connected to the clinic’s server yet. Connect it once, and then you can clock in offline.'
const noCryptography = 'This page isn’t using a secure connection (https), so you can’t clock in here. Tell your manager.'

const perDevice = new WeakMap<Device, Punching>()

/** The one `Punching` of a device. It refreshes its key whenever the device is online. */
export function punchingOf(device: Device): Punching {
  let found = perDevice.get(device)
  if (!found) {
    found = createPunching(device)
    perDevice.set(device, found)
  }
  return found
}

/** The name of a punch's lane. */
function punchLane(username: string): Lane {
  return `punch:${username.trim().toLowerCase()}`
}

export function createPunching(device: Device, given: Partial<PunchingEnvironment> = {}): Punching {
  const environment = { ...real, ...given }
  void keepSealingKey()
  let wasOnline = device.connection.getState().online
  device.connection.subscribe(({ online }) => {
    if (online && !wasOnline) void keepSealingKey()
    wasOnline = online
  })

  async function keepSealingKey(): Promise<void> {
    // A punch without a network needs both.
    void loadSealing()
    await refreshSealingKey(device, environment.now())
  }

  async function waitingOf(username: string): Promise<OutboxCommand[]> {
    const lane = punchLane(username)
    const commands = await device.hot.outbox.where('[lane+lane_seq+device_id]').between([lane], [lane, []]).toArray()
    return commands.filter((command) => command.state !== 'needs-attention')
  }

  /** The clock status after the last waiting punch; null when none waits. */
  function waitingStatus(waiting: OutboxCommand[]): ClockStatus | null {
    const last = waiting.at(-1)
    if (!last) return null
    const session = last.body['direction'] === 'in'
    return { known: true, session, since: session ? punchTime(last.captured).at : null, time: null, waiting: true }
  }

  async function sessionStatus(username: string): Promise<ClockStatus> {
    const name = username.trim()
    if (name === '') return { known: false }
    const waiting = await waitingOf(name)
    const fromHere = waitingStatus(waiting)
    if (fromHere) return fromHere
    const answer = await device.call(timeCardEndpoints.sessionStatus, { query: { username: name } }, { timeoutMs: liveTimeoutMs })
    if (!answer.ok) return { known: false }
    void keepSealingKey()
    return { known: true, ...answer.value, waiting: false }
  }

  async function punch({ username, password, direction: wanted }: PunchRequest): Promise<PunchResult> {
    // Captured before any await: the time of the person's action counts.
    const captured = capture()
    const name = username.trim()
    let direction = wanted
    if (direction === 'auto') {
      const status = await sessionStatus(name)
      if (!status.known) return { kind: 'ask-direction' }
      direction = status.session ? 'out' : 'in'
    }

    if (typeof crypto === 'undefined' || !crypto.subtle) return { kind: 'must-be-online-once', message: noCryptography }
    const key = (await keptSealingKey(device.hot)) ?? (await fetchSealingKey(device, environment.now()))
    const seal = await loadSealing()
    if (!key || !seal) return { kind: 'must-be-online-once', message: mustBeOnlineOnce }

    // The order in a person's lane is the order of their day. Waiting punches go first, or this one waits behind them.
    if ((await waitingOf(name)).length > 0) await Promise.race([device.drain(), environment.pause(liveTimeoutMs)])
    const mustQueue = (await waitingOf(name)).length > 0

    let sealed = await sealFor(seal, key, name, password, direction, captured)
    if (mustQueue) return keep(sealed)
    let failure = await sendLive(sealed)
    if (failure.kind === 'refused' && failure.code === 'punch-sealed-unreadable') {
      // The server has new keys. It did not keep the refused punch, so this is a new punch under a new id.
      const fresh = await fetchSealingKey(device, environment.now())
      if (fresh) {
        sealed = await sealFor(seal, fresh, name, password, direction, captured)
        failure = await sendLive(sealed)
      }
    }
    if (failure.kind === 'done') return failure
    if (failure.kind === 'refused' && !isServerTrouble(failure)) {
      return { kind: 'refused', code: failure.code, message: failure.message, retryAfterS: failure.retryAfterS }
    }
    return keep(sealed)
  }

  function capture(): Captured {
    return {
      wall: new Date(environment.now()).toISOString(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      server_offset_ms: device.serverOffsetMs(),
      monotonic_ms: environment.monotonic(),
    }
  }

  type Sealed = { id: string; body: CommandBody<'punch.record'>; captured: Captured }

  async function sealFor(
    seal: Sealing,
    key: SealingKey,
    name: string,
    password: string,
    direction: 'in' | 'out',
    captured: Captured,
  ): Promise<Sealed> {
    const id = environment.newId()
    const sealed_password = await seal.sealPunchPassword(password, key.public_key, { id, username: name, direction })
    const store_id = device.session.state.getState().home?.store_id ?? null
    return { id, body: { username: name, direction, sealed_password, key_id: key.key_id, store_id }, captured }
  }

  async function sendLive({ id, body, captured }: Sealed): Promise<Extract<PunchResult, { kind: 'done' }> | Failure> {
    const answer = await device.call(
      timeCardEndpoints.checkTimeCard,
      {
        body: {
          ...body,
          id,
          version: commandVersions['punch.record'],
          // The punch gets its place in the lane when it is kept here. The body hash leaves the place out.
          lane_seq: 0,
          device_id: device.deviceId,
          author: { id_user: null, name: body.username },
          captured,
          live: true,
        },
      },
      { timeoutMs: liveTimeoutMs },
    )
    if (!answer.ok) return answer.failure
    const { direction, time, first_name, worked_minutes, already } = answer.value
    return { kind: 'done', direction, time, first_name, worked_minutes, already: already ?? false }
  }

  async function keep({ id, body, captured }: Sealed): Promise<PunchResult> {
    const title = `${body.username} clocked ${body.direction}`
    const kept = await device.outbox.record('punch.record', punchLane(body.username), body, {
      id,
      title,
      captured,
      store_id: body.store_id,
    })
    if (!kept.saved) return { kind: 'not-saved', problem: kept.problem }
    return { kind: 'saved', id, direction: body.direction, at: punchTime(captured).at }
  }

  return { sessionStatus, punch, keepSealingKey }
}

type PunchingEnvironment = { now(): number; monotonic(): number; newId(): string; pause(ms: number): Promise<void> }

const real: PunchingEnvironment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  newId: () => uuidv7(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Whether the server failed, which is no refusal: the punch is handled as without a connection. */
function isServerTrouble(failure: Extract<Failure, { kind: 'refused' }>): boolean {
  return failure.status >= 500 || [408, 425, 426].includes(failure.status) || failure.code === 'request-too-frequent'
}

/**
 * Returns the words for the toast, and counts a wrong password in the lockout. Other refusals are not failed attempts.
 */
export function refusePunch(lockout: Lockout, refused: Extract<PunchResult, { kind: 'refused' }>): ToastWords {
  if (refused.code === 'login-blocked') return blockedWords(lockout.obey(refused.retryAfterS))
  if (refused.code === 'punch-wrong' && lockout.fail()) return tooManyAttempts
  return { title: 'Clock in error', description: 'An error occurred while logging in. Please try again.' }
}

/** Whether the form is blocked. Its button counts down, so no text with the seconds may stay beside it. */
export function isBlock(result: PunchResult): boolean {
  return result.kind === 'refused' && result.code === 'login-blocked'
}

/** One sentence for the person who just punched. */
export function punchSentence(result: PunchResult): string {
  switch (result.kind) {
    case 'done':
      return doneSentence(result)
    case 'saved':
      return `Saved on this device: clocked ${result.direction}. It will be sent when you’re back online.`
    case 'refused':
      return result.retryAfterS === null ? result.message : waitSentence(Math.ceil(result.retryAfterS))
    case 'not-saved':
      return `NOT SAVED. ${result.problem.message}`
    case 'must-be-online-once':
      return result.message
    case 'ask-direction':
      return 'You’re offline. Are you clocking in or out?'
  }
}

function doneSentence(result: Extract<PunchResult, { kind: 'done' }>): string {
  if (result.already && result.direction === 'in') return `You’ve been clocked in since ${result.time}`
  if (result.already) return 'You weren’t clocked in. If you forgot to clock in, tell your manager.'
  if (result.direction === 'in') return `Clocked in at ${result.time}`
  if (result.worked_minutes === null) return `Clocked out at ${result.time}`
  return `Clocked out at ${result.time} after ${elapsedWords(result.worked_minutes * 60_000)}`
}
