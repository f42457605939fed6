import * as v from 'valibot'
import { expect, test } from 'vitest'
import { rxInput } from '#contract/rx/prescription.ts'
import { signingProblems } from '#contract/rx/rx-rules.ts'
import { rxWarnings } from '#contract/rx/rx-warnings.ts'
import { prescriptionRows } from '#server/demo/demo-prescriptions.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'

test('the demo has contact lenses of every usual kind, each complete enough to sign, and one prescription in force per patient', () => {
  const patients = Array.from({ length: 500 }, (_, nth) => ({
    id: `0190a000-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    last_exam_date: '2026-03-31',
    dob: `${1940 + (nth % 70)}-05-05`,
  }))
  const rows = [...prescriptionRows(patients as never, new SeededRandom('rx'))].filter(({ rx_kind }) => rx_kind === 'contact_lens')
  expect(rows).toHaveLength(125)
  expect(new Set(rows.map(({ id_patient }) => id_patient)).size).toBe(rows.length)
  const lenses = rows.map(({ content }) => v.parse(rxInput, JSON.parse(content as string)))
  expect(lenses.flatMap((rx) => signingProblems(rx, '2026-11-23'))).toEqual([])
  const worn = lenses.flatMap(({ od, os }) => [od, os])
  expect(new Set(worn.map(({ cl_type }) => cl_type))).toEqual(new Set(['soft_sphere', 'soft_toric', 'soft_multifocal', 'rgp', null]))
  expect(worn.filter(({ no_lens }) => no_lens)).toHaveLength(1)
  const words = lenses.flatMap((rx) => rxWarnings(rx, null)).map(({ message }) => message)
  expect(words.filter((message) => !/^(One eye is plus|Anisometropia|The adds are different)/.test(message))).toEqual([])
})
