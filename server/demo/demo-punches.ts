import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type PunchRow = Insertable<Schema['punches']> & { id_user: number }
type ReviewRow = Insertable<Schema['punch_reviews']>
export type DemoPunches = { punches: PunchRow[]; reviews: ReviewRow[] }

const store = demoStores[0]

/**
 * Everyone's punches of the last seven days, each day with a lunch. Sundays are closed. One punch waits for the
 * manager.
 */
export function demoPunches(calendar: DemoCalendar, random: SeededRandom): DemoPunches {
  const made: DemoPunches = { punches: [], reviews: [] }
  for (const person of demoPeople) {
    for (let daysAgo = 7; daysAgo >= 1; daysAgo--) {
      if (calendar.weekday(daysAgo) === 0) continue
      const begin = 8.75 + random.int(-8, 10) / 60
      const lunch = 12.25 + random.int(0, 40) / 60
      const back = lunch + random.int(30, 44) / 60
      const end = 17 + random.int(0, 25) / 60
      const isOffline = person.username === 'ana' && daysAgo === 3
      const hours = [begin, lunch, back, end]
      hours.forEach((hour, index) => {
        const at = calendar.plus(calendar.localDaysAgo(daysAgo, hour, store.time_zone), random.int(0, 59) / 60)
        made.punches.push(punchOf(person, index % 2 === 0 ? 'in' : 'out', at, isOffline ? calendar.plus(at, 25) : at, isOffline, random))
      })
    }
  }
  addDouble(made, calendar, random)
  return made
}

/** Ben tapped Clock in again two minutes after the first time. */
function addDouble(made: DemoPunches, calendar: DemoCalendar, random: SeededRandom): void {
  const ben = demoPeople[1]
  const first = made.punches.findLast((punch) => punch.id_user === ben.id_user && punch.direction === 'in')
  if (!first) return
  const at = calendar.plus(first.at, 2)
  const double = { ...punchOf(ben, 'in', at, at, false, random), in_review: true }
  made.punches.push(double)
  made.reviews.push({
    punch_id: double.id,
    reasons: JSON.stringify(['double']),
    resolved_at: null,
    resolution: null,
    resolved_by: null,
    resolution_reason: null,
  })
}

function punchOf(
  person: (typeof demoPeople)[number],
  direction: 'in' | 'out',
  at: string,
  receivedAt: string,
  isOffline: boolean,
  random: SeededRandom,
): PunchRow {
  return {
    id: uuidv7({ msecs: Date.parse(at), random: random.bytes(16), seq: random.int(0, 0x7fffffff) }),
    id_user: person.id_user,
    username: person.username,
    store_id: store.store_id,
    direction,
    at,
    device_wall: at,
    received_at: receivedAt,
    offline_captured: isOffline,
    skew_ms: 0,
    device_id: person.device,
    deliverer_id: null,
    supersedes: null,
    edited_by: null,
    edit_reason: null,
    in_review: false,
    revision: 0,
  }
}
