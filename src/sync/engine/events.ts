import * as v from 'valibot'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { syncEndpoints, syncEvent, type Collection, type SyncEvent } from '#contract/sync/sync.ts'
import { openStream } from '#src/api/call.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { PresentDevice } from '#src/sync/device/device.ts'
import { pause, type Environment } from '#src/sync/device/environment.ts'
import { linesOf, StreamCut } from '#src/sync/engine/lines.ts'
import { collectionsOf } from '#src/sync/engine/pull.ts'
import { endsSession, isExpired, type SessionKeeper } from '#src/sync/session/session.ts'
import { backoffMs } from '#src/sync/engine/verdict.ts'

export type EventsParts = {
  environment: Pick<Environment, 'fetch' | 'origin' | 'schedule' | 'locks' | 'monotonic' | 'random' | 'report'>
  session: Pick<SessionKeeper, 'freshToken' | 'home' | 'isOpen' | 'renew' | 'end' | 'onChange'>
  clock: ServerClock
  heard(online: boolean): void
  onEpoch(epoch: string): Promise<void>
  pull(wanted?: readonly Collection[]): Promise<void>
  /** The store's rules may have changed: reads the user's home info again. */
  refreshHome(): void
}

export type Events = {
  presence: StoreApi<Record<string, PresentDevice[]>>
  /** True while the server sends events. Otherwise a timer has to ask. */
  listening(): boolean
  start(): void
  close(): void
}

const eventText = v.pipe(v.string(), v.parseJson(), syncEvent)
const debounceMs = 100
/** The longest silence of a live stream, ms: the server sends something every 15 s. */
const silenceMs = 40_000

/** Keeps one stream of events open in one tab of the device, and pulls the changes that they name. */
export function createEvents(parts: EventsParts): Events {
  const { environment, session } = parts
  const presence = createStore<Record<string, PresentDevice[]>>(() => ({}))
  const stop = new AbortController()
  let current = new AbortController()
  let listening = false
  let changed = new Set<string>()
  let planned: (() => void) | null = null
  let wake: AbortController | null = null

  // Another user or store gets other events.
  const stopSession = session.onChange(() => {
    const now = seat()
    if (now === who) return
    who = now
    current.abort(new Error('Someone else, or another store'))
    wake?.abort()
  })
  let who = ''
  // A user who continues after the session ended gets no events.
  function seat() {
    const home = session.isOpen() ? session.home() : null
    return home ? `${home.id_user} ${home.store_id}` : ''
  }

  function note(scope: string) {
    changed.add(scope)
    planned ??= environment.schedule(debounceMs, () => {
      planned = null
      const scopes = changed
      changed = new Set()
      if ([...scopes].some(isSettings)) parts.refreshHome()
      const rows = [...scopes].filter((name) => !isSettings(name))
      if (rows.length > 0) void parts.pull(rows.flatMap((name) => collectionsOf(name)))
    })
  }

  async function hear(event: SyncEvent) {
    switch (event.type) {
      case 'hello':
        await parts.onEpoch(event.epoch)
        // Fetches changes from the time without a stream.
        void parts.pull()
        parts.refreshHome()
        break
      case 'changed':
        note(event.scope)
        break
      case 'presence':
        presence.setState({ [event.id_count_sheet]: event.devices })
    }
  }

  /** @returns true when the stream was open */
  async function listen(): Promise<boolean> {
    const token = await session.freshToken()
    if (token === null) return false
    current = new AbortController()
    who = seat()
    const answer = await openStream(environment, syncEndpoints.events, {}, { token, signal: current.signal })
    if (!answer.ok) {
      if (isExpired(answer.failure)) return (await session.renew(token)) === 'renewed'
      if (endsSession(answer.failure)) await session.end(token)
      return false
    }
    parts.heard(true)
    listening = true
    try {
      for await (const line of linesOf(environment, answer.value, silenceMs)) {
        if (current.signal.aborted) break
        if (!line.startsWith('data:')) continue
        const said = readEvent(line.slice(5))
        if (said) await hear(said)
      }
    } catch (error) {
      // A stream that was cut opens again, also after an error in this code.
      if (!(error instanceof StreamCut || stop.signal.aborted)) environment.report(error)
    } finally {
      listening = false
      current.abort()
    }
    return true
  }

  async function keepListening() {
    let failures = 0
    while (!stop.signal.aborted) {
      const begun = environment.monotonic()
      const open = await listen()
      if (stop.signal.aborted) return
      // A stream that always ends at once counts as a failure.
      failures = open && environment.monotonic() - begun > 5000 ? 0 : failures + 1
      wake = new AbortController()
      await pause(environment, failures <= 1 ? 250 : backoffMs(failures, environment.random), wake.signal)
    }
  }

  return {
    presence,
    listening: () => listening,
    start() {
      const { locks } = environment
      // Browsers allow few connections to a server: one tab listens, and all tabs see its writes to the mirror.
      if (locks) locks.request('lorgnette-events', { signal: stop.signal }, keepListening).catch(() => undefined)
      else void keepListening()
    },
    close() {
      stop.abort(new Error('The app was closed'))
      wake?.abort()
      current.abort(new Error('The app was closed'))
      planned?.()
      stopSession()
    },
  }
}

/** A store's rules have a revision of their own, and no rows. */
function isSettings(scope: string): boolean {
  return scope.startsWith('settings:')
}

/** Returns null for an event that only a newer app understands. */
function readEvent(text: string): SyncEvent | null {
  const event = v.safeParse(eventText, text)
  return event.success ? event.output : null
}
