import * as v from 'valibot'
import { day, keptDay, lastDay } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { benefits, noBenefits, services } from '#contract/insurance/insurance-benefits.ts'
import { optionalText, orNull } from '#contract/patients/patient.ts'
import { photo } from '#contract/core/photo.ts'
import { done, rowId, uuid } from '#contract/core/primitives.ts'

/**
 * Insurance: a policy is one contract with a company. Its holders are the patients whom it covers. Each holder has
 * their own priority and used benefits, and sees the policy on their own record.
 */

export const insurancePriorities = ['primary', 'secondary', 'tertiary'] as const
export type InsurancePriority = (typeof insurancePriorities)[number]
export const relationships = ['self', 'spouse', 'child', 'other'] as const
export type Relationship = (typeof relationships)[number]
/** The sides of a card that may be photographed. */
export const photoSides = ['front', 'back'] as const
export type PhotoSide = (typeof photoSides)[number]

/** Ids as printed on cards: trimmed, in capitals. */
function printedId(max: number) {
  return v.pipe(
    optionalText(max),
    v.transform((given) => given?.toUpperCase() ?? null),
  )
}

const useDates = v.optional(v.object({ exam: orNull(day), lens: orNull(day), frame: orNull(day), cl: orNull(day) }), () => ({}))
const priority = orNull(v.picklist(insurancePriorities))
const relationship = v.optional(v.picklist(relationships), 'self')

/** The days on which benefits were used, as stored. */
const keptUseDates = v.optional(
  v.object({ exam: orNull(keptDay), lens: orNull(keptDay), frame: orNull(keptDay), cl: orNull(keptDay) }),
  () => ({}),
)

const policyFields = {
  company_id: orNull(rowId),
  /** For a company that is not in the list yet. */
  company_name: optionalText(120),
  plan_id: orNull(rowId),
  plan_name: optionalText(120),
  coverage_type_id: orNull(rowId),
  member_id: printedId(40),
  group_no: printedId(40),
  bin: printedId(20),
  payer_id: printedId(20),
  effective_date: orNull(day),
  term_date: orNull(lastDay),
  in_network: orNull(v.boolean()),
  /** The subscriber of the contract when they are none of our patients. */
  subscriber_name: optionalText(200),
  subscriber_dob: orNull(day),
  benefits: v.optional(benefits, noBenefits),
  auth_number: printedId(60),
  auth_obtained_at: orNull(day),
  auth_expires_at: orNull(day),
  services_authorised: v.optional(v.array(v.picklist(services)), []),
  eligibility_checked_at: orNull(day),
  /** The company's answer, unchanged. The benefits hold the figures that staff read in it. */
  eligibility_raw: optionalText(8000),
} as const

/** The patient's own fields of a policy. */
const ownFields = { priority, relationship, used: useDates }

const policy = v.object({ ...policyFields, ...ownFields })
type PolicyInput = v.InferOutput<typeof policy>

type Problem = { field: 'company_id' | 'coverage_type_id' | 'member_id' | 'priority' | 'term_date' | 'auth_expires_at'; message: string }

/** Returns the problems of a policy beyond the shape of each field. */
function problemsOf(given: PolicyInput): Problem[] {
  const required = 'This field is required'
  const problems: Problem[] = []
  if (given.company_id === null && given.company_name === null) problems.push({ field: 'company_id', message: required })
  for (const field of ['coverage_type_id', 'member_id', 'priority'] as const)
    if (given[field] === null) problems.push({ field, message: required })
  const after = (from: string | null, to: string | null) => from !== null && to !== null && to < from
  if (after(given.effective_date, given.term_date)) problems.push({ field: 'term_date', message: 'can’t be before the effective date' })
  if (after(given.auth_obtained_at, given.auth_expires_at))
    problems.push({ field: 'auth_expires_at', message: 'can’t be before the date it was obtained' })
  return problems
}

const forPatient = { id_patient: uuid }
const photos = { front_photo: v.optional(v.nullable(photo)), back_photo: v.optional(v.nullable(photo)) }

