import type { Insertable } from 'kysely'
import { fold } from '#contract/core/folding.ts'
import { type Benefits, noBenefits } from '#contract/insurance/insurance-benefits.ts'
import { insurancePriorities } from '#contract/insurance/insurance.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

const usual: Benefits = {
  ...noBenefits,
  exam_copay_cents: 1000,
  material_copay_cents: 2500,
  contact_fit_copay_cents: 6000,
  frame_allowance_cents: 14_000,
  frame_overage_discount_pct: 20,
  cl_allowance_cents: 13_000,
  lens_coverage: {
    sv: { kind: 'covered' },
    bi: { kind: 'covered' },
    tri: { kind: 'covered' },
    prog: { kind: 'copay', copay_cents: 5500 },
  },
  frequency: { exam: 12, lens: 12, frame: 24, cl: 12 },
}
const better: Benefits = {
  ...usual,
  material_copay_cents: 1000,
  frame_allowance_cents: 20_000,
  frequency: { ...usual.frequency, frame: 12 },
}
const medical: Benefits = { ...noBenefits, exam_copay_cents: 3000 }
const discount: Benefits = {
  ...noBenefits,
  frame_allowance_cents: 0,
  frame_overage_discount_pct: 30,
  lens_coverage: { ...usual.lens_coverage, ...allLenses(20) },
}
const [vision, medicalCare, discountCard, medicaid, medicare] = [1, 2, 4, 5, 6]

type DemoPlan = { name: string; covers: number | undefined; benefits: Benefits }
type DemoCompany = { name: string; payer: string; share: number; plans: DemoPlan[] }

/** Made-up companies with typical plans. */
const demoCompanies: DemoCompany[] = [
  {
    name: 'Clear Harbour Vision',
    payer: 'CHV01',
    share: 0.4,
    plans: [
      { name: 'Choice', covers: vision, benefits: usual },
      { name: 'Signature', covers: vision, benefits: better },
    ],
  },
  { name: 'Lakeshore Eye Plan', payer: 'LEP22', share: 0.2, plans: [{ name: 'Family', covers: vision, benefits: usual }] },
  { name: 'Meadow Mutual Health', payer: 'MMH10', share: 0.15, plans: [{ name: 'Open Access', covers: medicalCare, benefits: medical }] },
  {
    name: 'State Medicaid',
    payer: 'SMCD1',
    share: 0.12,
    plans: [{ name: 'Vision Services', covers: medicaid, benefits: { ...usual, exam_copay_cents: 0 } }],
  },
  { name: 'Medicare', payer: 'MCRB1', share: 0.08, plans: [{ name: 'Part B', covers: medicare, benefits: medical }] },
  { name: 'Optic Saver Club', payer: 'OSC05', share: 0.05, plans: [{ name: 'Member card', covers: discountCard, benefits: discount }] },
]

function allLenses(pct: number): Benefits['lens_coverage'] {
  const cover = { kind: 'discount' as const, discount_pct: pct }
  return { sv: cover, bi: cover, tri: cover, prog: cover }
}

export const companyRows: Insertable<Schema['insurance_companies']>[] = demoCompanies.map(({ name, payer }, index) => ({
  company_id: index + 1,
  name,
  name_words: fold(name),
  payer_id: payer,
}))

const plans = demoCompanies
  .flatMap((company, index) => company.plans.map((plan) => ({ ...plan, company_id: index + 1 })))
  .map((plan, index) => ({ ...plan, plan_id: index + 1 }))

export const planRows: Insertable<Schema['insurance_plans']>[] = plans.map(({ plan_id, company_id, covers, name, benefits }) => ({
  plan_id,
  company_id,
  coverage_type_id: covers ?? null,
  name,
  name_words: fold(name),
  benefits: JSON.stringify(benefits),
}))

export const policyColumns = {
  id_insurance: 'uuid',
  company_id: 'integer',
  plan_id: 'integer',
  coverage_type_id: 'integer',
  member_id: 'text',
  group_no: 'text',
  payer_id: 'text',
  effective_date: 'date',
  term_date: 'date',
  in_network: 'boolean',
  benefits: 'jsonb',
  services_authorised: 'jsonb',
  made_from: 'text',
  created_at: 'timestamptz',
  version: 'integer',
} as const
export const holderColumns = { id_insurance: 'uuid', id_patient: 'uuid', relationship: 'text', priority: 'text', used: 'jsonb' } as const

type Insured = { id: string; dob: string | null; last_exam_date: string | null }
type Policies = { policies: Insertable<Schema['insurances']>[]; holders: Insertable<Schema['insurance_holders']>[] }

/**
 * Three of four patients have a policy, and some have a second one. The policy of the patient before covers a few
 * children.
 */
export function demoPolicies(patients: Iterable<Insured>, calendar: DemoCalendar, random: SeededRandom): Policies {
  const policies: Policies['policies'] = []
  const holders: Policies['holders'] = []
  const shares = Object.fromEntries(demoCompanies.map(({ share }, index) => [String(index), share]))
  const childhood = calendar.daysAgo(18 * 365).slice(0, 10)
  let last: string | null = null
  for (const { id, dob, last_exam_date } of patients) {
    const used = JSON.stringify({
      exam: last_exam_date,
      lens: last_exam_date !== null && random.chance(0.6) ? last_exam_date : null,
      frame: last_exam_date !== null && random.chance(0.5) ? last_exam_date : null,
      cl: last_exam_date !== null && random.chance(0.15) ? last_exam_date : null,
    })
    if (last !== null && dob !== null && dob > childhood && random.chance(0.5)) {
      holders.push({ id_insurance: last, id_patient: id, relationship: 'child', priority: 'primary', used })
      continue
    }
    const count = random.chance(0.75) ? (random.chance(0.12) ? 2 : 1) : 0
    const first = Number(random.weighted(shares))
    for (const [nth, priority] of insurancePriorities.slice(0, count).entries()) {
      // A second policy is with another company.
      const company = (first + nth) % demoCompanies.length
      const plan = random.pick(plans.filter(({ company_id }) => company_id === company + 1))
      const began = calendar.daysAgo(random.int(30, 1400))
      const policy = {
        id_insurance: random.uuid(),
        company_id: plan.company_id,
        plan_id: plan.plan_id,
        coverage_type_id: plan.covers ?? null,
        member_id: `${random.pick(['A', 'K', 'W', 'ZX'])}${random.int(10_000_000, 99_999_999)}`,
        group_no: random.chance(0.7) ? `G-${random.int(1000, 9999)}` : null,
        payer_id: demoCompanies[company]?.payer ?? null,
        effective_date: began.slice(0, 10),
        term_date: random.chance(0.06) ? calendar.daysAgo(random.int(1, 25)).slice(0, 10) : null,
        in_network: random.chance(0.9),
        benefits: JSON.stringify(plan.benefits),
        services_authorised: '[]',
        made_from: 'demo',
        created_at: began,
        version: 1,
      }
      policies.push(policy)
      holders.push({ id_insurance: policy.id_insurance, id_patient: id, relationship: 'self', priority, used })
      if (priority === 'primary') last = policy.id_insurance
    }
  }
  return { policies, holders }
}
