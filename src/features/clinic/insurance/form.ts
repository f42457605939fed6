import * as v from 'valibot'
import {
  changedInsurance,
  type Insurance,
  type InsurancePlan,
  type InsurancePriority,
  type Relationship,
} from '#contract/insurance/insurance.ts'
import { type Benefits, lensKinds, type LensCover, type LensKind, type Service, services } from '#contract/insurance/insurance-benefits.ts'
import { centsOf, notAnAmount, typedMoney } from '#src/ui/forms/typed-money.ts'

type LensField = { kind: '' | LensCover['kind']; amount: string }

/** The text in the fields of a policy. `other` is a company or plan that is not in the list. */
export type PolicyForm = {
  company: string
  company_name: string
  plan: string
  plan_name: string
  coverage: string
  member_id: string
  group_no: string
  bin: string
  payer_id: string
  priority: '' | InsurancePriority
  relationship: Relationship
  subscriber_name: string
  subscriber_dob: string
  effective_date: string
  term_date: string
  in_network: '' | 'yes' | 'no'
  money: Record<MoneyField, string>
  discount: string
  lenses: Record<LensKind, LensField>
  months: Record<Service, string>
  used: Record<Service, string>
  auth_number: string
  auth_obtained_at: string
  auth_expires_at: string
  services_authorised: Service[]
  eligibility_checked_at: string
  eligibility_raw: string
  /** Base64 of a new photo, null to remove the photo, undefined to keep it. */
  front_photo?: string | null
  back_photo?: string | null
}

export const moneyFields = [
  'exam_copay_cents',
  'material_copay_cents',
  'contact_fit_copay_cents',
  'frame_allowance_cents',
  'cl_allowance_cents',
] as const
export type MoneyField = (typeof moneyFields)[number]

function eachOf<K extends string, T>(keys: readonly K[], make: (key: K) => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, T>
}

const emptyForm: PolicyForm = {
  company: '',
  company_name: '',
  plan: '',
  plan_name: '',
  coverage: '',
  member_id: '',
  group_no: '',
  bin: '',
  payer_id: '',
  priority: '',
  relationship: 'self',
  subscriber_name: '',
  subscriber_dob: '',
  effective_date: '',
  term_date: '',
  in_network: '',
  money: eachOf(moneyFields, () => ''),
  discount: '',
  lenses: eachOf(lensKinds, () => ({ kind: '' as const, amount: '' })),
  months: eachOf(services, () => ''),
  used: eachOf(services, () => ''),
  auth_number: '',
  auth_obtained_at: '',
  auth_expires_at: '',
  services_authorised: [],
  eligibility_checked_at: '',
  eligibility_raw: '',
}

/** Returns a new policy with the first free priority. */
export function newForm(free: InsurancePriority | undefined): PolicyForm {
  return { ...emptyForm, priority: free ?? '' }
}

export function formOf(policy: Insurance): PolicyForm {
  return {
    ...emptyForm,
    ...benefitFields(policy.benefits),
    company: policy.company_id === null ? '' : String(policy.company_id),
    plan: policy.plan_id === null ? '' : String(policy.plan_id),
    coverage: policy.coverage_type_id === null ? '' : String(policy.coverage_type_id),
    member_id: policy.member_id ?? '',
    group_no: policy.group_no ?? '',
    bin: policy.bin ?? '',
    payer_id: policy.payer_id ?? '',
    priority: policy.priority ?? '',
    relationship: policy.relationship,
    subscriber_name: policy.subscriber_name ?? '',
    subscriber_dob: policy.subscriber_dob ?? '',
    effective_date: policy.effective_date ?? '',
    term_date: policy.term_date ?? '',
    in_network: policy.in_network === null ? '' : policy.in_network ? 'yes' : 'no',
    used: eachOf(services, (service) => policy.used[service] ?? ''),
    auth_number: policy.auth_number ?? '',
    auth_obtained_at: policy.auth_obtained_at ?? '',
    auth_expires_at: policy.auth_expires_at ?? '',
    services_authorised: policy.services_authorised,
    eligibility_checked_at: policy.eligibility_checked_at ?? '',
    eligibility_raw: policy.eligibility_raw ?? '',
  }
}

/** Replaces the benefits with the chosen plan's usual ones. */
export function withPlan(form: PolicyForm, plan: InsurancePlan): PolicyForm {
  const coverage = plan.coverage_type_id === null ? form.coverage : String(plan.coverage_type_id)
  return { ...form, ...benefitFields(plan.benefits), plan: String(plan.plan_id), coverage }
}

