import type { Generated } from 'kysely'
import type { AppointmentStatus } from '#contract/calendar/appointments.ts'
import type { priorities } from '#contract/patients/patient.ts'

/** Patients, and who looked at them. */
export type PatientTables = {
  patients: PatientTable
  patient_audit: PatientAuditTable
  patient_imports: PatientImportTable
  appointments: AppointmentTable
}

export type PatientTable = {
  id: string
  patient_no: Generated<number>
  store_id: number
  last_name: string | null
  first_name: string
  middle_name: string | null
  pref: string | null
  dob: string | null
  street_address: string
  address_line_2: string | null
  city: string
  state: string
  zip_code: string
  gender: string
  assigned_sex: string | null
  pronoun: string | null
  email: string | null
  phone: string | null
  phone_home: string | null
  cell_work: string | null
  mailing_list: boolean
  survey: boolean
  inactive: boolean
  priority: (typeof priorities)[number]
  preferred_contact: string | null
  preferred_provider_id: number | null
  preferred_store_id: number | null
  responsible_party_id: string | null
  pcp_id: string | null
  recall_due_date: string | null
  recall_reason: string | null
  hipaa_ack_at: string | null
  sms_consent_at: string | null
  email_consent_at: string | null
  alerts: string | null
  allergies: string | null
  medications: string | null
  ocular_history: string | null
  last_exam_date: string | null
  /** The social security number, encrypted with the server's key for records. */
  ssn_sealed: string | null
  ssn_last4: string | null
  created_at: string
  created_by: number | null
  version: number
  revision: number
  /** As `contract/patients/patient-search.ts` makes them. */
  name_words: string
  last_name_words: string
  address_words: string
  city_words: string
  sort_key: string
}
type PatientImportTable = {
  store_id: number
  row_hash: string
  id_patient: string
}
type PatientAuditTable = {
  id: Generated<number>
  id_patient: string
  at: string
  id_user: number | null
  rep: string
  store_id: number | null
  device_id: string | null
  action: string
  detail: string
  reason: string
  offline: boolean
  /** Whose session brought it, when that was not who did it. */
  delivered_by: Generated<string | null>
}
type AppointmentTable = {
  id_appointment: string
  id_patient: string
  store_id: number
  provider_id: number | null
  start_at: string
  duration_min: number
  type: string
  status: AppointmentStatus
  reason: string
  created_at: string
  created_by: number | null
  version: Generated<number>
}
