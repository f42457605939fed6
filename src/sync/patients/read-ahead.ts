import type { DeviceFact, SessionRow, SettledCommand } from '#src/db/hot/hot.ts'
import { isNewer } from '#src/db/hot/hot-version.ts'
import { type BegunReading, everything, firstRecordsIn, soonPages } from '#src/db/packed/mirror-records.ts'
import { openAsItIs } from '#src/db/hot/open-as-it-is.ts'
import { resultOf } from '#src/db/indexed/request.ts'
import { clockFact } from '#src/sync/device/clock-offset.ts'
import { patientsKeyFact } from '#src/sync/patients/patients-key.ts'
import { guessedPatientsPlace } from '#src/sync/session/stored-tokens.ts'

/** What the small database says of who may see patients here, as it lies there. */
export type HotRecords = {
  session: SessionRow
  /** What lies under the facts of the key for patients and of the server's clock. */
  key: unknown
  clock: unknown
  /** Something was done to patients here that the mirror does not know yet. */
  worksOnPatients: boolean
}

/** Both are read while the code that understands them is on its way, and null where there is nothing to read. */
export type ReadAhead = { hot: Promise<HotRecords | null>; patients: Promise<({ name: string } & BegunReading) | null> }

/** Reads what a search for patients begins with, of them as they lie encrypted. */
export function readAhead(): ReadAhead {
  const place = guessedPatientsPlace()
  return { hot: readHot(), patients: place === null ? Promise.resolve(null) : readPatients(place) }
}

/** Reads past Dexie, and changes nothing. Null where the database is not there, cannot be had, or was written by a newer app. */
export async function readHot(): Promise<HotRecords | null> {
  const database = await openAsItIs(indexedDB, 'lorgnette')
  if (database === null) return null
  try {
    return await recordsOf(database)
  } finally {
    // Whoever wants to change its tables must not wait for this page.
    database.close()
  }
}

const tables = ['session', 'facts', 'outbox', 'settled']

async function recordsOf(database: IDBDatabase): Promise<HotRecords | null> {
  if (isNewer(database.version) || !tables.every((table) => database.objectStoreNames.contains(table))) return null
  const transaction = database.transaction(tables)
  const factOf = async (key: string) => {
    const asking: IDBRequest<DeviceFact | undefined> = transaction.objectStore('facts').get(key)
    return (await resultOf(asking))?.value
  }
  const asking: IDBRequest<SessionRow | undefined> = transaction.objectStore('session').get('session')
  const ofPatients = transaction.objectStore('settled').index('lane')
  const settling: IDBRequest<SettledCommand[]> = ofPatients.getAll(IDBKeyRange.bound('patient:', 'patient;'))
  const waiting = transaction.objectStore('outbox').index('[lane+lane_seq+device_id]')
  const [session, key, clock, unsent, settled] = await Promise.all([
    resultOf(asking),
    factOf(patientsKeyFact),
    factOf(clockFact),
    resultOf(waiting.count(IDBKeyRange.bound(['patient:'], ['patient;']))),
    resultOf(settling),
  ])
  return session ? { session, key, clock, worksOnPatients: unsent > 0 || settled.some(({ own }) => own !== undefined) } : null
}

async function readPatients(name: string): Promise<({ name: string } & BegunReading) | null> {
  const database = await openAsItIs(indexedDB, name)
  if (database === null) return null
  try {
    const records = firstRecordsIn(database.transaction(everything), IDBKeyRange, soonPages)
    records.catch(() => undefined)
    return { name, database, records }
  } catch {
    // Emptied, or made by another app: whoever opens it next sees to it.
    database.close()
    return null
  }
}
