import type { AccessEntry } from '../queries.ts'

/** A line of the access log: the views of one visit, or a single other action. */
export type Visit = { first: AccessEntry; also: readonly AccessEntry[] }

const visitMs = 15 * 60_000
const recordLooks = ['record', '']

/**
 * Groups the entries into visits, newest first.
 * A page also reads parts of the record that it shows, so one view leaves several entries. Each stays readable within
 * its visit.
 */
export function visitsOf(entries: readonly AccessEntry[]): Visit[] {
  const visits: AccessEntry[][] = []
  for (const entry of entries) {
    const last = visits.at(-1)
    const newest = last?.[0]
    if (last && newest && isLook(entry) && isLook(newest) && isSameVisit(newest, entry)) last.push(entry)
    else visits.push([entry])
  }
  return visits.map((looks) => {
    const first = looks.find(isWholeRecord) ?? looks.at(-1)!
    return { first, also: looks.filter((look) => look !== first) }
  })
}

function isLook({ action }: AccessEntry): boolean {
  return action.endsWith('.view')
}

function isWholeRecord({ action, detail }: AccessEntry): boolean {
  return action === 'patient.view' && recordLooks.includes(detail)
}

function isSameVisit(newest: AccessEntry, entry: AccessEntry): boolean {
  const apart = Date.parse(newest.at) - Date.parse(entry.at)
  const isSamePlace = newest.rep === entry.rep && newest.device_id === entry.device_id && newest.offline === entry.offline
  return isSamePlace && newest.delivered_by === entry.delivered_by && newest.reason === entry.reason && apart <= visitMs
}
