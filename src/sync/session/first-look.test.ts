import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HomeInfo } from '#contract/people/session.ts'
import { HotDatabase, type OutboxCommand, type SessionRow } from '#src/db/hot/hot.ts'
import { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { clockFact } from '#src/sync/device/clock-offset.ts'
import { firstLook } from '#src/sync/session/first-look.ts'
import { openFirstPatients } from '#src/sync/patients/first-patients.ts'
import { putAwayOpenPatients, takeOpenPatients } from '#src/sync/patients/open-patients.ts'
import { importPatientsKey, markOfKey, patientsKeyRow, patientsPlace } from '#src/sync/patients/patients-key.ts'
import { readAhead, readHot } from '#src/sync/patients/read-ahead.ts'
import { rememberPatientsPlace } from '#src/sync/session/stored-tokens.ts'
import { patientColumns } from '#src/db/mirrors/patient-layout.ts'
import { person } from '#tests/support/fake-clinic.ts'

const now = Date.parse('2026-11-24T14:00:00.000Z')
const { access_token, refresh_token, ...signedIn } = person('ana')
const home: HomeInfo = { ...signedIn, permissions: ['patient.read'] }
const row: SessionRow = { key: 'session', access_token, refresh_token, home, serial: 4 }

let hot: HotDatabase
let key: CryptoKey
let stored: Map<string, string>
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('localStorage', storage)
  vi.spyOn(Date, 'now').mockReturnValue(now)
  stored = new Map([
    ['AccessToken', access_token],
    ['RefreshToken', refresh_token],
    ['SessionSerial', '4'],
    ['LastTouch', String(now - 60_000)],
  ])
  key = await importPatientsKey(crypto.subtle, btoa('0123456789abcdef0123456789abcdef'))
  hot = new HotDatabase('lorgnette', { indexedDB, IDBKeyRange })
  await hot.openSafely()
  await hot.session.put(row)
  await hot.facts.put(patientsKeyRow(home, key))
})
afterEach(() => {
  putAwayOpenPatients()
  hot.close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const look = async () => firstLook(await readHot(), storage, now)

/** Work on a patient as the outbox, or what is settled, keeps it. */
const command = {
  id: 'c-1',
  lane: 'patient:p-1',
  lane_seq: 1,
  device_id: 'd-1',
  state: 'queued',
} as unknown as OutboxCommand

describe('who may search before the device is open', () => {
  test('a person who is signed in, with the key and the clock that were kept', async () => {
    await hot.facts.put({ key: clockFact, value: { ms: 2500, wall: now - 1000 } })
    expect(await look()).toMatchObject({ home, serverOffsetMs: 2500 })
    expect(await markOfKey(crypto.subtle, (await look())!.key)).toBe(await markOfKey(crypto.subtle, key))
  })

  test('a person who signed in without a connection, until that has run out', async () => {
    for (const name of ['AccessToken', 'RefreshToken']) stored.delete(name)
    const offline = { by: 'password' as const, until: now + 1000 }
    await hot.session.put({ ...row, access_token: null, refresh_token: null, offline })
    expect(await look()).toMatchObject({ home })
    expect(firstLook(await readHot(), storage, now + 1001)).toBeNull()
  })

  test.each<[string, () => unknown]>([
    ['nobody is signed in', () => hot.session.put({ ...row, access_token: null, refresh_token: null, home: null })],
    ['nothing is known of anybody', () => hot.session.clear()],
    ['the tablet is locked', () => hot.session.put({ ...row, locked: true })],
    ['it was left alone', () => stored.set('LastTouch', String(now - 15 * 60_000))],
    ['someone took the tokens away', () => ['AccessToken', 'RefreshToken'].forEach((name) => stored.delete(name))],
    ['the tokens are without a person', () => hot.session.put({ ...row, home: null })],
    ['the person sees no patients', () => hot.session.put({ ...row, home: { ...home, permissions: ['count.scan'] } })],
    ['there is no key', () => hot.facts.clear()],
    ['the key is another person’s', () => hot.facts.put(patientsKeyRow({ ...home, id_user: 99 }, key))],
    ['the key is another store’s', () => hot.facts.put(patientsKeyRow({ ...home, store_id: 2 }, key))],
    ['work on patients waits', () => hot.outbox.put(command)],
    [
      'what was done has not come back',
      () => hot.settled.put({ id: 'c-1', lane: 'patient:p-1', settled_at: '', own: new Uint8Array([1]) } as never),
    ],
  ])('nobody, where %s', async (_when, change) => {
    await change()
    expect(await look()).toBeNull()
  })

  test('work elsewhere, and what has come back, stand in nobody’s way', async () => {
    await hot.outbox.put({ ...command, lane: 'count:s-1' })
    await hot.settled.put({ id: 'c-2', lane: 'patient:p-1', settled_at: '' } as never)
    expect(await look()).toMatchObject({ home })
  })

  test('nobody, where a newer app has written, and nothing is made where there is no database', async () => {
    hot.close()
    const newer = indexedDB.open('lorgnette', 20)
    await new Promise((resolve) => (newer.onsuccess = resolve))
    newer.result.close()
    expect(await look()).toBeNull()
    vi.stubGlobal('indexedDB', new IDBFactory())
    expect(await look()).toBeNull()
    expect(await indexedDB.databases()).toEqual([])
  })

  test('keeps nobody from changing the tables', async () => {
    await look()
    hot.close()
    const upgrade = indexedDB.open('lorgnette', 30)
    const outcome = new Promise((resolve) => {
      upgrade.onblocked = () => resolve('blocked')
      upgrade.onsuccess = () => resolve('open')
    })
    expect(await outcome).toBe('open')
    upgrade.result.close()
  })
})

describe('the patients that are opened before the device', () => {
  const id = '0199d0f0-0000-7000-8000-000000000001'
  let name: string

  beforeEach(async () => {
    name = patientsPlace('lorgnette', home.store_id) + (await markOfKey(crypto.subtle, key))
    const mirror = new PatientMirror(key, { name, indexedDB, IDBKeyRange })
    const patient: Record<string, unknown> = { id, first_name: 'Bảo', last_name: 'Nguyễn', dob: '1985-03-02', inactive: false, revision: 1 }
    await mirror.beginReplace(1)
    const rows = [patientColumns.map((column) => patient[column] ?? null)]
    await mirror.applyPage({ columns: [...patientColumns], rows, removed: [], cursor: 'c', epoch: 'e' })
    await mirror.endReplace('c', 'e')
    mirror.close()
  })

  const opened = async () => {
    const found = await openFirstPatients(readAhead())
    await found?.mirror.ready()
    return found?.mirror.get(id)?.last_name
  }

  test('are found with what was read ahead, and without', async () => {
    expect(await opened()).toBe('Nguyễn')
    rememberPatientsPlace(storage, name)
    expect(await opened()).toBe('Nguyễn')
  })

  test('are handed to whoever opens the same next, once', async () => {
    await opened()
    expect(takeOpenPatients('another')).toBeNull()
    const taken = takeOpenPatients(name)
    expect(taken?.get(id)?.last_name).toBe('Nguyễn')
    expect(takeOpenPatients(name)).toBeNull()
    taken?.close()
  })

  test('of another store are read by nobody, and closed', async () => {
    await hot.session.put({ ...row, home: { ...home, store_id: 2 } })
    await hot.facts.put(patientsKeyRow({ ...home, store_id: 2 }, key))
    rememberPatientsPlace(storage, name)
    expect(await opened()).toBeUndefined()
    await expectFree(name)
  })

  test('stay closed to whoever may not see them', async () => {
    await hot.session.put({ ...row, locked: true })
    rememberPatientsPlace(storage, name)
    expect(await openFirstPatients(readAhead())).toBeNull()
    await expectFree(name)
  })

  test('a place that is guessed and gone is not made', async () => {
    rememberPatientsPlace(storage, 'lorgnette-patients-1-00000000')
    await opened()
    expect(new Set((await indexedDB.databases()).map((database) => database.name))).toEqual(new Set(['lorgnette', name]))
  })
})

/** Nobody holds the database: it can be deleted at once. */
async function expectFree(name: string): Promise<void> {
  const deleting = indexedDB.deleteDatabase(name)
  const outcome = new Promise((resolve) => {
    deleting.onblocked = () => resolve('blocked')
    deleting.onsuccess = () => resolve('deleted')
  })
  expect(await outcome).toBe('deleted')
}
