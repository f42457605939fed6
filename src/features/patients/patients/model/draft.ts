import { type Patient, patient as patientShape } from '#contract/patients/patient.ts'
import * as v from 'valibot'
import { formOf, type PatientForm } from '../form.ts'

/** An unsaved patient dialog, which the disk keeps encrypted. It does not hold the social security number. */
export type PatientFormDraft = {
  /** The id of the patient who is registered or edited. */
  id: string
  /** The patient at the start of the edit, or null for a new one. */
  base: Patient | null
  form: PatientForm
  /** The user had typed an SSN and must type it again. */
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

/** Returns null for a draft of another app version that this one cannot use. */
export function readDraft(given: unknown): PatientFormDraft | null {
  const read = v.safeParse(shape, given)
  if (!read.success) return null
  const form: Record<string, string | boolean> = formOf({})
  for (const [name, value] of Object.entries(read.output.form)) if (typeof form[name] === typeof value) form[name] = value
  return { ...read.output, form: form as PatientForm }
}
