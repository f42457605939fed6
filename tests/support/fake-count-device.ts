import 'fake-indexeddb/auto'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createStore } from 'zustand/vanilla'
import { gtin14 } from '#contract/core/codes.ts'
import type { CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import type { Frame } from '#contract/stock/frames.ts'
import { permissionsOf } from '#contract/core/roles.ts'
import { HotDatabase, type OutboxCommand } from '#src/db/hot/hot.ts'
import type { ConnectionState, Device, FrameMirror, Outbox, SessionState } from '#src/sync/device/device.ts'

/** A device for tests of this feature: a real hot database in memory, with fake parts around it. */
export type FakeDevice = Device & {
  factory: IDBFactory
  /** The server receives a command: its row arrives, and the command leaves the outbox. */
  deliver(id: string, more?: Partial<CountScan>): Promise<void>
  /** Makes the next save fail. */
  failNext(reason: 'disk-full' | 'storage-closed'): void
  /** Duration of a save, ms. */
  slowness: number
}

export const sheetId = '01890000-0000-7000-8000-00000000c001'
export const mainStore = 1
export const eastStore = 2

export function frameOf(id: number, more: Partial<Frame> = {}): Frame {
  return {
    id_inventory: id,
    sku: `LG${100_000 + id}`,
    serial: `F${200_000 + id}`,
    upc: null,
    status: 'Ready for Sale',
    store_id: mainStore,
    brand_id: (id % 3) + 1,
    brand_name: ['Ash', 'Birch', 'Cedar'][id % 3] ?? 'Ash',
    vendor_id: 1,
    title_product: `Model ${id % 7}`,
    title_variant: 'Black',
    size_lens_width: 52,
    size_bridge_width: 18,
    size_temple_length: 140,
    pb_selling_price: 10_000 + id,
    board_location: `Board ${id % 4}`,
    last_seen_at: null,
    version: 1,
    revision: 1,
    ...more,
  }
}

export function itemOf(frame: Frame, more: Partial<CountItem> = {}): CountItem {
  const { vendor_id: _vendor, version: _version, store_id: _store, ...item } = frame
  return { ...item, id_count_sheet: sheetId, ...more }
}

export function sheetOf(more: Partial<CountSheet> = {}): CountSheet {
  return {
    id_count_sheet: sheetId,
    number: 12,
    store_id: mainStore,
    scope: wholeStore,
    notes: '',
    blind: false,
    phase: 'counting',
    expected_count: 0,
    created_at: '2026-11-21T09:00:00.000Z',
    created_by: 1,
    created_by_name: 'Ana Reyes',
    snapshot_at: '2026-11-21T09:00:00.000Z',
    closed_at: null,
    closed_by_name: null,
    walk: 1,
    walk_started_at: '2026-11-21T09:00:00.000Z',
    result: null,
    revision: 1,
    ...more,
  }
}

let minted = 0
export function mintId(): string {
  minted += 1
  return `01890000-0000-7000-8000-${String(minted).padStart(12, '0')}`
}

export function createFakeDevice(
  input: {
    frames?: Frame[]
    factory?: IDBFactory
    role?: 'stock_clerk' | 'manager'
    person?: { id: number; name: string }
    deviceId?: string
    /** Resolves when the frames have been read from the disk into memory. */
    framesRead?: Promise<void>
  } = {},
): FakeDevice {
  const factory = input.factory ?? new IDBFactory()
  const hot = new HotDatabase('lorgnette', { indexedDB: factory, IDBKeyRange })
  const frames = input.frames ?? []
  const person = input.person ?? { id: 1, name: 'Ana Reyes' }
  const deviceId = input.deviceId ?? '01890000-0000-7000-8000-0000000000aa'
  const listeners = new Set<() => void>()
  let failure: 'disk-full' | 'storage-closed' | null = null
  let serverRevision = 10
  let clock = Date.parse('2026-11-21T09:30:00.000Z')

  const session = createStore<SessionState>(() => ({
    status: 1,
    ready: true,
    locked: false,
    offline: null,
    reduced: false,
    ended: null,
    asks: 0,
    home: {
      id_user: person.id,
      username: 'ana',
      email: 'ana@example.test',
      first_name: person.name.split(' ')[0] ?? '',
      last_name: person.name.split(' ')[1] ?? '',
      role_ids: [input.role ?? 'stock_clerk'],
      permissions: permissionsOf([input.role ?? 'stock_clerk']),
      store_id: mainStore,
      store_name: 'Main Street',
      locations: [
        { store_id: mainStore, store_name: 'Main Street', short_name: 'Main', time_zone: 'UTC', is_warehouse: false },
        { store_id: eastStore, store_name: 'Eastside', short_name: 'East', time_zone: 'UTC', is_warehouse: false },
      ],
      home_navigation: [],
      store_settings: { blind_counts: false, control_preset: 'practice', coverage_percent: 85, scan_gap_ms: 35 },
      capture_token: 'token',
    },
  }))
  const connection = createStore<ConnectionState>(() => ({
    online: true,
    unsent: 0,
    needsAttention: 0,
    oldestAt: null,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
  }))

  let areRead = input.framesRead === undefined
  input.framesRead?.then(
    () => (areRead = true),
    () => undefined,
  )
  const ready = () => input.framesRead ?? Promise.resolve()
  const mirror: FrameMirror = {
    isReady: () => areRead,
    ready,
    size: () => (areRead ? frames.length : 0),
    get: (id) => (areRead ? (frames.find((frame) => frame.id_inventory === id) ?? null) : null),
    async findSoon(code) {
      await ready()
      return mirror.find(code)
    },
    find(code) {
      if (!areRead) return null
      const serial = frames.find((frame) => frame.serial === code)
      if (serial) return { by: 'serial', frame: serial }
      const sku = frames.find((frame) => frame.sku === code)
      if (sku) return { by: 'sku', frame: sku }
      const gtin = gtin14(code)
      const models = gtin === null ? [] : frames.filter((frame) => frame.upc !== null && gtin14(frame.upc) === gtin)
      return models.length > 0 ? { by: 'upc', frames: models } : null
    },
    search: (typed, limit) => frames.filter((frame) => frame.sku.includes(typed)).slice(0, limit),
    endingWith: (typed, storeId, limit) =>
      frames.filter((frame) => frame.store_id === storeId && frame.sku.endsWith(typed)).slice(0, limit),
    ofStore: (storeId) => (areRead ? frames.filter((frame) => frame.store_id === storeId) : []),
    readStore: (storeId) => Promise.resolve(storeId === null ? (areRead ? frames : []) : mirror.ofStore(storeId)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  const device: FakeDevice = {
    factory,
    patients: () => Promise.reject(new Error('no count asks for patients')),
    files: () => Promise.reject(new Error('no count asks for files')),
    slowness: 0,
    failNext(reason) {
      failure = reason
    },
    async deliver(id, more = {}) {
      const command = await hot.outbox.get(id)
      if (!command) throw new Error(`no command ${id} in the outbox`)
      const body = command.body
      serverRevision += 1
      const negates = typeof body['negates'] === 'string' ? body['negates'] : null
      const row: CountScan = {
        id,
        id_count_sheet: sheetId,
        raw_code: typeof body['raw_code'] === 'string' ? body['raw_code'] : '',
        id_inventory: typeof body['id_inventory'] === 'number' ? body['id_inventory'] : null,
        finding: 'expected',
        finding_detail: null,
        via: 'scanner',
        negates,
        previous_scan: null,
        walk: 1,
        captured_at: command.captured.wall,
        author_id: command.author.id_user ?? 0,
        author_name: command.author.name,
        device_id: command.device_id,
        revision: serverRevision,
        ...more,
      }
      await hot.transaction('rw', [hot.outbox, hot.scans], async () => {
        await hot.scans.put(row)
        await hot.outbox.delete(id)
      })
    },
    deviceId,
    name: () => Promise.resolve('Tablet AA'),
    rename: () => Promise.resolve(),
    wipeWasRead: () => Promise.resolve(),
    hot,
    session: {
      state: session,
      signingKey: () => Promise.resolve(null),
      signIn: () => Promise.resolve(),
      updateHome: () => Promise.resolve(),
      signOut: () => Promise.resolve({ ok: true, value: null }),
      deleteTokens: () => Promise.resolve(),
      switchUser: () => Promise.resolve(),
      takeLeftPage: () => Promise.resolve(null),
      turnAway: () => Promise.resolve(),
      lock: () => Promise.resolve(),
      holdWork: () => () => undefined,
    },
    call: () => Promise.resolve({ ok: false, failure: { kind: 'unreachable', message: 'No answer' } }),
    connection,
    probe: () => Promise.resolve(true),
    offline: () => Promise.reject(new Error('nothing is kept here')),
    outbox: {
      async record(kind, lane, body, more): ReturnType<Outbox['record']> {
        if (device.slowness > 0) await new Promise((resolve) => setTimeout(resolve, device.slowness))
        if (failure) {
          const reason = failure
          failure = null
          return { saved: false, problem: { reason, message: 'The tablet has no room left' } }
        }
        clock += 100
        const last = await hot.outbox.where('[lane+lane_seq]').between([lane, -Infinity], [lane, Infinity]).last()
        const command: OutboxCommand = {
          id: more.id ?? mintId(),
          lane,
          lane_seq: (last?.lane_seq ?? clock) + 1,
          kind,
          version: 1,
          body: { ...body },
          store_id: mainStore,
          author: { id_user: person.id, name: person.name },
          capture_token: null,
          device_id: deviceId,
          captured: { wall: new Date(clock).toISOString(), time_zone: 'UTC', server_offset_ms: null, monotonic_ms: clock },
          state: 'queued',
          body_hash: null,
          attempts: 0,
          failing_since: null,
          not_before: 0,
          last_error: null,
          created_at: new Date(clock).toISOString(),
          title: more.title,
        }
        await hot.outbox.add(command)
        return { saved: true, command }
      },
      retry: () => Promise.resolve(),
      correct: () => Promise.resolve(),
      discard: (id) => hot.outbox.delete(id),
      exportUnsent: () => Promise.resolve(''),
      importUnsent: () => Promise.resolve({ added: 0, known: 0, problems: [] }),
    },
    frames: mirror,
    mirror: { progress: createStore(() => ({ loading: null, lastPulledAt: null })) },
    drain: () => Promise.resolve(),
    pull: () => Promise.resolve(),
    serverNow: () => clock,
    serverOffsetMs: () => 0,
    openSheet: () => () => undefined,
    isCountOpen: () => Promise.resolve(false),
    presence: createStore(() => ({})),
    storage: {
      state: createStore(() => ({ persistent: null, usedBytes: null, roomBytes: null })),
      askToKeep: () => Promise.resolve(),
      measure: () => Promise.resolve(),
    },
    close: () => Promise.resolve(hot.close()),
  }
  return device
}