/** A card with only photos is enough: staff fill in its details later. */
export const newInsurance = v.pipe(
  v.object({ ...policyFields, ...ownFields, ...forPatient, ...photos, id_insurance: v.optional(uuid), image: v.optional(photo) }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.image) return
    for (const issue of issuesOf(dataset.value)) addIssue(issue)
  }),
)

/** A missing photo keeps the one on file; null removes it. */
export const changedInsurance = v.pipe(
  v.object({ ...policyFields, ...ownFields, ...forPatient, ...photos, version: v.optional(rowId) }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const issue of issuesOf(dataset.value)) addIssue(issue)
  }),
)

function issuesOf(input: PolicyInput) {
  return problemsOf(input).map(({ field, message }) => ({
    message,
    path: [{ type: 'object' as const, origin: 'value' as const, input, key: field, value: input[field] }] as [v.ObjectPathItem],
  }))
}

/** A holder of another store has no name for users who may not see that patient. */
export const insuranceHolder = v.object({
  id_patient: uuid,
  relationship: v.picklist(relationships),
  name: v.nullable(v.string()),
  dob: v.nullable(v.string()),
  ssn_last4: v.nullable(v.string()),
  priority: v.nullable(v.picklist(insurancePriorities)),
})
export type InsuranceHolder = v.InferOutput<typeof insuranceHolder>

/** Days as stored, in place of those that a caller gives. */
const keptDays = {
  effective_date: orNull(keptDay),
  term_date: orNull(keptDay),
  subscriber_dob: orNull(keptDay),
  auth_obtained_at: orNull(keptDay),
  auth_expires_at: orNull(keptDay),
  eligibility_checked_at: orNull(keptDay),
  used: keptUseDates,
}

/** A policy as one of its holders sees it. */
export const insurance = v.object({
  ...policyFields,
  ...ownFields,
  ...keptDays,
  id_insurance: uuid,
  id_patient: uuid,
  coverage_type: v.nullable(v.string()),
  holders: v.array(insuranceHolder),
  /** The address of the photo. */
  front_photo: v.nullable(v.string()),
  back_photo: v.nullable(v.string()),
  created_at: v.string(),
  version: rowId,
})
export type Insurance = v.InferOutput<typeof insurance>

const named = { name: v.string() }
export const insurancePlan = v.object({
  plan_id: rowId,
  company_id: rowId,
  coverage_type_id: v.nullable(rowId),
  ...named,
  benefits,
})
export type InsurancePlan = v.InferOutput<typeof insurancePlan>

const ofPolicy = v.object({ id_insurance: uuid })
const ofHolder = v.object({ id_insurance: uuid, id_patient: uuid })
const ofPolicyAndPatient = { id: uuid, id_patient: uuid }
const ofPatient = ['patient-unknown', 'patient-of-other-store'] as const
const ofPhotos = ['file-infected', 'scanner-unreachable'] as const
const path = '/api/patient/insurance' as const
const form = { fields: 'insurance', files: ['front_photo', 'back_photo', 'image'] }
// Two photos as base64, and the typed fields.
const bodyLimit = 9 * 1024 * 1024

