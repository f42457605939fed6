import type { Insertable } from 'kysely'
import type { AppointmentStatus } from '#contract/calendar/appointments.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Patient = Insertable<Schema['patients']>
type Row = Insertable<Schema['appointments']>

export const appointmentColumns = {
  id_appointment: 'uuid',
  id_patient: 'uuid',
  store_id: 'integer',
  provider_id: 'integer',
  start_at: 'timestamptz',
  duration_min: 'integer',
  type: 'text',
  status: 'text',
  reason: 'text',
  created_at: 'timestamptz',
  created_by: 'integer',
} as const

const exams = ['Comprehensive exam', 'Contact lens fitting', 'Dilated exam', 'Red eye visit'] as const
const others = ['Dispense, pick-up', 'Adjustment, repair', 'Contact lens follow-up', 'Recheck'] as const
const reasons = ['', '', 'Headaches when reading', 'Wants contact lenses', 'Yearly exam', 'Blurred at distance']
const doctor = demoPeople.find(({ username }) => username === 'iris')!
const desk = demoPeople.find(({ username }) => username === 'leo')!
const outcomes = {
  past: { checked_out: 0.55, coded: 0.25, no_show: 0.08, cancelled: 0.06, cancelled_late: 0.03, left: 0.03 },
  ahead: { booked: 0.6, reminded: 0.15, confirmed: 0.2, cancelled: 0.05 },
} as const

/** The exam that each patient's record names, other past visits for some, and booked visits for some. */
export function* appointmentRows(patients: readonly Patient[], calendar: DemoCalendar, random: SeededRandom): Iterable<Row> {
  for (const patient of patients) {
    if (patient.last_exam_date) {
      yield rowOf(
        patient,
        `${patient.last_exam_date}T${random.int(14, 20)}:${random.pick(['00', '20', '40'])}:00.000Z`,
        'Comprehensive exam',
        'coded',
        random,
      )
    }
    if (random.chance(0.3)) {
      const status = random.weighted(outcomes.past)
      yield rowOf(patient, calendar.daysAgo(random.int(2, 700), random.int(14, 20)), random.pick(others), status, random)
    }
    if (random.chance(0.15)) {
      const status = random.weighted(outcomes.ahead)
      yield rowOf(patient, calendar.daysAgo(-random.int(2, 60), random.int(14, 20)), random.pick(exams), status, random)
    }
  }
}

function rowOf(patient: Patient, start_at: string, type: string, status: AppointmentStatus, random: SeededRandom): Row {
  const isExam = exams.some((exam) => exam === type)
  return {
    id_appointment: random.uuid(),
    id_patient: patient.id,
    store_id: patient.store_id ?? demoStores[0].store_id,
    provider_id: isExam ? doctor.id_user : null,
    start_at,
    duration_min: isExam ? 40 : 20,
    type,
    status,
    reason: random.pick(reasons),
    created_at: patient.created_at,
    created_by: desk.id_user,
  }
}
