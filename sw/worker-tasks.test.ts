import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HotDatabase, type OutboxCommand } from '#src/db/hot/hot.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeLocks } from '#tests/support/fake-locks.ts'
import { letGo, untilLetGo } from './let-go.ts'
import { drainInWorker, keepReferenceLists } from './worker-tasks.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
const device = '0199d0f0-0000-7000-8000-000000000003'
let clinic: FakeClinic
let hot: HotDatabase
let surprises: unknown[]

beforeEach(async () => {
  clinic = new FakeClinic()
  surprises = []
  vi.stubGlobal('reportError', (error: unknown) => surprises.push(error))
  vi.stubGlobal('fetch', clinic.answer)
  vi.stubGlobal('navigator', { locks: new FakeLocks() })
  hot = new HotDatabase()
  await hot.openSafely()
  const { access_token, refresh_token, ...home } = person('ben')
  await hot.session.put({ key: 'session', access_token, refresh_token, home, serial: 1 })
})
afterEach(async () => {
  expect(surprises).toEqual([])
  vi.unstubAllGlobals()
  hot.close()
  await Dexie.delete('lorgnette')
})

function scan(number: number, more: Partial<OutboxCommand> = {}): OutboxCommand {
  return {
    id: `0199d0f0-0000-7000-8000-00000000010${number}`,
    lane: `count:${sheet}`,
    lane_seq: number,
    kind: 'count.scan',
    version: 1,
    body: { id_count_sheet: sheet, raw_code: `${number}`, id_inventory: null, via: 'scanner', previous_scan: null },
    store_id: 1,
    author: { id_user: 2, name: 'Ben Halvorsen' },
    capture_token: 'capture-ben',
    device_id: device,
    captured: { wall: '2026-11-20T14:00:00.000Z', time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: 1 },
    state: 'queued',
    body_hash: null,
    attempts: 0,
    failing_since: null,
    not_before: 0,
    last_error: null,
    created_at: '2026-11-20T14:00:00.000Z',
    title: 'Scan',
    ...more,
  }
}

describe('the answer to Background Sync', () => {
  test('is done when nothing is left', async () => {
    await hot.outbox.bulkAdd([scan(1), scan(2)])
    await drainInWorker()
    expect(clinic.applied.size).toBe(2)
  })

  test('is failed when the server was not reached', async () => {
    await hot.outbox.add(scan(1))
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(drainInWorker()).rejects.toThrow()
  })

  test('is failed when the server answered and work is left', async () => {
    await hot.outbox.add(scan(1))
    clinic.refusals.set('count.scan', { status: 503, code: 'database-unreachable' })
    await expect(drainInWorker()).rejects.toThrow('Work is left')
  })

  test('is failed when a new version takes over first', async () => {
    const sending = untilLetGo(new Promise(() => undefined))
    letGo()
    await expect(sending).rejects.toThrow('takes over')
  })

  test('is done when all that is left waits for a person', async () => {
    await hot.outbox.bulkAdd([scan(1), scan(2)])
    clinic.refusals.set(scan(1).id, { status: 422, code: 'request-invalid' })
    await drainInWorker()
    expect(await hot.outbox.count()).toBe(1)
  })
})

describe('reference lists', () => {
  const ask = () => {
    const lists = keepReferenceLists('https://clinic.example/')
    const headers = { authorization: 'Bearer access-1' }
    return lists.answer(new Request('https://clinic.example/api/inventory/brands', { headers }), () => undefined)
  }

  test.each([
    '/api/patient/file?id_patient=0199f0a0-0000-7000-8000-00000000dead',
    '/api/patient/file/0199f0a0-0000-7000-8000-00000000dead',
    '/api/patient/file/0199f0a0-0000-7000-8000-00000000dead/content',
    '/upload/doc-0123456789abcdef0123456789abcdef',
  ])('leave %s to the network: nothing of a patient is kept', (address) => {
    const lists = keepReferenceLists('https://clinic.example/')
    const headers = { authorization: 'Bearer access-1' }
    expect(lists.answer(new Request(`https://clinic.example${address}`, { headers }), () => undefined)).toBeNull()
  })

  test('come from the server when the browser does not keep them', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(json(200, ['Aspen'])))
    vi.stubGlobal('caches', { open: () => new Promise(() => undefined) })
    expect(await (await ask())?.json()).toEqual(['Aspen'])
  })

  test('are cut when a new version takes over', async () => {
    vi.stubGlobal('caches', { open: () => Promise.resolve({ match: () => undefined, put: () => undefined }) })
    const asked = vi.fn(
      (_request: Request, { signal }: RequestInit) =>
        new Promise<Response>((_, refuse) => (signal!.onabort = () => refuse(signal!.reason))),
    )
    vi.stubGlobal('fetch', asked)
    const answer = ask()
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    letGo()
    await expect(answer).rejects.toThrow()
  })

  test('open the database once, and close it for a newer version of the app', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(json(200, [])))
    vi.stubGlobal('caches', { open: () => Promise.resolve({ match: () => undefined, put: () => undefined }) })
    const opening = vi.spyOn(HotDatabase.prototype, 'openSafely')
    await ask()
    await ask()
    expect(opening).toHaveBeenCalledTimes(1)
    hot.close()
    const newer = new Dexie('lorgnette')
    newer.version(2).stores({ patients: 'id' })
    await newer.open()
    newer.close()
    await ask()
    expect(opening).toHaveBeenCalledTimes(2)
    opening.mockRestore()
  })

  // Keep this test last: from here on the worker waits for that database.
  test('come from the server when the browser does not say whose lists it has', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(json(200, ['Aspen'])))
    const opening = vi.spyOn(HotDatabase.prototype, 'openSafely').mockReturnValue(new Promise(() => undefined))
    expect(await (await ask())?.json()).toEqual(['Aspen'])
    expect(opening).toHaveBeenCalledTimes(1)
    opening.mockRestore()
  })
})
