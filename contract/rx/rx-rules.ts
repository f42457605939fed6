import { monthsAfter } from '#contract/rx/exam-recall.ts'
import {
  emptyRx,
  type Eye,
  eyes,
  type EyeNumber,
  type Prescription,
  type RxEye,
  type RxInput,
  type RxKind,
  storedAxis,
  wholeRx,
  type Withdrawal,
} from '#contract/rx/prescription.ts'
import { foreignPaths } from '#contract/rx/rx-kind-fields.ts'
import { type CylinderNotation, type OpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'

/**
 * The legal values of a prescription, and those that deserve a second look, in whole thousandths. Hard rules refuse;
 * warnings only inform.
 */

export type RxNumber = EyeNumber | 'pd_distance_bino' | 'pd_near_bino' | 'pantoscopic_tilt' | 'face_form_wrap' | 'fitting_vertex'
export type NumberRule = { min: number; max: number; step: number; signed?: boolean; whole?: boolean }

const mm = (min: number, max: number): NumberRule => ({ min: min * 1000, max: max * 1000, step: 500 })
const prism: NumberRule = { min: 0, max: 20_000, step: 250 }

const numberRules: Record<RxNumber, NumberRule> = {
  sphere: { min: -30_000, max: 30_000, step: 250, signed: true },
  cylinder: { min: -15_000, max: 15_000, step: 250, signed: true },
  axis: { min: 1, max: 180, step: 1, whole: true },
  add: { min: 250, max: 6000, step: 250, signed: true },
  add_intermediate: { min: 0, max: 6000, step: 250, signed: true },
  prism_h: prism,
  prism_v: prism,
  slab_off: { min: 0, max: 10_000, step: 250 },
  pd_distance_mono: mm(15, 45),
  pd_near_mono: mm(15, 45),
  seg_height: mm(8, 40),
  oc_height: mm(8, 40),
  vertex_distance: mm(5, 20),
  power: { min: -30_000, max: 30_000, step: 250, signed: true },
  base_curve: { min: 6000, max: 10_000, step: 50 },
  diameter: { min: 5000, max: 18_000, step: 100 },
  quantity_boxes: { min: 0, max: 100, step: 1, whole: true },
  annual_supply: { min: 0, max: 100, step: 1, whole: true },
  pd_distance_bino: mm(30, 90),
  pd_near_bino: mm(30, 90),
  pantoscopic_tilt: { min: 0, max: 25_000, step: 500 },
  face_form_wrap: { min: 0, max: 35_000, step: 500 },
  fitting_vertex: mm(5, 20),
}

/**
 * Returns the rule of a field. Contact lenses have base curves by their type, and torics have their own cylinder. The
 * store decides how fine the powers of glasses are.
 */
export function ruleOf(field: RxNumber, kind: RxKind, clType: string | null = null, powerStep: PowerStep = 250): NumberRule {
  if (kind === 'contact_lens') {
    if (field === 'cylinder') return { min: -5750, max: -750, step: 250, signed: true }
    if (field === 'base_curve' && clType?.startsWith('soft')) return { min: 7500, max: 10_000, step: 100 }
    if (field === 'base_curve' && clType === 'rgp') return { min: 6000, max: 9500, step: 50 }
  }
  const rule = numberRules[field]
  return field === 'sphere' || field === 'cylinder' ? { ...rule, step: powerStep } : rule
}

/** Returns the legal values on both sides of an illegal one; only one when it is outside the range. */
export function nearestLegal(value: number, { min, max, step }: NumberRule): number[] {
  const below = min + Math.floor((Math.min(Math.max(value, min), max) - min) / step) * step
  if (value <= min) return [min]
  if (value >= max) return [max]
  return below === value ? [value] : [below, Math.min(below + step, max)]
}

export function isLegal(value: number, { min, max, step }: NumberRule): boolean {
  return value >= min && value <= max && (value - min) % step === 0
}

/** Formats a number as prescriptions write it: `-2.25`, `+1.00`, `090`. */
export function formatNumber(field: RxNumber, value: number | null): string {
  if (value === null) return ''
  const rule = numberRules[field]
  if (field === 'axis') return String(value).padStart(3, '0')
  if ((field === 'sphere' || field === 'power') && value === 0) return 'Plano'
  if (rule.whole) return String(value)
  const digits = rule.step % 100 === 0 && !rule.signed ? 1 : value % 10 === 0 ? 2 : 3
  const text = (Math.abs(value) / 1000).toFixed(digits)
  if (!rule.signed) return text
  return value < 0 ? `-${text}` : `+${text}`
}

export type PowerStep = OpticalSettings['power_step']
/** How a store writes powers. */
export type WayOfWriting = Pick<OpticalSettings, 'power_step' | 'cylinder_notation'>

export type ReadNumber = { ok: true; value: number | null } | { ok: false; message: string; nearest: number[] }

/**
 * Reads a number as opticians type it: `-2` is -2.00, `225` is 2.25, and `pl`, `plano`, `SPH` and `DS` are no power.
 * With eighths in use, `2.12` is 2.125. A number without a sign is plus; a cylinder gets the sign of the store's
 * notation.
 */
export function readNumber(
  field: RxNumber,
  typed: string,
  kind: RxKind,
  clType: string | null = null,
  writing: WayOfWriting = usualOpticalSettings,
): ReadNumber {
  const rule = ruleOf(field, kind, clType, writing.power_step)
  const bareIsMinus = field === 'cylinder' && (kind === 'contact_lens' || writing.cylinder_notation === 'minus')
  const text = typed.trim().replace(/[−–]/g, '-').replace(',', '.')
  if (text === '') return { ok: true, value: null }
  if (/^(pl|plano|sph|ds)$/i.test(text)) {
    if (field === 'sphere' || field === 'power') return { ok: true, value: 0 }
    if (field === 'cylinder') return { ok: true, value: null }
  }
  const parts = /^([+-]?)\s*(\d{0,5})(?:\.(\d{0,3}))?$/.exec(text)
  if (!parts || !/\d/.test(text)) return { ok: false, message: 'must be a number', nearest: [] }
  const [, sign, whole = '', fraction] = parts
  let value = rule.whole ? Number(text) : Math.round(Number(`${whole || 0}.${fraction || 0}`) * 1000)
  // Three digits without a point are hundredths: nobody has +225 diopters.
  if (rule.signed && fraction === undefined && whole.length >= 3) value = Number(whole) * 10
  // Eighths are written with two decimals, cut or rounded.
  if (rule.step === 125 && (value % 250 === 120 || value % 250 === 130)) value = value - (value % 250) + 125
  if (rule.signed && (sign === '-' || (sign === '' && bareIsMinus))) value = -value
  if (value === 0 && field === 'cylinder') return { ok: true, value: null }
  if (field === 'axis') value = storedAxis(value) ?? value
  if (sign === '-' && !rule.signed) value = -Math.abs(value)
  return checkNumber(field, value, rule)
}

function checkNumber(field: RxNumber, value: number, rule: NumberRule): ReadNumber {
  if (isLegal(value, rule)) return { ok: true, value }
  const nearest = nearestLegal(value, rule)
  const words = (each: number) => formatNumber(field, each)
  if (value < rule.min || value > rule.max) {
    return { ok: false, message: `must be from ${words(rule.min)} to ${words(rule.max)}`, nearest }
  }
  return { ok: false, message: `must be ${nearest.map(words).join(' or ')}`, nearest }
}

export type Lens = { sphere: number; cylinder: number; axis: number }

/** Returns the same lens in the other notation: S' = S + C, C' = -C, the axis turned by 90. */
export function transpose({ sphere, cylinder, axis }: Lens): Lens {
  return { sphere: sphere + cylinder, cylinder: -cylinder, axis: axis > 90 ? axis - 90 : axis + 90 }
}

/**
 * Returns a prescription of glasses in a notation. A lens without a whole cylinder, or that would leave the range, is
 * unchanged.
 */
export function inNotation<R extends RxInput>(rx: R, notation: CylinderNotation): R {
  if (rx.rx_kind !== 'spectacle') return rx
  const turned = (eye: R['od']): R['od'] => {
    const { sphere, cylinder, axis } = eye
    if (sphere === null || cylinder === null || axis === null || cylinder > 0 === (notation === 'plus')) return eye
    const other = transpose({ sphere, cylinder, axis })
    const { min, max } = numberRules.sphere
    return other.sphere < min || other.sphere > max ? eye : { ...eye, ...other }
  }
  return { ...rx, od: turned(rx.od), os: turned(rx.os) }
}

export function sphericalEquivalent(sphere: number, cylinder: number | null): number {
  return Math.round(sphere + (cylinder ?? 0) / 2)
}

/** Returns the power needed at the eye for a lens worn `distance` thousandths of a millimeter before it. */
export function vertexPower(power: number, distance: number): number {
  return Math.round(power / (1 - (distance / 1e6) * (power / 1000)))
}

/** Returns the prism, in thousandths, that a decentration in thousandths of a millimeter makes of a power. */
export function prenticePrism(decentration: number, power: number): number {
  return Math.round((Math.abs(decentration) / 10_000) * Math.abs(power))
}

/** The possible withdrawals in each state. Users delete a draft, and an error stays one. */
const withdrawalTable: Record<Prescription['status'], readonly Withdrawal[]> = {
  draft: [],
  active: ['cancelled', 'entered_in_error'],
  superseded: ['entered_in_error'],
  cancelled: ['entered_in_error'],
  entered_in_error: [],
}
export const withdrawalsOf = (status: Prescription['status']) => withdrawalTable[status]

export type RxProblem = { path: string; message: string }
const required = 'This field is required'
const headerNumbers = ['pd_distance_bino', 'pd_near_bino', 'pantoscopic_tilt', 'face_form_wrap', 'fitting_vertex'] as const

/** Returns the illegal values of a draft; a draft may be incomplete. */
export function draftProblems(given: RxInput, powerStep: PowerStep = 250): RxProblem[] {
  const rx = wholeRx(given)
  const foreign = foreignPaths(rx)
  const only = rx.rx_kind === 'spectacle' ? 'is for contact lenses only' : 'is for glasses only'
  const problems: RxProblem[] = foreign.map((path) => ({ path, message: only }))
  const check = (path: string, field: RxNumber, value: number | null, clType: string | null = null) => {
    if (value === null || foreign.includes(path)) return
    const answer = checkNumber(field, value, ruleOf(field, rx.rx_kind, clType, powerStep))
    if (!answer.ok) problems.push({ path, message: answer.message })
  }
  for (const eye of eyes) {
    const values = rx[eye]
    for (const field of Object.keys(numberRules) as RxNumber[]) {
      if (field in values) check(`${eye}.${field}`, field, values[field as EyeNumber], values.cl_type)
    }
    if (!values.cylinder && values.axis !== null) problems.push({ path: `${eye}.axis`, message: 'Enter a cylinder first' })
    if (values.no_lens && rx.rx_kind === 'contact_lens' && !isEmptyEye({ ...values, no_lens: false })) {
      problems.push({ path: `${eye}.no_lens`, message: 'This eye has values' })
    }
    problems.push(...nearTooWide(values.pd_near_mono, values.pd_distance_mono, `${eye}.pd_near_mono`))
    if (values.is_trial && values.annual_supply) {
      problems.push({ path: `${eye}.annual_supply`, message: 'A trial lens can’t be sold as an annual supply' })
    }
  }
  if (rx.od.no_lens && rx.os.no_lens) problems.push({ path: 'os.no_lens', message: 'At least one eye needs a lens' })
  for (const field of headerNumbers) check(field, field, rx[field])
  problems.push(...nearTooWide(rx.pd_near_bino, rx.pd_distance_bino, 'pd_near_bino'))
  if (rx.issue_date !== null && rx.expiry_date !== null && rx.expiry_date <= rx.issue_date) {
    problems.push({ path: 'expiry_date', message: 'must be after the issue date' })
  }
  return problems
}

/** Eyes turn in to look at near things, so the near PD is never the larger one. */
function nearTooWide(near: number | null, far: number | null, path: string): RxProblem[] {
  return near !== null && far !== null && near > far ? [{ path, message: 'can’t be larger than the distance PD' }] : []
}

function isEmptyEye(eye: RxEye): boolean {
  const empty = emptyRx('contact_lens').od
  return (Object.keys(empty) as (keyof RxEye)[]).every((field) => eye[field] === empty[field])
}

/** Returns the problems that prevent signing a prescription on a day. */
export function signingProblems(given: RxInput, today: string, powerStep: PowerStep = 250): RxProblem[] {
  const rx = wholeRx(given)
  const problems = draftProblems(rx, powerStep)
  const need = (path: string, value: unknown) => {
    if (value === null || value === '') problems.push({ path, message: required })
  }
  for (const day of ['exam_date', 'issue_date', 'expiry_date'] as const) need(day, rx[day])
  if (rx.exam_date !== null && rx.exam_date > today) problems.push({ path: 'exam_date', message: 'can’t be in the future' })
  if (isShortContactLens(rx)) need('expiry_reason', rx.expiry_reason)
  if (rx.is_outside_rx) need('provider_name', rx.provider_name)
  for (const eye of eyes) {
    needOfEye(rx, eye, need)
    // Signed, it would be the prescription in force, which anyone may fill, before the fitting is over.
    if (rx[eye].is_trial)
      problems.push({ path: `${eye}.is_trial`, message: 'A trial lens isn’t a final prescription. Keep it as a draft.' })
  }
  return problems
}

/** Contact lenses are good for a year at least, unless a medical reason is written down (16 CFR 315.6). */
export function isShortContactLens({ rx_kind, issue_date, expiry_date }: RxInput): boolean {
  if (rx_kind !== 'contact_lens' || issue_date === null || expiry_date === null) return false
  return expiry_date < monthsAfter(issue_date, 12)
}

function needOfEye(rx: RxInput, eye: Eye, need: (path: string, value: unknown) => void): void {
  const values = rx[eye]
  const of = (field: keyof typeof values) => need(`${eye}.${field}`, values[field])
  if (rx.rx_kind === 'contact_lens' ? values.no_lens : rx.balance_lens_eye === eye) return
  if (values.cylinder) of('axis')
  if (rx.rx_kind === 'contact_lens') {
    for (const field of ['power', 'cl_modality', 'cl_type', 'brand', 'manufacturer', 'diameter'] as const) of(field)
    if (values.base_curve_designation === null) of('base_curve')
    if (values.cl_type === 'soft_toric') of('cylinder')
    if (values.cl_type === 'soft_multifocal' && values.add_designation === null) of('add')
    return
  }
  of('sphere')
  if (rx.rx_type !== 'single_vision') of('add')
  if (rx.rx_type === 'trifocal') of('add_intermediate')
  if (values.prism_h) of('prism_h_base')
  if (values.prism_v) of('prism_v_base')
  if (Math.abs(values.sphere ?? 0) >= 6000) of('vertex_distance')
}
