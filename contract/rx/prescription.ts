import * as v from 'valibot'
import { letterhead } from '#contract/settings/letterhead.ts'
import { day, keptDay } from '#contract/core/day.ts'
import { instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'

/**
 * A prescription: one record, two eyes. Powers are whole thousandths of a diopter, prisms of a prism diopter and
 * lengths of a millimeter, so that nothing is ever rounded. An axis is whole degrees.
 */

export const rxKinds = ['spectacle', 'contact_lens'] as const
export const rxTypes = ['single_vision', 'bifocal', 'trifocal', 'progressive'] as const
export const rxUses = ['distance', 'near', 'intermediate', 'full_time', 'safety', 'sun'] as const
export const refractionSources = ['W', 'AR', 'MR', 'CR', 'CTL', 'outside'] as const
export const rxStatuses = ['draft', 'active', 'superseded', 'cancelled', 'entered_in_error'] as const
/** The two ways to withdraw a signed one: it was right and no longer holds, or it was never right. */
export const withdrawals = ['cancelled', 'entered_in_error'] as const
export type Withdrawal = (typeof withdrawals)[number]
/** The ways in which a prescription leaves the clinic. */
export const copyWays = ['print', 'export', 'email'] as const
export const clModalities = ['daily', 'two_week', 'monthly', 'quarterly', 'annual', 'extended'] as const
export const clTypes = ['soft_sphere', 'soft_toric', 'soft_multifocal', 'rgp', 'scleral', 'hybrid', 'cosmetic'] as const
export const eyes = ['od', 'os'] as const
export type Eye = (typeof eyes)[number]
export type RxKind = (typeof rxKinds)[number]

/** Wide enough for every field. The rules have the legal range of each. */
const measured = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))), null)

function oneOf<const O extends readonly string[]>(options: O) {
  return v.optional(v.nullable(v.picklist(options, 'must be one of the choices')), null)
}

function optionalText(max: number) {
  return v.pipe(
    v.optional(v.nullable(text(max)), null),
    v.transform((given) => given?.trim() || null),
  )
}

const optionalDay = v.optional(v.nullable(day), null)
const keptOptionalDay = v.optional(v.nullable(keptDay), null)

/** The horizontal axis is stored as 180; a typed or sent 0 means the same. */
export const storedAxis = (axis: number | null) => (axis === 0 ? 180 : axis)

const measuredOfEye = {
  sphere: measured,
  cylinder: measured,
  axis: v.pipe(measured, v.transform(storedAxis)),
  add: measured,
  add_intermediate: measured,
  prism_h: measured,
  prism_v: measured,
  slab_off: measured,
  pd_distance_mono: measured,
  pd_near_mono: measured,
  seg_height: measured,
  oc_height: measured,
  vertex_distance: measured,
  power: measured,
  base_curve: measured,
  diameter: measured,
  quantity_boxes: measured,
  annual_supply: measured,
} as const
export type EyeNumber = keyof typeof measuredOfEye

export const rxEye = v.object({
  ...measuredOfEye,
  prism_h_base: oneOf(['in', 'out']),
  prism_v_base: oneOf(['up', 'down']),
  va_distance: optionalText(20),
  va_near: optionalText(20),
  cl_modality: oneOf(clModalities),
  cl_type: oneOf(clTypes),
  manufacturer: optionalText(100),
  brand: optionalText(100),
  supplier: optionalText(100),
  /** For a multifocal lens that is sold as low, medium or high instead of by a number. */
  add_designation: oneOf(['low', 'med', 'high']),
  /** For a lens made in named curves: beside the number, or instead of it. */
  base_curve_designation: oneOf(['flat', 'steep']),
  /** For a private label: the brand that is the same lens (15 USC 7610(3)). */
  equivalent_brand: optionalText(100),
  dominance: oneOf(['D', 'N']),
  color: optionalText(50),
  wear_schedule: optionalText(100),
  replacement: optionalText(100),
  solution: optionalText(100),
  /** The material of the lens, if known. Rigid lenses require it. */
  material: optionalText(100),
  is_trial: v.optional(v.boolean(), false),
  /** For contact lenses: this eye wears none. */
  no_lens: v.optional(v.boolean(), false),
})
export type RxEye = v.InferOutput<typeof rxEye>

