import { createStore } from 'zustand/vanilla'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { operationsEndpoints } from '#contract/core/operations.ts'
import { sessionEndpoints } from '#contract/people/session.ts'
import type { Collection } from '#contract/sync/sync.ts'
import { call as plainCall, unreachable } from '#src/api/call.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { HotDatabase } from '#src/db/hot/hot.ts'
import { browserEnvironment } from '#src/sync/device/browser-environment.ts'
import { createServerClock } from '#src/sync/device/clock.ts'
import { createConnection } from '#src/sync/engine/connection.ts'
import { readDeviceFacts } from '#src/sync/device/device-facts.ts'
import { tabletHeaders } from '#src/sync/session/device-token.ts'
import type { Device, Mirror, PatientShelf, PresentDevice } from '#src/sync/device/device.ts'
import { pause, type Environment } from '#src/sync/device/environment.ts'
import type { Exchange } from '#src/sync/engine/exchange.ts'
import { createExclusion } from '#src/sync/engine/locks.ts'
import { createOpenSheets } from '#src/sync/device/open-sheets.ts'
import { createOutbox } from '#src/sync/engine/outbox.ts'
import type { FirstFacts, ReadAhead } from '#src/sync/device/read-ahead.ts'
import { patientsAhead } from '#src/sync/patients/begun-patients.ts'
import { isSeated, standingOf } from '#src/sync/session/standing.ts'
import { createSession, endsSession, isExpired } from '#src/sync/session/session.ts'
import { createStorage } from '#src/sync/device/storage.ts'

export const probeTimeoutMs = 5000
const beatMs = 20_000
/** With a sheet open: a user who closes it must see within half a minute that this device has gone silent. */
export const countingBeatMs = 10_000
/** The first screen waits no longer than this for the server's home info, ms. */
const firstHomeMs = 4000
/** A stream of events opens within this time when the server has just answered, ms. */
const streamOpensMs = 400
/** Code that could not be fetched is fetched again after this time, then after twice as long, up to a heartbeat. */
const fetchAgainMs = 2000

/** A device opens in two steps. `ready` rejects with NewerDatabase and with the browser's error about the database. */
export type OpeningDevice = {
  /** The session and the mirrors can be read. Recorded work waits for the database. */
  readable: Promise<Device>
  /** The database is open: the same device records, sends and pulls. */
  ready: Promise<Device>
}

/** A reading of patients that no code has taken is closed after this time, ms. */
const aheadKeptMs = 10_000

/**
 * Opens the device on which the app runs. The code that talks to the server (`exchange.ts`) loads `after`. Until then
 * nothing is sent or pulled, and nothing is lost.
 * @param ahead records read before this code was loaded
 */
export function openDevice(
  environment: Environment = browserEnvironment(),
  after: Promise<unknown> = Promise.resolve(),
  ahead: ReadAhead | null = null,
): OpeningDevice {
  const name = environment.databaseName ?? 'lorgnette'
  const hot = new HotDatabase(name, { indexedDB: environment.indexedDB, IDBKeyRange: environment.IDBKeyRange })
  // From the start on: the user may leave a page while it starts.
  const stopLetting = environment.page?.onLeave((isKept) => {
    if (isKept) hot.leave()
  })
  // The app does not wait for the disk. Records written meanwhile are moved with the others.
  const opened = hot.openSafely().then(() => void environment.prepareDisk?.())
  opened.catch(() => undefined)
  const made = makeDevice({ environment, name, hot, opened, after, ahead, stopLetting })
  const ready = made.then(({ whenReady }) => whenReady)
  const readable = made.then(({ device }) => device)
  // A caller may wait for only one of the two. It gets the error; the other promise must not report it a second time.
  readable.catch(() => undefined)
  ready.catch(() => undefined)
  return { readable, ready }
}

type OpeningParts = {
  environment: Environment
  name: string
  hot: HotDatabase
  opened: Promise<void>
  after: Promise<unknown>
  ahead: ReadAhead | null
  stopLetting: (() => void) | undefined
}

/**
 * Returns the facts that were read ahead when the stored session holds. Null when the device has to decide or repair
 * first.
 */
async function usableFacts({ ahead, environment }: OpeningParts): Promise<FirstFacts | null> {
  const facts = (await ahead?.facts.catch(() => null)) ?? null
  if (facts === null || !isSeated(facts.session)) return null
  return standingOf(facts.session, environment.localStorage, environment.now()) === 'holds' ? facts : null
}

