import * as v from 'valibot'
import { patientInput, type PatientInput } from '#contract/patients/patient.ts'
import { patientRow } from '#server/domain/patients/save-patient.ts'
import type { ClinicServer } from './clinic-server.ts'
import { dice, type Dice } from './dice.ts'
import type { PersonName } from './plan.ts'
import { Secrets } from './secrets.ts'

/** A patient as the simulation knows them: store, author, and the first values of the fields that change here. */
export type SimulatedPatient = {
  id: string
  store: number
  /** Null for patients from before the day. */
  by: PersonName | null
  first: Record<ChangedField, string | null>
}

/** The fields that people change, each with another kind of value. */
export const changedFields = ['city', 'street_address', 'last_name', 'phone', 'email', 'alerts'] as const
export type ChangedField = (typeof changedFields)[number]

const letters = 'bcdfghjklmnpqrstvwxz'.split('')

/** Returns a word that occurs nowhere else. */
export function secretWord(chance: Dice, secrets: Secrets): string {
  const word = `Q${Array.from({ length: 9 }, () => chance.pick(letters)).join('')}`
  secrets.add(word)
  return word
}

export function secretValue(chance: Dice, secrets: Secrets, field: ChangedField): string {
  if (field !== 'phone') {
    const word = secretWord(chance, secrets)
    return field === 'email' ? `${word}@clinic.example` : word
  }
  const digits = `7${Array.from({ length: 9 }, () => chance.below(10)).join('')}`
  secrets.add(digits)
  return digits
}

export function secretPatient(chance: Dice, secrets: Secrets): PatientInput {
  const word = () => secretWord(chance, secrets)
  // Nine digits without dashes could be part of any number, so the search looks for the typed form.
  const ssn = Array.from({ length: 9 }, () => 1 + chance.below(9)).join('')
  secrets.add(ssn)
  return v.parse(patientInput, {
    first_name: word(),
    last_name: word(),
    dob: `19${20 + chance.below(80)}-0${1 + chance.below(9)}-1${chance.below(10)}`,
    street_address: `${1 + chance.below(99)} ${word()} Ln`,
    city: word(),
    state: 'NY',
    zip_code: '12345',
    gender: 'Other',
    phone: secretValue(chance, secrets, 'phone'),
    email: secretValue(chance, secrets, 'email'),
    ...(chance.chance(0.5) && { ssn }),
  })
}

export function firstOf(patient: PatientInput): SimulatedPatient['first'] {
  const { city, street_address, last_name, phone, email, alerts } = patient
  return { city, street_address, last_name, phone, email, alerts }
}

/** Admits some patients in two stores before the day. */
export async function admitPatients({ services }: ClinicServer): Promise<{ known: SimulatedPatient[]; secrets: Secrets }> {
  const secrets = new Secrets()
  const chance = dice(0, 'patients of the clinic')
  const known: SimulatedPatient[] = []
  for (const store of [1, 2]) {
    await services.db.write([`patients:${store}`], async ({ trx, revision }) => {
      for (let nth = 0; nth < (store === 1 ? 3 : 2); nth += 1) {
        const id = `0198c2f4-0000-7000-8000-${String(100 * store + nth).padStart(12, '0')}`
        const patient = secretPatient(chance, secrets)
        const createdAt = new Date(services.clock.now()).toISOString()
        const made = { storeId: store, createdAt, createdBy: null, revision: revision(`patients:${store}`) }
        await trx
          .insertInto('patients')
          .values(patientRow(services, id, patient, made))
          .execute()
        known.push({ id, store, by: null, first: firstOf(patient) })
      }
    })
  }
  return { known, secrets }
}
