import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { isMatch, type PatientQuery, readCriteria, readLine } from '#contract/patients/patient-search.ts'
import { encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import { type BegunReading, everything, firstRecordsIn, soonPages, type StoredPage } from '#src/db/packed/mirror-records.ts'
import { patientColumns } from '#src/db/mirrors/patient-layout.ts'
import { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { compareKeys } from '#src/db/mirrors/patient-segment.ts'
import { keysOfPatient } from '#src/db/mirrors/patient-layout.ts'
import { resultOf } from '#src/db/indexed/request.ts'
import { testPatient } from '#tests/support/test-patients.ts'

const epoch = '0198c2f4-0000-7000-8000-000000000001'
const today = '2026-11-20'
const opened: PatientMirror[] = []
let key: CryptoKey

const newKey = () => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
beforeAll(async () => {
  key = await newKey()
})
afterEach(() => {
  for (const mirror of opened.splice(0)) mirror.close()
})

function open(indexedDB: IDBFactory, with_ = key): PatientMirror {
  const mirror = new PatientMirror(with_, { indexedDB, IDBKeyRange, name: 'patients-of-test', whenIdle: () => undefined })
  opened.push(mirror)
  return mirror
}

/** Mulberry32: the same patients in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

const firsts = ['Anna', 'Annabel', 'José', 'Mary Ann', 'Søren', 'Zoë', 'D’Arcy', '李', 'Łucja', 'Olu']
const lasts = ['O’Hara', 'Nguyễn', 'van der Berg', 'Smith', 'Smythe', 'Černá', 'Osei-Bonsu', null]
const cities = ['Larkspur', 'Millbrook Falls', 'São Tomé']

function patientOf(nth: number, random: (below: number) => number, more: Partial<Patient> = {}): Patient {
  const digits = () => `5185550${String(random(1000)).padStart(3, '0')}`
  return testPatient(nth + 1, {
    last_name: lasts[random(lasts.length)] ?? null,
    first_name: firsts[random(firsts.length)]!,
    middle_name: random(4) === 0 ? firsts[random(firsts.length)]! : null,
    dob: random(6) === 0 ? null : `19${40 + random(59)}-0${1 + random(9)}-1${random(10)}`,
    street_address: `${random(900)} Quarry Ln`,
    city: cities[random(cities.length)]!,
    state: random(2) === 0 ? 'NY' : 'IL',
    zip_code: `12${String(random(1000)).padStart(3, '0')}`,
    phone: random(10) === 0 ? null : digits(),
    phone_home: random(4) === 0 ? digits() : null,
    inactive: random(12) === 0,
    priority: random(20) === 0 ? 'vip' : 'normal',
    preferred_provider_id: random(2) === 0 ? 4 : null,
    last_exam_date: random(2) === 0 ? `202${random(6)}-05-05` : null,
    ...more,
  })
}

const manyOf = (count: number, seed: number) => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, nth) => patientOf(nth, random))
}
const rowOf = (patient: Patient): unknown[] =>
  patientColumns.map((column) => Object.entries(patient).find(([name]) => name === column)?.[1])
const pageOf = (patients: Patient[], cursor: string, removed: string[] = []) => ({
  columns: [...patientColumns],
  rows: patients.map(rowOf),
  removed,
  cursor,
  epoch,
})

async function load(mirror: PatientMirror, patients: Patient[]) {
  await mirror.beginReplace(patients.length)
  for (let from = 0; from < patients.length; from += 2000)
    await mirror.applyPage(pageOf(patients.slice(from, from + 2000), `after ${from}`))
  await mirror.endReplace('end', epoch)
}

const queries: [string, PatientQuery][] = [
  ...[
    'a',
    'an',
    'anna',
    'jose',
    'ohara',
    'berg van',
    'zo',
    '李',
    'lucja',
    'ann mary',
    'smith 05/15/1950',
    '5185550',
    '5550 12',
    '555012',
    'x',
    '07/04/1971',
    '#349',
    '0349',
    'an 1950',
  ].map((line): [string, PatientQuery] => [line, readLine(line)]),
  ...[
    { last_name: 'sm' },
    { name: 'ann', city: 'lark' },
    { zip: '1201', inactive: 'true' as const },
    { age: '56' },
    { priority: 'vip' as const },
    { state: 'IL' as const, preferred_provider: '4', name: 'o' },
    { last_exam: '01/01/2025', phone: '55501' },
    { address: 'quarry sao' },
    { dob: '1971' },
    { phone: '17', name: 'an' },
  ].map((criteria): [string, PatientQuery] => [JSON.stringify(criteria), readCriteria(criteria)]),
]

function expectSameAs(mirror: PatientMirror, patients: readonly Patient[]) {
  for (const [name, query] of queries) {
    const expected = patients
      .filter((patient) => isMatch(patient, query, today))
      .sort((a, b) => compareKeys(keysOfPatient(a), keysOfPatient(b)))
      .map(({ id }) => id)
    for (const limit of [20, 10_000]) {
      expect(
        mirror.search(query, limit, today).map(({ id }) => id),
        `${name}, ${limit}`,
      ).toEqual(expected.slice(0, limit))
    }
  }
}

test('finds the same patients as a filter over all rows, in the same order: loaded, changed, folded and read again', async () => {
  const disk = new IDBFactory()
  const mirror = open(disk)
  const patients = manyOf(6000, 7)
  await load(mirror, patients)
  expectSameAs(mirror, patients)

  const random = randomFrom(8)
  const changed = Array.from({ length: 300 }, (_, nth) => patientOf(random(6500), random, { revision: 10_000 + nth }))
  const removed = ['0198c2f4-0000-7000-8000-000000000011', '0198c2f4-0000-7000-8000-000000000222']
  await mirror.applyPage(pageOf(changed, 'changed', removed))
  const now = new Map(patients.map((patient) => [patient.id, patient]))
  for (const patient of changed) now.set(patient.id, patient)
  for (const id of removed) now.delete(id)
  expectSameAs(mirror, [...now.values()])
  expect(mirror.size()).toBe(now.size)

  await mirror.fold()
  expectSameAs(mirror, [...now.values()])
  mirror.close()

  const again = open(disk)
  await again.ready()
  expectSameAs(again, [...now.values()])
  const [one] = changed
  expect(again.get(one!.id)).toEqual(now.get(one!.id))
  expect(await again.cursor()).toEqual({ epoch, cursor: 'changed', complete: true })
})

test('a search that found nobody finds names that are written apart or with a slip, in list order, by its other criteria', async () => {
  const mirror = open(new IDBFactory())
  const random = randomFrom(3)
  const named = (nth: number, first_name: string, last_name: string, dob: string) =>
    patientOf(nth, random, { first_name, last_name, middle_name: null, pref: null, dob, inactive: false })
  const patients = [
    named(1, 'Maria', 'Van Kirk', '1970-01-01'),
    named(2, 'Anna', 'Vankirk', '1980-01-01'),
    named(3, 'Adaeze', 'Okafor', '1990-01-01'),
  ]
  await load(mirror, patients)
  const close = (line: string) => mirror.searchClose(readLine(line), 10, today).map(({ first_name }) => first_name)
  expect(close('vankirk')).toEqual(['Maria', 'Anna'])
  expect(close('vankirk 1980')).toEqual(['Anna'])
  expect(close('okafro adaeeze')).toEqual(['Adaeze'])
  await mirror.applyPage(pageOf([named(4, 'Ada', 'Okafor', '1991-01-01')], 'changed'))
  expect(close('okafro')).toEqual(['Ada', 'Adaeze'])
})

test('a patient who has been read can be found while the others are still read', async () => {
  const disk = new IDBFactory()
  const first = open(disk)
  await load(first, manyOf(9000, 5))
  first.close()

  const mirror = open(disk)
  await mirror.moreRead()
  expect(mirror.isReady()).toBe(false)
  const early = mirror.size()
  expect(early).toBeGreaterThan(0)
  expect(early).toBeLessThan(9000)
  expect(mirror.search(readLine('smith'), 20, today)).toHaveLength(20)
  await mirror.ready()
  expect(mirror.size()).toBe(9000)
})

/** All content of a disk, as text. */
async function textsOn(disk: IDBFactory): Promise<string> {
  const texts: string[] = []
  for (const { name } of await disk.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = disk.open(name ?? '')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('it could not be opened'))
    })
    for (const store of database.objectStoreNames) {
      const all = await new Promise<unknown[]>((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll()
        request.onsuccess = () => resolve(request.result)
      })
      texts.push(
        JSON.stringify(all, (_key, value: unknown) => (value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value)),
      )
    }
    database.close()
  }
  return texts.join('\n')
}