async function makeDevice(parts: OpeningParts): Promise<{ device: Device; whenReady: Promise<Device> }> {
  const { environment, name, hot, opened, after, stopLetting } = parts
  const first = await usableFacts(parts)
  if (first === null) await opened
  const facts = await readDeviceFacts(environment, hot, first)
  const exclusion = createExclusion(environment, hot)
  const clock = createServerClock(environment, hot)
  const session = createSession(environment, hot, exclusion, { deviceId: facts.id })
  if (first) session.begin(first.session)
  await Promise.all([first ? undefined : session.load(), clock.load(first?.clock)])
  const beforeDevice = patientsAhead(parts.ahead)
  if (parts.ahead) environment.schedule(aheadKeptMs, () => beforeDevice.close())
  const connection = createConnection(environment, hot, session)
  const frames = openFrameMirror({
    name: `${name}-mirror`,
    indexedDB: environment.indexedDB,
    IDBKeyRange: environment.IDBKeyRange,
  })
  // Indexing a large chain keeps the machine busy for a moment, and the page goes first. An earlier search for a frame
  // starts it at once.
  after.then(() => frames.ready()).catch(() => undefined)
  const openSheets = createOpenSheets(environment)
  let closed = false
  let leaving = false
  let knownEpoch: string | null = null
  let isPruned = false
  const seat = () => {
    const token = session.accessToken()
    return token === null ? null : `${token} ${session.home()?.store_id ?? ''}`
  }
  let lastSeat = seat()

  // A newer version in another tab wants to change the tables: it must not wait for this tab.
  hot.on('versionchange', () => {
    hot.close()
    connection.set({ databaseBlocked: 'reload' })
    return false
  })
  if (facts.wasWiped()) connection.set({ databaseBlocked: 'wiped' })

  /** Null until its code is loaded. Then it does all work that was left over. */
  let exchange: Exchange | null = null
  const progress: Mirror['progress'] = createStore(() => ({ loading: null, lastPulledAt: null }))
  const presence = createStore<Record<string, PresentDevice[]>>(() => ({}))
  const drain = { run: async (asked: boolean) => await exchange?.drain.run(asked) }
  const pull = { run: async (wanted?: readonly Collection[]) => await exchange?.pull.run(wanted) }
  const events = { listening: () => exchange?.events.listening() ?? false }

  async function onEpoch(epoch: string) {
    if (exchange === null) return
    const changed = epoch !== knownEpoch && (await exchange.adoptEpoch(epoch))
    knownEpoch = epoch
    // After that, because work that a restored server has lost must be sent again, however old.
    if (!isPruned && clock.toldAt() !== null) {
      isPruned = true
      void quietly(exchange.pruneSettled())
    }
    if (!changed) return
    void drain.run(true)
    void pull.run()
  }

  /** Errors of work that was under way when the app closed are not reported. */
  const report = (error: unknown) => {
    if (!closed) environment.report(error)
  }
  const quietly = (work: Promise<unknown>) => work.catch(report)
  /** The browser cuts the calls of a page that goes away. That says nothing about the network. */
  const heard = (online: boolean) => {
    if (online || !(leaving || closed)) connection.heard(online)
  }
  const shared = {
    environment,
    hot,
    session,
    clock,
    exclusion,
    heard,
    doubt,
    set: connection.set,
    onEpoch,
    openSheets,
    deviceId: facts.id,
    deviceName: facts.name,
  }
  let shelf: Promise<PatientShelf> | null = null
  const patients = (): Promise<PatientShelf> => {
    shelf ??= import('#src/sync/patients/patient-shelf.ts').then(
      (code) => {
        const made = code.createPatientShelf({ ...shared, call, ahead: beforeDevice })
        made.state.subscribe((now, before) => {
          // A locked tablet hears that patients changed, and cannot keep the new rows.
          if (now.status === 'ready' && before.status !== 'ready') void quietly(exchange?.pull.runMissed() ?? Promise.resolve())
        })
        return made
      },
      (error: unknown) => {
        // The next call tries again: code that could not be fetched may be reachable by then.
        shelf = null
        throw error
      },
    )
    return shelf
  }
  const mayReadPatients = () => environment.subtle !== null && (session.home()?.permissions.includes('patient.read') ?? false)
  const outbox = createOutbox({
    ...shared,
    onRecorded() {
      void drain.run(false)
      environment.page?.askForBackgroundSync()
    },
  })

  async function call<E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<Outcome<ResponseOf<E>>> {
    const isPublic = endpoint.access === 'public'
    const headers = await tabletHeaders(hot, endpoint)
    for (let renewed = false; ; renewed = true) {
      const token = isPublic ? null : await session.freshToken()
      const mayCome = session.isOpen() || session.state.getState().offline !== null
      if (!isPublic && token === null && mayCome) return unreachable('Sign in online to do this')
      if (!isPublic && token === null) return signedOut('Missing Authorization Header')
      const answer = await plainCall(environment, endpoint, request, { ...options, token, headers })
      if (answer.ok || answer.failure.kind !== 'unreachable') {
        // An answer from the cache of the worker or the browser says nothing of the connection.
        if (endpoint.cached === undefined) succeeded()
      } else if (!options.signal?.aborted) doubt()
      if (answer.ok || isPublic) return answer
      const { failure } = answer
      if (isExpired(failure) && !renewed) {
        const renewal = await session.renew(token)
        if (renewal === 'renewed') continue
        if (renewal === 'unreachable') return { ok: false, failure: { kind: 'unreachable', message: failure.message } }
        return signedOut(failure.message)
      }
      if (!endsSession(failure)) return answer
      await session.end(token)
      return signedOut(failure.message)
    }
  }

  /** When the work stays on the screen, the user reads the message and can sign in. */
  function signedOut(message: string): { ok: false; failure: Failure } {
    const mayGoOn = session.state.getState().ended !== null
    if (mayGoOn) session.askForSignIn()
    return { ok: false, failure: { kind: 'signed-out', message: mayGoOn ? 'Sign in, then try again' : message } }
  }

  function succeeded() {
    heard(true)
    if (connection.state.getState().unsent > 0) void drain.run(false)
  }

  async function probe(): Promise<boolean> {
    const askedAt = environment.now()
    const answer = await plainCall(environment, operationsEndpoints.health, {}, { timeoutMs: probeTimeoutMs })
    if (closed) return false
    heard(answer.ok)
    if (!answer.ok) return false
    clock.learn(answer.value.server_time, askedAt)
    await onEpoch(answer.value.epoch)
    return true
  }

  let doubting: Promise<unknown> | null = null
  /**
   * One call got no answer. The health check says whether the server can be reached. A flaky network lets some calls
   * pass and others not. Without the check the device would switch between offline and online, and send without a
   * pause.
   */
  function doubt() {
    if (closed || leaving) return
    doubting ??= quietly(probe()).finally(() => {
      doubting = null
    })
  }

  async function refreshHome() {
    if (closed || !session.isOpen()) return
    await session.bind()
    const store = session.home()?.store_id
    const answer = await call(sessionEndpoints.home, { query: { device_id: facts.id() } })
    // If the user switched stores meanwhile, the present home info is newer than this answer.
    if (answer.ok && session.home()?.store_id === store) await session.updateHome(answer.value)
  }

  /** While work waits to be sent, the pushes that try to send it also report this device. */
  async function tellOfIdling() {
    const { online, unsent } = connection.state.getState()
    if (online === true && unsent === 0) await exchange?.announcer.keepFresh()
  }

  async function comeBack() {
    leaving = false
    if (closed || exchange === null || !(await probe())) return
    void drain.run(true)
    void quietly(exchange.announcer.catchUp().then(tellOfIdling))
    // A stream of events brings all missed changes when it opens, which it does about now.
    if (!events.listening()) await pause(environment, streamOpensMs)
    if (closed || events.listening()) return
    void pull.run()
    await refreshHome()
  }

  /** The heartbeat: checks that the server can be reached, pulls when no events come, and restarts stalled work. */
  async function beat(arrived: Exchange) {
    const { announcer } = arrived
    const { unsent, online } = connection.state.getState()
    const isVisible = environment.page?.visible() ?? true
    if (isVisible || unsent > 0) {
      const there = online === true && events.listening() ? true : await probe()
      if (there && unsent > 0) void drain.run(online === false)
      if (there) void quietly(sheetsOpenHere > 0 ? announcer.announce() : announcer.catchUp().then(tellOfIdling))
      if (there && isVisible && !events.listening()) void pull.run()
    }
    await arrived.watch()
  }

  let sheetsOpenHere = 0
  let stopBeat = () => {}
  function planBeat(arrived: Exchange) {
    stopBeat()
    stopBeat = environment.schedule(sheetsOpenHere > 0 ? countingBeatMs : beatMs, () => {
      beat(arrived)
        .catch(report)
        .finally(() => {
          if (!closed) planBeat(arrived)
        })
    })
  }

  async function announce() {
    await exchange?.announcer.announce()
  }

  /** Fetches the code that talks to the server, again and again if necessary, and starts it. */
  async function begin() {
    await after
    for (let waitMs = fetchAgainMs; exchange === null && !closed; waitMs = Math.min(2 * waitMs, beatMs)) {
      try {
        // After one failure a browser may refuse a module for as long as the page lives. So fetch it only when it can
        // be had.
        if ((environment.codeIsKept?.() ?? true) || (await probe())) {
          // Users need the file of unsent work when the server is gone for good. Its code must be here before that.
          const [{ createExchange }] = await Promise.all([
            import('#src/sync/engine/exchange.ts'),
            import('#src/sync/engine/outbox-file.ts'),
          ])
          if (closed) return
          work(
            createExchange({
              ...shared,
              call,
              frames,
              patients: async () => (mayReadPatients() ? await (await patients()).writer() : null),
              connection: connection.state,
              refreshHome: () => void quietly(refreshHome()),
            }),
          )
          return
        }
      } catch (error) {
        report(error)
        // The app's own server did not deliver the code: the user sees that this device is offline, and how much waits.
        heard(false)
      }
      await pause(environment, waitMs)
    }
  }

  /** A caller waits for the code, but not for ever. When it arrives, it sends and pulls on its own. */
  async function waitForExchange() {
    if (exchange === null) await Promise.race([begun, pause(environment, firstHomeMs)])
  }

  function work(arrived: Exchange) {
    exchange = arrived
    stops.push(
      arrived.pull.progress.subscribe((now) => progress.setState(now)),
      arrived.events.presence.subscribe((now) => presence.setState(now, true)),
    )
    arrived.events.start()
    void quietly(comeBack())
    planBeat(arrived)
    if (sheetsOpenHere > 0) void quietly(announce())
  }

  const stops = [
    environment.page?.onReturn(() => void quietly(comeBack())),
    stopLetting,
    environment.page?.onLeave((isKept) => {
      leaving = true
      if (!isKept) return
      frames.close()
      void shelf?.then((made) => made.close())
    }),
    environment.page?.onOffline(() => heard(false)),
    session.onChange(() => {
      const now = seat()
      // A change of the user's info alone, such as a setting of the store, leaves nothing to send or fetch.
      if (now === lastSeat) return
      lastSeat = now
      if (now === null) return
      void drain.run(true)
      void pull.run()
      void quietly(tellOfIdling())
    }),
  ]
  connection.onBackOnline(() => {
    void drain.run(true)
    void pull.run()
  })

  // The count of waiting work must never be too low.
  if (first?.waiting !== 0) await connection.recount()
  const settled = first ? opened.then(() => Promise.all([session.load(), connection.recount()])) : Promise.resolve()
  const begun = settled.then(begin)
  begun.catch(report)

  async function settle(device: Device): Promise<Device> {
    await settled
    // Tokens alone do not say whose they are.
    if (session.isOpen() && session.home() === null) await Promise.race([quietly(refreshHome()), pause(environment, firstHomeMs)])
    return device
  }

  const device: Device = {
    deviceId: facts.id(),
    name: facts.name,
    rename: facts.rename,
    async wipeWasRead() {
      await facts.wipeWasRead()
      if (connection.state.getState().databaseBlocked === 'wiped') connection.set({ databaseBlocked: null })
    },
    hot,
    session,
    call,
    connection: connection.state,
    probe,
    outbox,
    frames,
    patients,
    // If the app closed before the code arrived, no caller waits for this.
    files: () => begun.then(() => exchange!.files()),
    offline: async () => (await import('#src/sync/session/offline-sign-in.ts')).createOfflineSignIn({ ...shared, call }),
    mirror: { progress },
    async drain() {
      await waitForExchange()
      await drain.run(true)
    },
    async pull() {
      await waitForExchange()
      await pull.run()
    },
    serverNow: clock.serverNow,
    serverOffsetMs: clock.offsetMs,
    openSheet(id) {
      const close = openSheets.open(id)
      sheetsOpenHere += 1
      if (exchange) planBeat(exchange)
      void quietly(announce())
      let open = true
      return () => {
        if (!open) return
        open = false
        sheetsOpenHere -= 1
        close()
        void quietly(announce())
      }
    },
    isCountOpen: async () => (await openSheets.all()).length > 0,
    presence,
    storage: createStorage(environment.page && 'storage' in navigator ? navigator.storage : null),
    async close() {
      closed = true
      stopBeat()
      for (const stop of stops) stop?.()
      exchange?.close()
      connection.close()
      session.close()
      frames.close()
      void shelf?.then((made) => made.close())
      beforeDevice.close()
      hot.close()
    },
  }
  const whenReady = settle(device)
  whenReady.catch(() => undefined)
  return { device, whenReady }
}
