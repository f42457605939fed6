import { type Patient, patient as patientShape } from '#contract/patients/patient.ts'
import * as v from 'valibot'
import { formOf, type PatientForm } from '../form.ts'

/** What lies on the disk, encrypted, of a dialog that was not saved yet. The social security number is not in it. */
export type PatientFormDraft = {
  /** Of the patient that is being registered, or changed. */
  id: string
  /** The patient as it was when the change began; null for a new one. */
  base: Patient | null
  form: PatientForm
  /** A number was typed, and must be typed again. */
  hadSsn: boolean
}

const shape = v.object({
  id: v.string(),
  base: v.nullable(patientShape),
  form: v.record(v.string(), v.union([v.string(), v.boolean()])),
  hadSsn: v.boolean(),
})

export function draftOf(id: string, base: Patient | null, form: PatientForm): PatientFormDraft {
  return { id, base, form: { ...form, ssn: '' }, hadSsn: form.ssn.trim() !== '' }
}

/** Null for what another version of the app has written and this one cannot use. */
export function readDraft(given: unknown): PatientFormDraft | null {
  const read = v.safeParse(shape, given)
  if (!read.success) return null
  const form: Record<string, string | boolean> = formOf({})
  for (const [name, value] of Object.entries(read.output.form)) if (typeof form[name] === typeof value) form[name] = value
  return { ...read.output, form: form as PatientForm }
}