test('no patient data is on the disk in the clear: neither loaded nor changed nor folded', async () => {
  const disk = new IDBFactory()
  const mirror = open(disk)
  await load(mirror, manyOf(300, 3))
  await mirror.applyPage(pageOf([patientOf(5, randomFrom(1), { last_name: 'Quillfeather', revision: 900 })], 'changed'))
  const before = await textsOn(disk)
  await mirror.fold()
  for (const text of [before, await textsOn(disk)]) {
    expect(text.length).toBeGreaterThan(50_000)
    expect(text).not.toMatch(/Quillfeather|quillfeather|Smith|smith|Quarry|Larkspur|5185550|0198c2f4-0000-7000-8000-000000000005/)
  }
})

test('the user goes first: a search is answered while the remaining rows wait for an idle moment', async () => {
  const disk = new IDBFactory()
  const before = open(disk)
  await load(before, manyOf(6000, 4))
  before.close()
  let goOn = () => {}
  vi.stubGlobal('requestIdleCallback', (work: () => void) => (goOn = work))
  const mirror = open(disk)
  const all = mirror.ready()
  await mirror.moreRead()
  expect(mirror.search(readLine('a'), 20, today)).toHaveLength(20)
  expect(mirror.size()).toBeLessThan(6000)
  expect(mirror.isReady()).toBe(false)
  vi.stubGlobal('requestIdleCallback', (work: () => void) => work())
  goOn()
  await all
  expect(mirror.size()).toBe(6000)
  vi.unstubAllGlobals()
})

