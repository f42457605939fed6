import { createStore } from 'zustand/vanilla'
import type { Patient } from '#contract/patients/patient.ts'
import { isMatch, type PatientQuery } from '#contract/patients/patient-search.ts'
import type { PatientShelf, ShelvedPatient, UnsentWork } from '#src/sync/device/device.ts'

/** A patient of store 1 with little more than the required fields. `nth` makes the id and the number. */
export function testPatient(nth: number, more: Partial<Patient> = {}): Patient {
  return {
    id: `0198c2f4-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    patient_no: nth,
    store_id: 1,
    last_name: 'Carrow',
    first_name: 'Abigail',
    middle_name: null,
    pref: null,
    dob: '1980-02-28',
    street_address: '12 Quarry Ln',
    address_line_2: null,
    city: 'Larkspur',
    state: 'NY',
    zip_code: '12345',
    gender: 'Female',
    assigned_sex: null,
    pronoun: null,
    email: null,
    phone: '5185550123',
    phone_home: null,
    cell_work: null,
    mailing_list: false,
    survey: false,
    inactive: false,
    priority: 'normal',
    preferred_contact: null,
    preferred_provider_id: null,
    preferred_store_id: null,
    responsible_party_id: null,
    pcp_id: null,
    recall_due_date: null,
    recall_reason: null,
    hipaa_ack_at: null,
    sms_consent_at: null,
    email_consent_at: null,
    alerts: null,
    allergies: null,
    medications: null,
    ocular_history: null,
    last_exam_date: null,
    created_at: '2026-01-01T00:00:00.000Z',
    version: 1,
    revision: nth,
    ...more,
  }
}

/** An open shelf of patients for a device. */
export function testShelf(patients: ShelvedPatient[], unsent: readonly UnsentWork[] = []): PatientShelf {
  return {
    state: createStore(() => ({ status: 'ready' as const, turn: 1 })),
    get: (id) => patients.find((row) => row.id === id) ?? null,
    search: (query: PatientQuery, limit: number) => patients.filter((row) => isMatch(row, query, '2026-11-20')).slice(0, limit),
    mirrored: (id) => patients.find((row) => row.id === id) ?? null,
    unsent: () => unsent,
    size: () => patients.length,
    writer: () => Promise.resolve(null),
    close: () => undefined,
  }
}
