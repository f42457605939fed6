import fs from 'node:fs'
import path from 'node:path'

/** Three of the seven bytes that start a record: a kill during a write can leave them. */
const halfARecord = Buffer.from([0x4c, 0x6f, 0x72])

/** A log of the browser's database, before the browser moves its rows to tables. */
export type TornLog = {
  /** Returns true once the browser has moved all rows out of the log and writes to another one. */
  isLeft(): boolean
}

/** Leaves half a record at the end of a dead tablet's log. */
export function tearLog(profile: string): TornLog {
  const databases = path.join(profile, 'Default', 'IndexedDB')
  const logs = fs.readdirSync(databases, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log'))
  const newest = logs.toSorted().at(-1)
  if (newest === undefined) throw new Error(`There is no log in ${databases}`)
  const file = path.join(databases, newest)
  fs.appendFileSync(file, halfARecord)
  return { isLeft: () => !fs.existsSync(file) }
}