test('with another key nothing can be read', async () => {
  const disk = new IDBFactory()
  const mirror = open(disk)
  await load(mirror, manyOf(10, 3))
  mirror.close()
  const other = open(disk, await newKey())
  await expect(other.ready()).rejects.toThrow(UnreadableWithKey)
  expect(other.size()).toBe(0)
})

/** A page in the form of older apps: its two texts encrypted apart, or as one with the iv before it. */
const keptBefore: Record<string, (keys: string, rows: string) => Promise<Pick<StoredPage, 'keys' | 'rows'>>> = {
  apart: async (keys, rows) => ({ keys: await encryptedCodec(key).encode(keys), rows: await encryptedCodec(key).encode(rows) }),
  'as one': async (keys, rows) => ({ keys: '', rows: await encryptedCodec(key).encode(`${keys}\n${rows}`) }),
}

/** Rewrites every page of a disk in the form of older apps. */
async function keepAsBefore(disk: IDBFactory, asBefore: (typeof keptBefore)[string]): Promise<number> {
  const { joined } = encryptedCodec(key)
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = disk.open('patients-of-test')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('it could not be opened'))
  })
  const pages = await new Promise<StoredPage[]>((resolve) => {
    const request: IDBRequest<StoredPage[]> = database.transaction('pages').objectStore('pages').getAll()
    request.onsuccess = () => resolve(request.result)
  })
  const before: StoredPage[] = []
  for (const { generation, number, ...stored } of pages) {
    const [keys = '', ...rows] = new TextDecoder().decode(await joined!.decode(stored)).split('\n')
    before.push({ generation, number, ...(await asBefore(keys, rows.join('\n'))) })
  }
  await new Promise<void>((resolve) => {
    const transaction = database.transaction('pages', 'readwrite')
    for (const page of before) transaction.objectStore('pages').put(page)
    transaction.oncomplete = () => resolve()
  })
  database.close()
  return before.length
}

