import { type Patient, patient } from '#contract/patient.ts'
import { nameWords, phonesOf, sortKey } from '#contract/patient-search.ts'
import type { Tuple } from '#src/db/packed-pages.ts'
import { RowLayout } from '#src/db/packed-pages.ts'

/** By what a patient is found without reading the row. */
export type PatientKeys = {
  id: string
  /** As `nameWords` folds them. */
  names: string
  dob: string
  /** Digits of all numbers, with blanks between. */
  phones: string
  /** Where the patient stands in a list; begins with the folded last name. */
  order: string
  inactive: boolean
}

/** The columns that today's app keeps, in the order in which it keeps them. */
export const patientColumns: readonly string[] = Object.keys(patient.entries)

export class PatientLayout extends RowLayout<string> {
  readonly #id: number

  constructor(columns: readonly string[] = patientColumns) {
    super(columns)
    this.#id = columns.indexOf('id')
  }

  idOf(tuple: Tuple): string {
    const id = tuple[this.#id]
    if (typeof id !== 'string' || id === '') throw new TypeError('A patient without an id came from the server')
    return id
  }

  keysOf(tuple: Tuple): PatientKeys {
    return keysOfPatient(this.toPatient(tuple))
  }

  keysTextOf(tuples: readonly Tuple[]): string {
    const keys = tuples.map((tuple) => this.keysOf(tuple))
    return JSON.stringify([
      keys.map(({ id }) => id),
      keys.map(({ names }) => names),
      keys.map(({ dob }) => dob),
      keys.map(({ phones }) => phones),
      keys.map(({ order }) => order),
      keys.flatMap(({ inactive }, at) => (inactive ? [at] : [])),
    ])
  }

  toPatient(tuple: Tuple): Patient {
    const row: Record<string, unknown> = {}
    for (const column of patientColumns) row[column] = null
    this.columns.forEach((column, at) => (row[column] = tuple[at] ?? null))
    if (!isPatient(row)) throw new TypeError('A patient on this device cannot be read')
    return row
  }
}

export function keysOfPatient(row: Patient): PatientKeys {
  return { id: row.id, names: nameWords(row), dob: row.dob ?? '', phones: phonesOf(row), order: sortKey(row), inactive: row.inactive }
}

/** The keys of a page's rows, in their order. */
export function readPatientKeys(text: string): PatientKeys[] {
  const [ids, names, dobs, phones, orders, inactive]: [string[], string[], string[], string[], string[], number[]] = JSON.parse(text)
  const left = new Set(inactive)
  return ids.map((id, at) => ({
    id,
    names: names[at] ?? '',
    dob: dobs[at] ?? '',
    phones: phones[at] ?? '',
    order: orders[at] ?? '',
    inactive: left.has(at),
  }))
}

function isPatient(row: Record<string, unknown>): row is Patient {
  return typeof row['id'] === 'string' && typeof row['first_name'] === 'string'
}
