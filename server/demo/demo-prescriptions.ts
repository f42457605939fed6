import type { Insertable } from 'kysely'
import * as v from 'valibot'
import { monthsAfter } from '#contract/rx/exam-recall.ts'
import { type RxEye, rxEye, type RxInput, rxInput } from '#contract/rx/prescription.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { contactLensesFor } from '#server/demo/demo-contact-lenses.ts'
import { demoPeople, doctorNumbers, fullName } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

export const prescriptionColumns = {
  id_rx: 'uuid',
  id_patient: 'uuid',
  rx_kind: 'text',
  status: 'text',
  provider_id: 'integer',
  content: 'jsonb',
  signature: 'jsonb',
  signed_by: 'integer',
  signed_at: 'timestamptz',
  created_at: 'timestamptz',
  created_by: 'integer',
  version: 'integer',
} as const

const doctor = demoPeople.find(({ username }) => username === 'iris')!
/** How many of the first patients have prescriptions. */
export const prescribedTo = 500
const empty = v.parse(rxInput, { rx_kind: 'spectacle' })
const emptyEye = v.parse(rxEye, {})

/**
 * Glasses for the first hundreds of patients who had an exam. Patients over 45 get an add for reading. Every fourth
 * also wears contact lenses.
 */
export function* prescriptionRows(
  patients: readonly Insertable<Schema['patients']>[],
  random: SeededRandom,
): Iterable<Insertable<Schema['prescriptions']>> {
  let nth = 0
  for (const { id, last_exam_date: exam, dob } of patients) {
    if (!exam || !dob) continue
    const year = Number(exam.slice(0, 4))
    const add = year - Number(dob.slice(0, 4)) > 45 ? 250 * random.int(4, 10) : null
    const sphere = 250 * random.int(-20, 12)
    const eye = (): RxEye => {
      const cylinder = random.chance(0.6) ? -250 * random.int(1, 8) : null
      const axis = cylinder === null ? null : random.int(1, 180)
      return {
        ...emptyEye,
        sphere: sphere + 250 * random.int(-2, 2),
        cylinder,
        axis,
        add,
        pd_distance_mono: 500 * random.int(58, 66),
        vertex_distance: 13_000,
      }
    }
    const content: RxInput = {
      ...empty,
      rx_type: add === null ? ('single_vision' as const) : ('progressive' as const),
      rx_use: 'full_time' as const,
      refraction_source: 'MR' as const,
      exam_date: exam,
      issue_date: exam,
      expiry_date: `${year + 2}${exam.slice(4)}`.replace('-02-29', '-02-28'),
      provider_id: doctor.id_user,
      ...doctorNumbers,
      od: eye(),
      os: eye(),
    }
    yield rowOf(id, '0001', 'active', content)
    nth += 1
    if (nth % 4 === 1) yield rowOf(id, '0003', 'active', contactLensesFor(content, (nth - 1) / 4))
    // Every third patient has come for years, and has a replaced prescription too.
    if (nth % 3 === 0) yield rowOf(id, '0002', 'superseded', twoYearsBefore(content))
  }
}

function rowOf(id: string, mark: string, status: 'active' | 'superseded', content: RxInput): Insertable<Schema['prescriptions']> {
  const at = `${content.exam_date}T17:00:00.000Z`
  return {
    id_rx: `${id.slice(0, 9)}${mark}${id.slice(13)}`,
    id_patient: id,
    rx_kind: content.rx_kind,
    status,
    provider_id: doctor.id_user,
    content: JSON.stringify(content),
    signature: JSON.stringify({ kind: 'typed', name: fullName(doctor) }),
    signed_by: doctor.id_user,
    signed_at: at,
    created_at: at,
    created_by: doctor.id_user,
    version: 1,
  }
}

/** Eyes change slowly: a quarter of a diopter in the right eye, and a smaller add or none. */
function twoYearsBefore(rx: RxInput): RxInput {
  const before = (day: string | null) => day && monthsAfter(day, -24)
  const add = rx.od.add === null || rx.od.add <= 1250 ? null : rx.od.add - 250
  return {
    ...rx,
    rx_type: add === null ? 'single_vision' : 'progressive',
    exam_date: before(rx.exam_date),
    issue_date: before(rx.issue_date),
    expiry_date: before(rx.expiry_date),
    od: { ...rx.od, add, sphere: (rx.od.sphere ?? 0) + 250 },
    os: { ...rx.os, add },
  }
}
