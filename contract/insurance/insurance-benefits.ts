import * as v from 'valibot'
import { orNull } from '#contract/patients/patient.ts'
import { cents } from '#contract/core/primitives.ts'

/** What a policy pays, how often, and what is left for the patient: pure rules, money in whole cents. */

export const services = ['exam', 'lens', 'frame', 'cl'] as const
export type Service = (typeof services)[number]
export const lensKinds = ['sv', 'bi', 'tri', 'prog'] as const
export type LensKind = (typeof lensKinds)[number]

const percent = v.pipe(v.number(), v.integer(), v.minValue(0, 'must be from 0 to 100'), v.maxValue(100, 'must be from 0 to 100'))
const months = v.pipe(v.number(), v.integer(), v.minValue(1, 'must be from 1 to 120'), v.maxValue(120, 'must be from 1 to 120'))

const lensCover = v.variant('kind', [
  v.object({ kind: v.literal('covered') }),
  v.object({ kind: v.literal('copay'), copay_cents: cents }),
  v.object({ kind: v.literal('discount'), discount_pct: percent }),
])
export type LensCover = v.InferOutput<typeof lensCover>

/** Null is what the plan does not pay for: then the patient pays all of it. */
export const benefits = v.object({
  exam_copay_cents: orNull(cents),
  material_copay_cents: orNull(cents),
  contact_fit_copay_cents: orNull(cents),
  frame_allowance_cents: orNull(cents),
  frame_overage_discount_pct: orNull(percent),
  cl_allowance_cents: orNull(cents),
  lens_coverage: v.optional(
    v.object({ sv: orNull(lensCover), bi: orNull(lensCover), tri: orNull(lensCover), prog: orNull(lensCover) }),
    () => ({}),
  ),
  /** Months from one use to the next; null where the plan sets no limit, or does not say. */
  frequency: v.optional(v.object({ exam: orNull(months), lens: orNull(months), frame: orNull(months), cl: orNull(months) }), () => ({})),
})
export type Benefits = v.InferOutput<typeof benefits>

export const noBenefits: Benefits = v.parse(benefits, {})

/** When each service was last used by a patient, `YYYY-MM-DD`. */
export type UseDates = Record<Service, string | null>

/** The same day of another month; the last one where that month is shorter. */
export function plusMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + count, 1))
  const lastDate = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, lastDate))
  return first.toISOString().slice(0, 10)
}

/** The first day on which a service may be used again; null when it may be used on any day. */
export function nextEligible(lastUsed: string | null, everyMonths: number | null): string | null {
  return lastUsed === null || everyMonths === null ? null : plusMonths(lastUsed, everyMonths)
}

type Term = { effective_date: string | null; term_date: string | null }

/** `upcoming` before its first day, `ended` after its last one. */
export function policyState({ effective_date, term_date }: Term, today: string): 'upcoming' | 'in force' | 'ended' {
  if (term_date !== null && term_date < today) return 'ended'
  return effective_date !== null && effective_date > today ? 'upcoming' : 'in force'
}

export type BenefitState = {
  service: Service
  months: number | null
  lastUsed: string | null
  /** From when it may be used again; null when it may be used now. */
  due: string | null
}

/** How each service stands for a patient on a day. */
export function benefitStates({ frequency }: Pick<Benefits, 'frequency'>, used: UseDates, today: string): BenefitState[] {
  return services.map((service) => {
    const due = nextEligible(used[service], frequency[service])
    return { service, months: frequency[service], lastUsed: used[service], due: due !== null && due > today ? due : null }
  })
}

/** A part of an amount in whole cents, half a cent up. */
function share(amount: number, pct: number): number {
  return Math.round((amount * pct) / 100)
}

/** What of a frame's price is above the allowance, less the plan's discount on it. */
export function frameOverage(retail: number, { frame_allowance_cents, frame_overage_discount_pct }: Benefits): number {
  if (frame_allowance_cents === null) return retail
  return share(Math.max(0, retail - frame_allowance_cents), 100 - (frame_overage_discount_pct ?? 0))
}

/** Prices of what is ordered, in cents; what is not ordered is null. */
export type Order = {
  exam: number | null
  fit: number | null
  frame: number | null
  lens: { kind: LensKind; price: number } | null
  cl: number | null
}

export const shareItems = ['exam', 'fit', 'frame', 'lens', 'material copay', 'cl'] as const
export type ShareLine = { item: (typeof shareItems)[number]; retail: number; patient: number; plan: number; notYet: string | null }
export type Shares = { lines: ShareLine[]; retail: number; patient: number; plan: number }

/**
 * What the patient pays of an order. The material copay is asked once for frame and lenses, and never more than the plan pays of them.
 * What may not be used yet is paid by the patient.
 *
 * @param states how the services stand on the day of the order
 */
export function patientShares(order: Order, given: Benefits, states: readonly BenefitState[]): Shares {
  const lines: ShareLine[] = []
  const dueOf = (service: Service) => states.find((state) => state.service === service)?.due ?? null
  const add = (item: ShareLine['item'], service: Service, retail: number | null, patientPart: (price: number) => number) => {
    if (retail === null) return 0
    const notYet = dueOf(service)
    const patient = notYet === null ? Math.min(retail, patientPart(retail)) : retail
    lines.push({ item, retail, patient, plan: retail - patient, notYet })
    return retail - patient
  }
  add('exam', 'exam', order.exam, (price) => given.exam_copay_cents ?? price)
  add('fit', 'cl', order.fit, (price) => given.contact_fit_copay_cents ?? price)
  const frame = add('frame', 'frame', order.frame, (price) => frameOverage(price, given))
  const lens = order.lens
  const lenses = add('lens', 'lens', lens?.price ?? null, (price) => lensShare(price, lens ? given.lens_coverage[lens.kind] : null))
  const copay = Math.min(given.material_copay_cents ?? 0, frame + lenses)
  if (copay > 0) lines.push({ item: 'material copay', retail: 0, patient: copay, plan: -copay, notYet: null })
  add('cl', 'cl', order.cl, (price) => Math.max(0, price - (given.cl_allowance_cents ?? 0)))
  const sum = (part: 'retail' | 'patient' | 'plan') => lines.reduce((total, line) => total + line[part], 0)
  return { lines, retail: sum('retail'), patient: sum('patient'), plan: sum('plan') }
}

function lensShare(price: number, cover: LensCover | null): number {
  if (cover === null) return price
  if (cover.kind === 'covered') return 0
  return cover.kind === 'copay' ? cover.copay_cents : share(price, 100 - cover.discount_pct)
}
