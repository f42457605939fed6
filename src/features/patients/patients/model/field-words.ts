import { formatPhone } from '#contract/patients/patient.ts'
import type { PatientField } from '#contract/patients/patient.ts'
import { formatDate } from '#src/ui/format.ts'
import { priorityWords } from './priority-words.ts'

/** The labels of the fields, in the form and elsewhere. */
export const fieldLabels: Record<PatientField | 'ssn', string> = {
  last_name: 'Last',
  first_name: 'First',
  middle_name: 'Middle',
  pref: 'Pref.',
  dob: 'DOB',
  street_address: 'Address',
  address_line_2: 'Addr. 2',
  city: 'City',
  state: 'State',
  zip_code: 'Zip',
  gender: 'Legal Gender',
  assigned_sex: 'Assigned Sex',
  pronoun: 'Pronoun',
  email: 'Email',
  phone: 'Cell',
  phone_home: 'Home phone',
  cell_work: 'Work phone',
  ssn: 'SSN',
  mailing_list: 'Mailing Lists',
  survey: 'Survey',
  inactive: 'Inactive',
  priority: 'Priority',
  preferred_contact: 'Preferred contact',
  preferred_provider_id: 'Preferred Provider',
  preferred_store_id: 'Preferred Location',
  responsible_party_id: 'Responsible person',
  pcp_id: 'Primary care provider',
  recall_due_date: 'Recall due',
  recall_reason: 'Recall reason',
  hipaa_ack_at: 'Privacy notice signed',
  sms_consent_at: 'Text consent since',
  email_consent_at: 'Email consent since',
  alerts: 'Alerts',
  allergies: 'Allergies',
  medications: 'Medications',
  ocular_history: 'Eye history',
}

export const contactWords = { sms: 'SMS', email: 'Email', call: 'Call', none: 'None' } as const

const phones: readonly PatientField[] = ['phone', 'phone_home', 'cell_work']
const days: readonly PatientField[] = ['dob', 'recall_due_date', 'hipaa_ack_at', 'sms_consent_at', 'email_consent_at']

/** Returns the value of a field in words. */
export function fieldWords(field: PatientField, value: string | number | boolean | null): string {
  if (value === null || value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const text = String(value)
  if (phones.includes(field)) return formatPhone(text)
  if (days.includes(field)) return formatDate(text)
  if (field === 'priority') return priorityWords[text as keyof typeof priorityWords] ?? text
  if (field === 'preferred_contact') return contactWords[text as keyof typeof contactWords] ?? text
  return text
}