/** The fields of the form. */
export const rxInput = v.object({
  rx_kind: v.picklist(rxKinds, 'must be one of the choices'),
  rx_type: v.optional(v.picklist(rxTypes, 'must be one of the choices'), 'single_vision'),
  rx_use: oneOf(rxUses),
  refraction_source: oneOf(refractionSources),
  exam_date: optionalDay,
  issue_date: optionalDay,
  expiry_date: optionalDay,
  provider_id: v.optional(v.nullable(rowId), null),
  provider_name: optionalText(100),
  license_no: optionalText(40),
  npi: v.pipe(
    optionalText(10),
    v.check((given) => given === null || /^\d{10}$/.test(given), 'must have 10 digits'),
  ),
  /** Why contact lenses are good for less than a year. */
  expiry_reason: optionalText(200),
  is_outside_rx: v.optional(v.boolean(), false),
  outside_provider_contact: optionalText(200),
  balance_lens_eye: v.optional(v.picklist(['none', 'od', 'os']), 'none'),
  pd_distance_bino: measured,
  pd_near_bino: measured,
  pantoscopic_tilt: measured,
  face_form_wrap: measured,
  fitting_vertex: measured,
  notes_to_optician: optionalText(2000),
  notes_internal: optionalText(2000),
  od: v.optional(rxEye, {}),
  os: v.optional(rxEye, {}),
})
export type RxInput = v.InferOutput<typeof rxInput>

/** Points as `x, y, x, y …` on a pad of 1000 by 300; one list a stroke. */
const strokes = v.pipe(
  v.array(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))), v.minLength(4), v.maxLength(4000))),
  v.minLength(1, 'This field is required'),
  v.maxLength(100),
)
export const rxSignature = v.variant('kind', [
  v.object({ kind: v.literal('typed'), name: requiredText(100) }),
  v.object({ kind: v.literal('drawn'), strokes }),
])
export type RxSignature = v.InferOutput<typeof rxSignature>

export const prescription = v.object({
  ...rxInput.entries,
  exam_date: keptOptionalDay,
  issue_date: keptOptionalDay,
  expiry_date: keptOptionalDay,
  id_rx: uuid,
  id_patient: uuid,
  status: v.picklist(rxStatuses),
  signature: v.nullable(rxSignature),
  signed_by: v.nullable(v.string()),
  signed_at: v.nullable(instant),
  /** Who withdrew it, when and why; null for all others. */
  withdrawn: v.nullable(v.object({ at: instant, by: v.nullable(v.string()), reason: v.string() })),
  /**
   * For an outside prescription: the file in the patient's record that shows its paper. Also null for users who may not
   * read files.
   */
  scan: v.optional(v.nullable(v.object({ id_file: uuid, filename: v.string() })), null),
  /**
   * The letterhead of the patient's store today: the contact of our own prescribers. Null while nobody has entered it.
   */
  letterhead: v.optional(v.nullable(letterhead), null),
  created_at: instant,
  created_by: v.nullable(v.string()),
  version: rowId,
})
export type Prescription = v.InferOutput<typeof prescription>

/** Returns an empty prescription of a kind. */
export function emptyRx(kind: RxKind): RxInput {
  return v.parse(rxInput, { rx_kind: kind })
}

const emptyEye = v.parse(rxEye, {})

/** Returns a stored prescription with all fields. Fields that the app has added since are there, unfilled. */
export function wholeRx<R extends RxInput>(kept: R): R {
  const eye = (given: RxEye | undefined): RxEye => {
    const whole = filled(emptyEye, given)
    return { ...whole, axis: storedAxis(whole.axis) }
  }
  return { ...filled<R>(emptyRx(kept.rx_kind) as R, kept), od: eye(kept.od), os: eye(kept.os) }
}

function filled<T extends object>(empty: T, given: Partial<T> | undefined): T {
  return { ...empty, ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) }
}
