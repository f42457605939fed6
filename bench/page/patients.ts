import { readCriteria, readLine, type PatientQuery } from '#contract/patients/patient-search.ts'
import { fold } from '#contract/core/folding.ts'
import { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import type { PatientStock } from '../patients.ts'
import { loadInParts } from './mirror-parts.ts'
import { openOurs } from './our-store.ts'
import { chunksOf, deleteDatabase, hits } from './row-store.ts'
import { breathe, timed, timedEach } from './timing.ts'

export type PatientContestant = 'ours, encrypted' | 'raw, in the clear'

const names = { 'ours, encrypted': 'bench-patients-ours', 'raw, in the clear': 'bench-patients-raw' } as const
const today = '2026-11-01'
const epoch = 'bench'

let stock: Promise<PatientStock> | null = null
/** For about so long, ms, the browser still writes and deletes in the background for the contestant before. */
const diskRests = 2000

const fetchStock = () => (stock ??= fetch('/patients').then((answer) => answer.json() as Promise<PatientStock>))

/** Takes all patients into an empty database; ms until a search answers. */
export async function fillPatients(contestant: PatientContestant): Promise<number> {
  const given = await fetchStock()
  if (contestant === 'raw, in the clear') return await fillRaw(given)
  const mirror = await fillOurs(given)
  mirror.opened.close()
  return mirror.took
}

async function fillOurs({ columns, pages }: PatientStock): Promise<{ opened: PatientMirror; took: number }> {
  await deleteDatabase(names['ours, encrypted'])
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const opened = new PatientMirror(key, { name: names['ours, encrypted'] })
  const total = pages.flat().length
  await breathe(diskRests)
  const took = await timed(async () => {
    await opened.ready()
    await loadInParts(opened, columns, pages, epoch)
    if (opened.search(readLine('a'), hits, today).length === 0) throw new Error('The mirror finds nobody')
  })
  if (opened.size() !== total) throw new Error(`The mirror has ${opened.size()} of ${total} patients`)
  return { opened, took }
}

/** One record a row, four indexes, in the clear. */
async function fillRaw({ columns, pages }: PatientStock): Promise<number> {
  await deleteDatabase(names['raw, in the clear'])
  const rows = pages.flat().map((row) => {
    const patient = Object.fromEntries(columns.map((column, index) => [column, row[index]]))
    return { ...patient, sort_key: fold(`${textOf(patient['last_name'])} ${textOf(patient['first_name'])}`) }
  })
  await breathe(diskRests)
  return await timed(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(names['raw, in the clear'], 1)
      request.onupgradeneeded = () => {
        const patients = request.result.createObjectStore('patients', { keyPath: 'id' })
        for (const index of ['sort_key', 'dob', 'phone', 'store_id']) patients.createIndex(index, index)
      }
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The database does not open'))
    })
    for (const chunk of chunksOf(rows)) {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction('patients', 'readwrite')
        for (const row of chunk) transaction.objectStore('patients').put(row)
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted'))
      })
    }
    database.close()
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export type PatientQuestion = 'first letters of a name' | 'digits within a phone number' | 'two names and a year of birth'

/** Questions to the mirror, with the chain's frames open in the same tab. @returns ms by question and block */
export async function askPatients(blocks: number, size: number): Promise<Record<PatientQuestion, number[][]>> {
  const frames = await openOurs()
  const { opened } = await fillOurs(await fetchStock())
  const people = (await fetchStock()).pages.flat()
  const columns = (await fetchStock()).columns
  const of = (row: unknown[], column: string) => textOf(row[columns.indexOf(column)])
  const queries: Record<PatientQuestion, (row: unknown[], nth: number) => PatientQuery> = {
    'first letters of a name': (row, nth) => readLine(of(row, 'last_name').slice(0, 1 + (nth % 4)) || 'a'),
    'digits within a phone number': (row, nth) => readCriteria({ phone: of(row, 'phone').slice(3, 6 + (nth % 4)) || '555' }),
    'two names and a year of birth': (row) => readLine(`${of(row, 'first_name')} ${of(row, 'last_name')} ${of(row, 'dob')}`.trim()),
  }
  const times: Record<string, number[][]> = {}
  let place = 0
  for (let block = -1; block < blocks; block++) {
    for (const [question, queryOf] of Object.entries(queries)) {
      const asked = Array.from({ length: size }, (_, nth) => {
        place = (place + 7919) % people.length
        return queryOf(people[place] ?? [], nth)
      })
      const took = await timedEach(asked, (query) => Promise.resolve(opened.search(query, hits, today)))
      // The first block warms everything up and is thrown away.
      if (block >= 0) (times[question] ??= []).push(took)
      await breathe()
    }
  }
  opened.close()
  await frames.close()
  return times as Record<PatientQuestion, number[][]>
}
