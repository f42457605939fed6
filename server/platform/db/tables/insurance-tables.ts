import type { Generated } from 'kysely'
import type { Benefits, Service, UseDates } from '#contract/insurance/insurance-benefits.ts'
import type { InsurancePriority, PhotoSide, Relationship } from '#contract/insurance/insurance.ts'
import type { Json } from '#server/platform/db/json.ts'

/** Policies. */
export type InsuranceTables = {
  insurance_coverage_types: CoverageTypeTable
  insurance_companies: InsuranceCompanyTable
  insurance_plans: InsurancePlanTable
  insurances: InsuranceTable
  insurance_holders: InsuranceHolderTable
  insurance_photos: InsurancePhotoTable
}

type CoverageTypeTable = { coverage_type_id: number; key: string; name: string; name_words: string }
type InsuranceCompanyTable = { company_id: Generated<number>; name: string; name_words: string; payer_id: string | null }
type InsurancePlanTable = {
  plan_id: Generated<number>
  company_id: number
  coverage_type_id: number | null
  name: string
  name_words: string
  benefits: Json<Benefits>
}
export type InsuranceTable = {
  id_insurance: string
  company_id: number | null
  plan_id: number | null
  coverage_type_id: number | null
  member_id: string | null
  group_no: string | null
  bin: string | null
  payer_id: string | null
  effective_date: string | null
  term_date: string | null
  in_network: boolean | null
  subscriber_name: string | null
  subscriber_dob: string | null
  benefits: Json<Benefits>
  auth_number: string | null
  auth_obtained_at: string | null
  auth_expires_at: string | null
  services_authorised: Json<Service[]>
  eligibility_checked_at: string | null
  eligibility_raw: string | null
  /** Of what it was made from: the same again under the same id is the same policy. */
  made_from: string
  created_at: string
  created_by: number | null
  version: number
}
/** Whom a policy covers, and what of it is theirs. Without a priority: an ended policy whose place another one has taken. */
type InsuranceHolderTable = {
  id_insurance: string
  id_patient: string
  relationship: Relationship
  priority: InsurancePriority | null
  used: Json<UseDates>
}
type InsurancePhotoTable = { id_insurance: string; side: PhotoSide; mime: string; content: Uint8Array }