function benefitFields(benefits: Benefits): Pick<PolicyForm, 'money' | 'discount' | 'lenses' | 'months'> {
  return {
    money: eachOf(moneyFields, (field) => typedMoney(benefits[field])),
    discount: benefits.frame_overage_discount_pct === null ? '' : String(benefits.frame_overage_discount_pct),
    lenses: eachOf(lensKinds, (kind) => lensField(benefits.lens_coverage[kind])),
    months: eachOf(services, (service) => (benefits.frequency[service] === null ? '' : String(benefits.frequency[service]))),
  }
}

function lensField(cover: LensCover | null): LensField {
  if (cover === null) return { kind: '', amount: '' }
  if (cover.kind === 'covered') return { kind: 'covered', amount: '' }
  return cover.kind === 'copay'
    ? { kind: 'copay', amount: typedMoney(cover.copay_cents) }
    : { kind: 'discount', amount: String(cover.discount_pct) }
}

/** Problems by field, with the server's field names. */
export type Problems = Readonly<Record<string, string>>
export type ReadPolicy = Omit<v.InferInput<typeof changedInsurance>, 'front_photo' | 'back_photo' | 'version'>

/**
 * Returns the form's policy, or the problem of each wrong field. It uses the contract's own rules, so the server finds
 * no more.
 */
export function readForm(form: PolicyForm, idPatient: string): { input: ReadPolicy } | { problems: Problems } {
  const problems: Record<string, string> = {}
  const money = (path: string, typed: string): number | null => {
    const cents = centsOf(typed)
    if (cents === undefined) problems[path] = notAnAmount
    return cents ?? null
  }
  const whole = (path: string, typed: string, most: number, least = 0): number | null => {
    if (typed.trim() === '') return null
    const value = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN
    if (!(value >= least && value <= most)) problems[path] = `must be between ${least} and ${most}`
    return Number.isNaN(value) ? null : value
  }
  const lens = (kind: LensKind): LensCover | null => {
    const { kind: cover, amount } = form.lenses[kind]
    const path = `benefits.lens_coverage.${kind}`
    if (cover === '') return null
    if (cover === 'covered') return { kind: 'covered' }
    if (amount.trim() === '') problems[path] = 'This field is required'
    return cover === 'copay'
      ? { kind: 'copay', copay_cents: money(path, amount) ?? 0 }
      : { kind: 'discount', discount_pct: whole(path, amount, 100) ?? 0 }
  }
  const chosen = (value: string) => (value === '' || value === 'other' ? null : Number(value))
  const input: ReadPolicy = {
    id_patient: idPatient,
    company_id: chosen(form.company),
    company_name: form.company === 'other' ? form.company_name : null,
    plan_id: chosen(form.plan),
    plan_name: form.plan === 'other' ? form.plan_name : null,
    coverage_type_id: chosen(form.coverage),
    member_id: form.member_id,
    group_no: form.group_no,
    bin: form.bin,
    payer_id: form.payer_id,
    priority: form.priority,
    relationship: form.relationship,
    subscriber_name: form.subscriber_name,
    subscriber_dob: form.subscriber_dob,
    effective_date: form.effective_date,
    term_date: form.term_date,
    in_network: form.in_network === '' ? null : form.in_network === 'yes',
    benefits: {
      ...eachOf(moneyFields, (field) => money(`benefits.${field}`, form.money[field])),
      frame_overage_discount_pct: whole('benefits.frame_overage_discount_pct', form.discount, 100),
      lens_coverage: eachOf(lensKinds, lens),
      frequency: eachOf(services, (service) => whole(`benefits.frequency.${service}`, form.months[service], 120, 1)),
    },
    used: eachOf(services, (service) => form.used[service]),
    auth_number: form.auth_number,
    auth_obtained_at: form.auth_obtained_at,
    auth_expires_at: form.auth_expires_at,
    services_authorised: form.services_authorised,
    eligibility_checked_at: form.eligibility_checked_at,
    eligibility_raw: form.eligibility_raw,
  }
  const read = v.safeParse(changedInsurance, input)
  for (const issue of read.issues ?? []) {
    const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
    problems[path] ??= issue.message
  }
  return Object.keys(problems).length > 0 ? { problems } : { input }
}
