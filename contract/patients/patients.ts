import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { changedSsn, patient, patientInput } from '#contract/patients/patient.ts'
import { auditPageSize, patientCriteria, patientPageSize } from '#contract/patients/patient-search.ts'
import { instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'

export * from '#contract/patients/patient.ts'

/** A patient as a person reads it: the row, and of the social security number its last four digits. */
export const patientRecord = v.object({
  ...patient.entries,
  ssn: v.nullable(v.string()),
  store_name: v.string(),
  /** Nothing is on file beside this: no insurance, prescription, appointment, invoice or exam. */
  is_new: v.boolean(),
})
export type PatientRecord = v.InferOutput<typeof patientRecord>

const ofPatient = v.object({ id: uuid })

/** Why a record was opened, in a person's words or in those of the screen that opened it; kept with the view. */
export const viewReason = v.optional(text(200))

export const addPatient = endpoint({
  method: 'POST',
  path: '/api/patient/add',
  summary: 'Register a patient with the store that one works in',
  access: 'patient.write',
  body: v.object({ ...patientInput.entries, id: v.optional(uuid) }),
  response: patientRecord,
  refuses: ['key-reused', 'patient-reference-unknown'],
})

export const readPatient = endpoint({
  method: 'GET',
  path: '/api/patient/{id}',
  summary: 'A patient’s record; that it was read is kept',
  access: 'patient.read',
  params: ofPatient,
  query: v.object({ reason: viewReason }),
  response: patientRecord,
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

export const changePatient = endpoint({
  method: 'PUT',
  path: '/api/patient/{id}',
  summary: 'Change a patient; a version that is no longer the newest is refused where both changed the same field',
  access: 'patient.write',
  params: ofPatient,
  body: v.object({ ...patientInput.entries, ssn: changedSsn, version: v.optional(rowId) }),
  response: patientRecord,
  refuses: ['patient-unknown', 'patient-of-other-store', 'patient-changed', 'patient-reference-unknown'],
})

const foundPatients = pageOfSize(
  patientPageSize,
  { patients: v.array(v.object({ ...patient.entries, store_name: v.string() })) },
  { page: v.number() },
)

export const lookUpPatients = endpoint({
  method: 'GET',
  path: '/api/patient/lookup',
  summary: 'Patients by the fields of the header’s search, fifty to a page',
  access: 'patient.read',
  query: v.object({ ...patientCriteria.entries, page: pageQuery() }),
  response: foundPatients,
})

export const searchPatients = endpoint({
  method: 'GET',
  path: '/api/home/patient/search',
  summary: 'Patients by one line: names in any order, a birth date, a phone number',
  access: 'patient.read',
  query: v.object({ query: v.optional(text(200), ''), page: pageQuery() }),
  response: foundPatients,
})

export const revealSsn = endpoint({
  method: 'POST',
  path: '/api/patient/{id}/ssn',
  summary: 'The whole social security number, once; that it was read is kept with the reason',
  access: 'patient.reveal-ssn',
  params: ofPatient,
  body: v.object({ reason: requiredText(200) }),
  response: v.object({ ssn: v.nullable(v.string()) }),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

/** What happened to a record: who, when, from where, what and why. Never what stood in it. */
const auditEntry = v.object({
  id: v.number(),
  at: instant,
  rep: v.string(),
  store_name: v.nullable(v.string()),
  device_id: v.nullable(v.string()),
  action: v.string(),
  /** Names of fields, or of the part of the record. */
  detail: v.string(),
  reason: v.string(),
  /** Done on a tablet without a connection, and told when it was back. */
  offline: v.boolean(),
  /** Whose session brought it from a shared tablet; null when that was who did it. */
  delivered_by: v.nullable(v.string()),
})

export const patientAudit = endpoint({
  method: 'GET',
  path: '/api/patient/{id}/audit',
  summary: 'Who saw and changed this record, newest first, a hundred to a page',
  access: 'patient.audit',
  params: ofPatient,
  query: v.object({ page: pageQuery() }),
  response: pageOfSize(auditPageSize, { entries: v.array(auditEntry) }),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

/** Who a patient can prefer, for the selects of the search and the form. */
export const patientChoices = endpoint({
  method: 'GET',
  path: '/api/patient/choices',
  summary: 'Providers and locations that a patient may prefer',
  access: 'patient.read',
  response: v.object({
    providers: v.array(v.object({ id_user: rowId, name: v.string() })),
    locations: v.array(v.object({ store_id: rowId, store_name: v.string() })),
  }),
  cached: 'reference',
  secret: true,
})

export const paymentMethods = endpoint({
  method: 'GET',
  path: '/api/patient/payment-methods',
  summary: 'The ways in which a patient may pay',
  access: 'signed-in',
  response: v.object({ payment_methods: v.array(v.object({ key: v.string(), title: v.string() })) }),
  cached: 'reference',
})

export const patientEndpoints = {
  addPatient,
  readPatient,
  changePatient,
  lookUpPatients,
  searchPatients,
  revealSsn,
  patientAudit,
  patientChoices,
  paymentMethods,
}