export const insuranceEndpoints = {
  insurancePlans: endpoint({
    method: 'GET',
    path: `${path}/plans`,
    summary: 'The plans of the insurance companies, with what they usually pay',
    access: 'patient.read',
    response: v.object({ plans: v.array(insurancePlan) }),
    cached: 'reference',
  }),
  insuranceCompanies: endpoint({
    method: 'GET',
    path: `${path}/companies`,
    summary: 'The insurance companies',
    access: 'patient.read',
    response: v.object({ companies: v.array(v.object({ company_id: rowId, ...named, payer_id: v.nullable(v.string()) })) }),
    cached: 'reference',
  }),
  coverageTypes: endpoint({
    method: 'GET',
    path: `${path}/coverage_types`,
    summary: 'What a policy can cover',
    access: 'patient.read',
    response: v.object({ coverage_types: v.array(v.object({ coverage_type_id: rowId, key: v.string(), ...named })) }),
    cached: 'reference',
  }),
  listInsurance: endpoint({
    method: 'GET',
    path,
    summary: 'The insurance policies of a patient, in the order of their priority',
    access: 'patient.read',
    query: v.object(forPatient),
    response: v.object({ insurances: v.array(insurance) }),
    refuses: ofPatient,
  }),
  addInsurance: endpoint({
    method: 'POST',
    path,
    summary: 'Add a policy to a patient, or only the photo of a card (`image`); repeated under the same id it is added once',
    access: 'insurance.write',
    body: newInsurance,
    form,
    bodyLimit,
    response: insurance,
    refuses: [...ofPatient, ...ofPhotos, 'key-reused', 'insurance-reference-unknown', 'insurance-priority-taken'],
  }),
  readInsurance: endpoint({
    method: 'GET',
    path: `${path}/{id}/patient/{id_patient}`,
    summary: 'One policy as a patient has it; that it was read is kept',
    access: 'patient.read',
    params: v.object(ofPolicyAndPatient),
    response: insurance,
    refuses: [...ofPatient, 'insurance-unknown'],
  }),
  changeInsurance: endpoint({
    method: 'PUT',
    path: `${path}/{id_insurance}`,
    summary: 'Change a policy, and what of it is the patient’s own; a version that is no longer the newest is refused',
    access: 'insurance.write',
    params: ofPolicy,
    body: changedInsurance,
    form,
    bodyLimit,
    response: insurance,
    refuses: [
      ...ofPatient,
      ...ofPhotos,
      'insurance-unknown',
      'insurance-changed',
      'insurance-reference-unknown',
      'insurance-priority-taken',
    ],
  }),
  detachInsurance: endpoint({
    method: 'DELETE',
    path: `${path}/{id_insurance}/{id_patient}`,
    summary: 'Take a policy off a patient’s record',
    access: 'insurance.write',
    params: ofHolder,
    response: done,
    refuses: [...ofPatient, 'insurance-unknown'],
  }),
  attachHolder: endpoint({
    method: 'POST',
    path: `${path}/{id_insurance}/holders`,
    summary: 'Cover one more patient by a policy',
    access: 'insurance.write',
    params: ofPolicy,
    body: v.object({ id_patient: uuid, relationship: v.optional(v.picklist(relationships), 'other'), priority }),
    response: done,
    refuses: [...ofPatient, 'insurance-unknown', 'insurance-holder-present', 'insurance-priority-taken'],
  }),
  changeHolder: endpoint({
    method: 'PUT',
    path: `${path}/{id_insurance}/holders/{id_patient}`,
    summary: 'Change how a holder is related to the policy, and which priority it has for them',
    access: 'insurance.write',
    params: ofHolder,
    body: v.object({ relationship: v.picklist(relationships), priority }),
    response: done,
    refuses: [...ofPatient, 'insurance-unknown', 'insurance-holder-unknown', 'insurance-priority-taken'],
  }),
  detachHolder: endpoint({
    method: 'DELETE',
    path: `${path}/{id_insurance}/holders/{id_patient}`,
    summary: 'Cover a patient no longer by a policy',
    access: 'insurance.write',
    params: ofHolder,
    response: done,
    refuses: [...ofPatient, 'insurance-unknown', 'insurance-holder-unknown'],
  }),
  insurancePhoto: endpoint({
    method: 'GET',
    path: `${path}/{id}/patient/{id_patient}/photo/{side}`,
    summary: 'The photo of one side of a policy’s card; that it was seen is kept',
    access: 'patient.read',
    params: v.object({ ...ofPolicyAndPatient, side: v.picklist(photoSides) }),
    response: v.blob(),
    answers: 'file',
    refuses: [...ofPatient, 'insurance-unknown'],
  }),
} as const

/** Returns the company and plan of a policy in one line; a card with only photos has neither. */
export function policyName({ company_name, plan_name }: Pick<Insurance, 'company_name' | 'plan_name'>): string {
  return [company_name, plan_name].filter(Boolean).join(' · ') || 'Card only, no details'
}
