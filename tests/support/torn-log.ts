import fs from 'node:fs'
import path from 'node:path'

/** Three of the seven bytes that begin a record: what a kill in the middle of writing may leave. */
const halfARecord = Buffer.from([0x4c, 0x6f, 0x72])

/** The browser's log of what a tablet keeps, before it is moved to tables. */
export type TornLog = {
  /** The browser has moved everything out of it and writes to another. */
  isLeft(): boolean
}

/** Leaves half a record at the end of the log of a tablet that is dead. */
export function tearLog(profile: string): TornLog {
  const databases = path.join(profile, 'Default', 'IndexedDB')
  const logs = fs.readdirSync(databases, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log'))
  const newest = logs.toSorted().at(-1)
  if (newest === undefined) throw new Error(`There is no log in ${databases}`)
  const file = path.join(databases, newest)
  fs.appendFileSync(file, halfARecord)
  return { isLeft: () => !fs.existsSync(file) }
}
