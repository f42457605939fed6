import type { Insertable } from 'kysely'
import { letterWays } from '#contract/patients/pcp-letters.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, fullName } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Letter = Insertable<Schema['pcp_letters']>

export const pcpLetterColumns = {
  id_letter: 'uuid',
  id_patient: 'uuid',
  id_pcp: 'uuid',
  sent_on: 'date',
  way: 'text',
  about: 'text',
  id_user: 'integer',
  rep: 'text',
  recorded_at: 'timestamptz',
} as const

const subjects = [
  'Yearly eye exam: report',
  'Diabetic eye exam: no retinopathy',
  'Diabetic eye exam: mild retinopathy, again in six months',
  'Glaucoma suspected: pressures and visual field',
  'Cataract: referral answered',
  'Hypertension: fundus report',
] as const
const share = 0.05
const writers = demoPeople.filter(({ username }) => ['ana', 'iris', 'leo'].includes(username))

/** Letters about some of the patients who have a primary care provider, two about a few. */
export function* demoPcpLetters(
  patients: readonly Insertable<Schema['patients']>[],
  calendar: DemoCalendar,
  random: SeededRandom,
): Iterable<Letter> {
  for (const { id, pcp_id } of patients) {
    if (!pcp_id || !random.chance(share)) continue
    for (let left = random.int(1, 2); left > 0; left--) {
      const writer = random.pick(writers)
      const at = calendar.daysAgo(random.int(2, 420), random.int(15 * 60, 21 * 60) / 60)
      yield {
        id_letter: random.uuid(),
        id_patient: id,
        id_pcp: pcp_id,
        sent_on: at.slice(0, 10),
        way: random.pick(letterWays),
        about: random.pick(subjects),
        id_user: writer.id_user,
        rep: fullName(writer),
        recorded_at: at,
      }
    }
  }
}