test.each(Object.entries(keptBefore))(
  'pages that an older app encrypted %s are read, and written in the new form when they change',
  async (_, asBefore) => {
    const disk = new IDBFactory()
    const rows = manyOf(300, 8)
    const first = open(disk)
    await load(first, rows)
    first.close()
    expect(await keepAsBefore(disk, asBefore)).toBeGreaterThan(1)

    const mirror = open(disk)
    await mirror.ready()
    expectSameAs(mirror, rows)
    const renamed = { ...rows[7]!, last_name: 'Quillfeather', revision: 900 }
    await mirror.applyPage(pageOf([renamed], 'changed'))
    await mirror.fold()
    mirror.close()

    const again = open(disk)
    await again.ready()
    expectSameAs(
      again,
      rows.map((row) => (row.id === renamed.id ? renamed : row)),
    )
  },
)

test('a name comes back unchanged with any characters: loaded, changed, folded and read again', async () => {
  const odd = [
    'Line\nBreak',
    'Tab\tand "quotes"\\',
    'One\u0001Two',
    'Half \ud83d',
    '\udc00 half',
    '👩🏽‍⚕️ Zoë',
    'שרה כהן',
    '\u2028',
    'ﬁ',
    '\u0000',
    '],["x',
  ]
  const rows = odd.flatMap((name, nth) => [
    patientOf(nth, randomFrom(nth), { last_name: name, first_name: 'Anna' }),
    patientOf(100 + nth, randomFrom(nth), { last_name: null, first_name: name, pref: name, alerts: name }),
  ])
  const disk = new IDBFactory()
  const mirror = open(disk)
  await load(mirror, rows)
  const changed = rows.map((row) => ({ ...row, middle_name: row.first_name, revision: 900 }))
  for (const [now, cursor] of [
    [rows, 'loaded'],
    [changed, 'changed'],
  ] as const) {
    if (cursor === 'changed') await mirror.applyPage(pageOf(changed, cursor))
    for (const step of [() => undefined, () => mirror.fold()]) {
      await step()
      const again = open(disk)
      await again.ready()
      for (const { id, ...row } of now) for (const window of [mirror, again]) expect(window.get(id)).toEqual({ id, ...row })
      expectSameAs(again, [...now])
      expect(again.search(readLine('anna'), 50, today)).toHaveLength(now.filter((row) => isMatch(row, readLine('anna'), today)).length)
    }
  }
})

test('a mirror continues a reading that was begun: later writes are there, and a failed reading is repeated', async () => {
  const disk = new IDBFactory()
  const before = open(disk)
  const patients = manyOf(700, 6)
  await load(before, patients)
  const readAhead = async () => {
    const database = await resultOf(disk.open('patients-of-test'))
    const records = await firstRecordsIn(database.transaction(everything), IDBKeyRange, soonPages)
    return { database, records: Promise.resolve(records) }
  }
  const openWith = (begun: BegunReading) => {
    const mirror = new PatientMirror(key, { indexedDB: disk, IDBKeyRange, name: 'patients-of-test', whenIdle: () => undefined, begun })
    opened.push(mirror)
    return mirror
  }
  const begun = await readAhead()
  const changed = { ...patients[3]!, last_name: 'Quillfeather', revision: 900 }
  await before.applyPage(pageOf([changed], 'changed'))
  const mirror = openWith(begun)
  await mirror.ready()
  expectSameAs(mirror, [...patients.filter(({ id }) => id !== changed.id), changed])

  const failing = openWith({ ...(await readAhead()), records: Promise.reject(new Error('The disk did not answer')) })
  await failing.ready()
  expect(failing.size()).toBe(700)

  // Folded meanwhile: the pages read before are no longer those on the disk.
  const stale = await readAhead()
  await before.fold()
  const after = openWith(stale)
  await after.ready()
  expectSameAs(after, [...patients.filter(({ id }) => id !== changed.id), changed])
})
