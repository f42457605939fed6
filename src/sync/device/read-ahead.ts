import type { DeviceFact, SessionRow } from '#src/db/hot/hot.ts'
import { isNewer } from '#src/db/hot/hot-version.ts'
import { openAsItIs } from '#src/db/hot/open-as-it-is.ts'
import { resultOf } from '#src/db/indexed/request.ts'
import { type BegunReading, everything, firstRecordsIn, soonPages } from '#src/db/packed/mirror-records.ts'
import { clockFact } from '#src/sync/device/clock-offset.ts'
import { patientsKeyFact } from '#src/sync/patients/patients-key.ts'
import { guessedPatientsPlace } from '#src/sync/session/stored-tokens.ts'

/** The records of the hot database that a page needs first. */
export type FirstFacts = {
  session: SessionRow
  /** The values under the facts of the device, its wipe notice, the patients’ key and the server’s clock. */
  device: unknown
  wiped: unknown
  key: unknown
  clock: unknown
  /** The number of waiting commands. */
  waiting: number
}

export type BegunPatients = { name: string } & BegunReading

/** Records that are read while the code of the app loads. Null means that there is nothing to read. */
export type ReadAhead = { facts: Promise<FirstFacts | null>; patients: Promise<BegunPatients | null> }

// The script in the page shares only the window with the modules.
declare global {
  var readAhead: ReadAhead | undefined
}

/**
 * Starts to read the records that every page needs, and the first patients when the page shows patients. Patients stay
 * encrypted.
 */
export function beginReadAhead(showsPatients: boolean): void {
  const place = showsPatients ? guessedPatientsPlace() : null
  const ahead: ReadAhead = { facts: readFacts(), patients: place === null ? Promise.resolve(null) : readPatients(place) }
  // The code that takes a reading handles its failure.
  for (const reading of [ahead.facts, ahead.patients]) reading.catch(() => undefined)
  globalThis.readAhead = ahead
}

/** Returns the readings, once; null when there are none. */
export function takeReadAhead(): ReadAhead | null {
  const ahead = globalThis.readAhead ?? null
  globalThis.readAhead = undefined
  return ahead
}

/**
 * Reads without Dexie, and changes nothing. Null when the database is missing, cannot be opened, or belongs to a newer
 * app.
 */
async function readFacts(): Promise<FirstFacts | null> {
  const database = await openAsItIs(indexedDB, 'lorgnette')
  if (database === null) return null
  try {
    return await factsOf(database)
  } finally {
    // A newer app that changes the tables must not wait for this page.
    database.close()
  }
}

const tables = ['session', 'facts', 'outbox']

async function factsOf(database: IDBDatabase): Promise<FirstFacts | null> {
  if (isNewer(database.version) || !tables.every((table) => database.objectStoreNames.contains(table))) return null
  const transaction = database.transaction(tables)
  const factOf = async (key: string) => {
    const asking: IDBRequest<DeviceFact | undefined> = transaction.objectStore('facts').get(key)
    return (await resultOf(asking))?.value
  }
  const asking: IDBRequest<SessionRow | undefined> = transaction.objectStore('session').get('session')
  const [session, device, wiped, key, clock, waiting] = await Promise.all([
    resultOf(asking),
    factOf(deviceFact),
    factOf(wipedFact),
    factOf(patientsKeyFact),
    factOf(clockFact),
    resultOf(transaction.objectStore('outbox').count()),
  ])
  return session ? { session, device, wiped, key, clock, waiting } : null
}

/** The facts with this device's identity, and with the note that it was wiped. */
export const deviceFact = 'device'
export const wipedFact = 'warning:wiped'

async function readPatients(name: string): Promise<BegunPatients | null> {
  const database = await openAsItIs(indexedDB, name)
  if (database === null) return null
  try {
    const records = firstRecordsIn(database.transaction(everything), IDBKeyRange, soonPages)
    records.catch(() => undefined)
    return { name, database, records }
  } catch {
    // The database is empty, or another app made it. The next code to open it repairs it.
    database.close()
    return null
  }
}
