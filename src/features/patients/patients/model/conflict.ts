import { type FieldChanger, type Patient, type PatientChanges, type PatientField, patientFieldNames } from '#contract/patients/patient.ts'
import type { UnsentWork } from '#src/sync/device/device.ts'

type Value = string | number | boolean | null

/** A field of a refused edit, beside the server's present value. */
export type ComparedField = {
  field: PatientField
  mine: Value
  theirs: Value
  /** Another user has changed this field since. */
  isDisputed: boolean
  /** The user who changed it and when, or null when unknown. */
  changer: FieldChanger | null
}

export type Choice = 'mine' | 'theirs'

/** Returns true when the server refused the edit because another user had changed the same field. */
export function isConflict({ kind, state, problem }: UnsentWork): boolean {
  return kind === 'patient.edit' && state === 'attention' && problem?.code === 'patient-changed'
}

/**
 * Returns the fields of an edit that still have to be written. Leaves out fields where the server has the same value.
 */
export function compared({ changes, problem }: Pick<UnsentWork, 'changes' | 'problem'>, row: Patient): ComparedField[] {
  const changers = changersOf(problem?.details)
  return patientFieldNames.flatMap((field) => {
    const change = changes[field]
    const theirs = row[field] ?? null
    if (!change || change.to === theirs) return []
    const changer = changers.find((one) => one.field === field) ?? null
    return [{ field, mine: change.to, theirs, isDisputed: change.from !== theirs, changer }]
  })
}

/** Returns the edit with the chosen values, over the values that the user saw. */
export function chosenChanges(
  fields: readonly ComparedField[],
  choices: Partial<Record<string, Choice>>,
  ssn: string | null,
): PatientChanges {
  const changes: PatientChanges = {}
  for (const { field, mine, theirs, isDisputed } of fields) {
    if (isDisputed && choices[field] !== 'mine') continue
    changes[field] = { from: theirs, to: mine }
  }
  if (ssn !== null) changes.ssn = { from: null, to: ssn }
  return changes
}

/** Returns the patient as the author of this edit saw them, over the row that is known now. */
export function baseOf({ changes }: Pick<UnsentWork, 'changes'>, row: Patient): Patient {
  const seen: Record<string, unknown> = { ...row }
  for (const field of patientFieldNames) {
    const change = changes[field]
    if (change) seen[field] = change.from
  }
  return seen as Patient
}

/** Returns the version of the row that the edit was refused over, or 0 when the server did not say. */
export function refusedOver({ problem }: Pick<UnsentWork, 'problem'>): number {
  const version = problem?.details?.['version']
  return typeof version === 'number' ? version : 0
}

function changersOf(details: Record<string, unknown> | undefined): FieldChanger[] {
  const given: unknown = details?.['changed_by']
  return Array.isArray(given) ? given.filter(isChanger) : []
}

function isChanger(given: unknown): given is FieldChanger {
  if (typeof given !== 'object' || given === null) return false
  return ['field', 'rep', 'at'].every((key) => key in given && typeof (given as Record<string, unknown>)[key] === 'string')
}
