import type { Patient } from '#contract/patients/patient.ts'
import { patientColumns } from '#src/db/mirrors/patient-layout.ts'
import { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { patientRows } from '#server/demo/demo-patients.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { pageRows } from './frames.ts'

/** Patients for the bench's page: the columns of the mirror, and rows in pages as a pull brings them. */
export type PatientStock = { columns: readonly string[]; pages: unknown[][][] }

/** The demo's own patients, all of one store: the same for the same number, on every machine and every day. */
export function storePatients(total: number): PatientStock {
  const calendar = new DemoCalendar(Date.parse('2026-11-01T00:00:00.000Z'))
  const rows: unknown[][] = []
  for (const made of patientRows(total, calendar, new SeededRandom('lorgnette bench patients'), () => 1)) {
    const row: Record<string, unknown> = { ...made, store_id: 1 } satisfies Partial<Record<keyof Patient, unknown>>
    rows.push(patientColumns.map((column) => row[column] ?? null))
  }
  const pages: unknown[][][] = []
  for (let from = 0; from < rows.length; from += pageRows) pages.push(rows.slice(from, from + pageRows))
  return { columns: patientColumns, pages }
}
