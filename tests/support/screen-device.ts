import 'fake-indexeddb/auto'
import { createStore } from 'zustand/vanilla'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { HotDatabase } from '#src/db/hot/hot.ts'
import type { ConnectionState, Device, OfflineSignIn, SessionState } from '#src/sync/device/device.ts'
import { keepPatientsKey } from '#src/sync/patients/patients-key.ts'
import type { WorkKind } from '#src/sync/session/work-in-hand.ts'

/** A manager of two stores, as the server describes her. */
export const mayasHome: HomeInfo = {
  id_user: 1,
  username: 'maya',
  email: 'maya@clinic.example',
  first_name: 'Maya',
  last_name: 'Okafor',
  role_ids: ['manager'],
  permissions: ['count.scan', 'frame.look-up', 'time.punch'],
  store_id: 1,
  store_name: 'Harbour Street',
  locations: [
    { store_id: 1, store_name: 'Harbour Street', short_name: 'HARB', time_zone: 'America/New_York', is_warehouse: false },
    { store_id: 2, store_name: 'Mill Lane', short_name: 'MILL', time_zone: 'America/Chicago', is_warehouse: false },
  ],
  home_navigation: [
    { title: 'Home', url: '/', icon: 'house' },
    { title: 'Count sheets', url: '/inventory/count-sheets', icon: 'clipboard-list' },
  ],
  store_settings: { blind_counts: false, control_preset: 'practice', coverage_percent: 95, scan_gap_ms: 35 },
  capture_token: 'capture',
}

export type Answers = (endpoint: Endpoint, request: unknown) => Outcome<unknown> | Promise<Outcome<unknown>>

export const unreachable: Outcome<never> = { ok: false, failure: { kind: 'unreachable', message: 'no network' } }

/** The outcome of a refused call. */
export function refused(status: number, code: string, retryAfterS: number | null = null): Outcome<never> {
  return { ok: false, failure: { kind: 'refused', status, code, message: code, fields: [], retryAfterS, details: {} } }
}

/** Stores the key for patients, as a sign-in does. Without the key the app keeps no draft about a patient. */
export async function givePatientsKey(hot: HotDatabase, home: HomeInfo): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  await hot.session.put({ key: 'session', access_token: null, refresh_token: null, home, serial: 1 })
  await keepPatientsKey(hot, home, key)
}

let databases = 0

/** A device for tests of screens. The test answers the calls, and the device neither sends nor pulls. */
export function screenDevice(options: { signedIn?: boolean; answers?: Answers; unsent?: number; offline?: OfflineSignIn } = {}) {
  databases += 1
  const hot = new HotDatabase(`screen-${databases}`)
  const state = createStore<SessionState>(() => ({
    status: options.signedIn ? 1 : 0,
    home: options.signedIn ? mayasHome : null,
    ready: true,
    locked: false,
    offline: null,
    reduced: false,
    ended: null,
    asks: 0,
  }))
  const calls: { path: string; request: unknown }[] = []
  const ended: string[] = []
  /** Whether another window of the device has a count open. */
  const elsewhere = { countOpen: false }
  const connection = createStore<ConnectionState>(() => ({
    online: true,
    unsent: options.unsent ?? 0,
    needsAttention: 0,
    oldestAt: null,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
  }))
  const end = () => state.setState({ status: 0, home: null, locked: false, offline: null, ended: null })
  /** The kinds of open work that outlive the session. */
  const works: WorkKind[] = []
  const device: Pick<
    Device,
    | 'deviceId'
    | 'hot'
    | 'session'
    | 'call'
    | 'connection'
    | 'mirror'
    | 'serverNow'
    | 'serverOffsetMs'
    | 'frames'
    | 'name'
    | 'probe'
    | 'drain'
    | 'pull'
    | 'openSheet'
    | 'isCountOpen'
    | 'offline'
    | 'patients'
  > = {
    deviceId: '0190a000-0000-7000-8000-000000000001',
    hot,
    name: () => Promise.resolve('Tablet 1'),
    session: {
      state,
      signingKey: () => Promise.resolve(null),
      signIn: (signedIn) => {
        state.setState({ status: 1, home: signedIn, locked: false, offline: null, reduced: false, ended: null })
        return Promise.resolve()
      },
      updateHome: (home) => {
        state.setState({ home })
        return Promise.resolve()
      },
      signOut: () => {
        ended.push('signOut')
        end()
        return Promise.resolve({ ok: true, value: null })
      },
      deleteTokens: () => {
        ended.push('deleteTokens')
        end()
        return Promise.resolve()
      },
      switchUser: (signedIn, path) => {
        ended.push(`switchUser from ${path}`)
        state.setState({ status: 1, home: signedIn, locked: false, offline: null, reduced: false, ended: null })
        return Promise.resolve()
      },
      takeLeftPage: () => Promise.resolve(null),
      turnAway: () => {
        ended.push('turnAway')
        return Promise.resolve()
      },
      holdWork: (kind) => {
        works.push(kind)
        return () => void works.splice(works.indexOf(kind), 1)
      },
      lock: () => {
        state.setState({ locked: true })
        return Promise.resolve()
      },
    },
    call: async (endpoint, request) => {
      calls.push({ path: endpoint.path, request })
      const answer = await (options.answers?.(endpoint, request) ?? unreachable)
      // The test must answer with the shape that the endpoint promises.
      return answer as never
    },
    connection,
    mirror: { progress: createStore(() => ({ loading: null, lastPulledAt: null })) },
    serverNow: () => Date.now(),
    serverOffsetMs: () => 0,
    probe: () => Promise.resolve(true),
    drain: () => Promise.resolve(),
    pull: () => Promise.resolve(),
    openSheet: () => () => undefined,
    offline: () => (options.offline ? Promise.resolve(options.offline) : Promise.reject(new Error('nothing is kept here'))),
    patients: () => Promise.reject(new Error('no patients are mirrored here')),
    isCountOpen: () => Promise.resolve(elsewhere.countOpen),
    frames: {
      isReady: () => true,
      ready: () => Promise.resolve(),
      findSoon: () => Promise.resolve(null),
      size: () => 0,
      get: () => null,
      find: () => null,
      search: () => [],
      endingWith: () => [],
      ofStore: () => [],
      readStore: () => Promise.resolve([]),
      subscribe: () => () => undefined,
    },
  }
  // Screens that need more parts of a device use a real one.
  return { device: device as Device, calls, ended, elsewhere, works, state, connection, hot }
}
