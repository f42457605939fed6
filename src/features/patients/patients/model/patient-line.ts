import { bornWords } from '#contract/patients/born-words.ts'
import { formatPhone, type Patient, patientName } from '#contract/patients/patient.ts'
import { specialPriority } from './priority-words.ts'

/** The fields that a list shows of a patient. */
export type ListedPatient = Pick<
  Patient,
  'id' | 'first_name' | 'middle_name' | 'last_name' | 'pref' | 'dob' | 'phone' | 'city' | 'priority' | 'inactive' | 'patient_no'
> & { store_name?: string; phone_home?: string | null; cell_work?: string | null }

/** The number of this device's patients that a list shows while the user types. */
export const listedAtOnce = 20

/** A patient's line in a list. */
export type PatientLine = { name: string; priority: string | null; details: string; number: string | null }

/**
 * @param today `YYYY-MM-DD`
 * @param digits of a phone number that was searched: the line then shows the number that has them
 */
export function patientLine(row: ListedPatient, today: string, digits: string | null = null): PatientLine {
  const matching = digits === null ? undefined : [row.phone, row.phone_home, row.cell_work].find((each) => each?.includes(digits))
  const phone = matching ?? row.phone
  const born = row.dob === null ? 'no date of birth' : bornWords(row.dob, today)
  return {
    name: patientName(row),
    priority: specialPriority(row),
    details: [born, phone && formatPhone(phone), row.city, row.store_name].filter(Boolean).join(' · '),
    number: row.patient_no === null ? null : `#${row.patient_no}`,
  }
}
