import { type Patient, patient } from '#contract/patients/patient.ts'
import { fold } from '#contract/core/folding.ts'
import { nameKeys, phonesOf } from '#contract/patients/patient-search.ts'
import type { PageKeys, Tuple } from '#src/db/packed/packed-pages.ts'
import { RowLayout } from '#src/db/packed/packed-pages.ts'

/** The keys that find a patient without reading the row. */
export type PatientKeys = {
  id: string
  /** Folded by `nameKeys`. */
  names: string
  dob: string
  /** Digits of all phone numbers and of the patient's number, with blanks between. */
  phones: string
  /** The sort key of the patient in a list. It begins with the folded last name. */
  order: string
  inactive: boolean
}

/** The columns that today's app keeps, in its order. */
export const patientColumns: readonly string[] = Object.keys(patient.entries)

/** How many folded names are cached: thousands of patients share a few hundred names. */
const namesRemembered = 2000

export class PatientLayout extends RowLayout<string> {
  override readonly rowsPerPage = 80
  override readonly joinsPages = true
  /** Positions of the columns for the keys; -1 for a column that the app which kept the rows did not know. */
  readonly #at: Record<keyof Keyed, number>
  readonly #folded = new Map<string, string>()

  constructor(columns: readonly string[] = patientColumns) {
    super(columns)
    const at = (column: keyof Keyed) => columns.indexOf(column)
    this.#at = {
      id: at('id'),
      first_name: at('first_name'),
      middle_name: at('middle_name'),
      last_name: at('last_name'),
      pref: at('pref'),
      dob: at('dob'),
      phone: at('phone'),
      phone_home: at('phone_home'),
      cell_work: at('cell_work'),
      inactive: at('inactive'),
      patient_no: at('patient_no'),
    }
  }

  idOf(tuple: Tuple): string {
    const id = tuple[this.#at.id]
    if (typeof id !== 'string' || id === '') throw new TypeError('A patient without an id came from the server')
    return id
  }

  keysOf(tuple: Tuple): PatientKeys {
    // Reads only the needed columns: a first load does this for every patient.
    const at = this.#at
    const first_name = textAt(tuple, at.first_name)
    if (first_name === null) throw unreadable()
    const row = {
      id: this.idOf(tuple),
      first_name,
      middle_name: textAt(tuple, at.middle_name),
      last_name: textAt(tuple, at.last_name),
      pref: textAt(tuple, at.pref),
      dob: textAt(tuple, at.dob),
      phone: textAt(tuple, at.phone),
      phone_home: textAt(tuple, at.phone_home),
      cell_work: textAt(tuple, at.cell_work),
      inactive: tuple[at.inactive] === true,
      patient_no: numberAt(tuple, at.patient_no),
    }
    return keysOfPatient(row, (name) => this.#fold(name))
  }

  #fold(name: string): string {
    const known = this.#folded.get(name)
    if (known !== undefined) return known
    const folded = fold(name)
    if (this.#folded.size === namesRemembered) this.#folded.clear()
    this.#folded.set(name, folded)
    return folded
  }

  keysOfPage(tuples: readonly Tuple[]): PageKeys {
    const made = new PatientKeyLists()
    for (const tuple of tuples) made.push(this.keysOf(tuple))
    return { keys: JSON.stringify([made.ids, made.names, made.dobs, made.phones, made.orders, [...made.inactive]]), made }
  }

  toPatient(tuple: Tuple): Patient {
    const row: Record<string, unknown> = {}
    for (const column of patientColumns) row[column] = null
    this.columns.forEach((column, at) => (row[column] = tuple[at] ?? null))
    if (!isPatient(row)) throw unreadable()
    return row
  }
}

function textAt(tuple: Tuple, place: number): string | null {
  const value = tuple[place]
  return typeof value === 'string' ? value : null
}

function numberAt(tuple: Tuple, place: number): number | null {
  const value = tuple[place]
  return typeof value === 'number' ? value : null
}

const unreadable = () => new TypeError('A patient on this device cannot be read')

type Keyed = Pick<
  Patient,
  'id' | 'first_name' | 'middle_name' | 'last_name' | 'pref' | 'dob' | 'phone' | 'phone_home' | 'cell_work' | 'inactive' | 'patient_no'
>

export function keysOfPatient(row: Keyed, foldName = fold): PatientKeys {
  const { names, order } = nameKeys(row, foldName)
  return { id: row.id, names, dob: row.dob ?? '', phones: `${phonesOf(row)} ${row.patient_no ?? ''}`, order, inactive: row.inactive }
}

/**
 * The keys of patients, one list for each key. One object for each patient would dominate the index's time and memory.
 */
export class PatientKeyLists {
  readonly ids: string[] = []
  readonly names: string[] = []
  readonly dobs: string[] = []
  readonly phones: string[] = []
  readonly orders: string[] = []
  /** The places of inactive patients. */
  readonly inactive = new Set<number>()

  get length(): number {
    return this.ids.length
  }

  at(place: number): PatientKeys {
    return {
      id: this.ids[place]!,
      names: this.names[place]!,
      dob: this.dobs[place]!,
      phones: this.phones[place]!,
      order: this.orders[place]!,
      inactive: this.inactive.has(place),
    }
  }

  push({ id, names, dob, phones, order, inactive }: PatientKeys): void {
    if (inactive) this.inactive.add(this.length)
    this.ids.push(id)
    this.names.push(names)
    this.dobs.push(dob)
    this.phones.push(phones)
    this.orders.push(order)
  }

  /** Adds the keys of a page, in row order. */
  pushPage({ keys, made }: PageKeys): void {
    const before = this.length
    const page: readonly [string[], string[], string[], string[], string[], Iterable<number>] =
      made instanceof PatientKeyLists ? [made.ids, made.names, made.dobs, made.phones, made.orders, made.inactive] : JSON.parse(keys)
    const [ids, names, dobs, phones, orders, inactive] = page
    this.ids.push(...ids)
    this.names.push(...names)
    this.dobs.push(...dobs)
    this.phones.push(...phones)
    this.orders.push(...orders)
    for (const place of inactive) this.inactive.add(before + place)
  }
}

function isPatient(row: Record<string, unknown>): row is Patient {
  return typeof row['id'] === 'string' && typeof row['first_name'] === 'string'
}
