import { emptyRx, eyes, type RxEye, type RxInput, type RxKind } from '#contract/rx/prescription.ts'

/** Which fields belong to glasses alone and which to contact lenses alone; all others belong to both. */

type HeaderField = Exclude<keyof RxInput, 'od' | 'os'>
type Field = HeaderField | keyof RxEye

const header: Record<RxKind, readonly HeaderField[]> = {
  spectacle: [
    'rx_type',
    'rx_use',
    'balance_lens_eye',
    'pd_distance_bino',
    'pd_near_bino',
    'pantoscopic_tilt',
    'face_form_wrap',
    'fitting_vertex',
  ],
  contact_lens: ['expiry_reason'],
}
const ofEye: Record<RxKind, readonly (keyof RxEye)[]> = {
  spectacle: [
    'sphere',
    'add_intermediate',
    'prism_h',
    'prism_h_base',
    'prism_v',
    'prism_v_base',
    'slab_off',
    'pd_distance_mono',
    'pd_near_mono',
    'seg_height',
    'oc_height',
    'vertex_distance',
    'va_distance',
    'va_near',
  ],
  contact_lens: [
    'power',
    'base_curve',
    'base_curve_designation',
    'diameter',
    'quantity_boxes',
    'annual_supply',
    'cl_modality',
    'cl_type',
    'manufacturer',
    'brand',
    'material',
    'supplier',
    'add_designation',
    'equivalent_brand',
    'dominance',
    'color',
    'wear_schedule',
    'replacement',
    'solution',
    'is_trial',
    'no_lens',
  ],
}
const otherKind = { spectacle: 'contact_lens', contact_lens: 'spectacle' } as const

export function belongsTo(field: Field, kind: RxKind): boolean {
  const foreign: readonly Field[] = [...header[otherKind[kind]], ...ofEye[otherKind[kind]]]
  return !foreign.includes(field)
}

/** The paths that are filled in, but belong to the other kind. */
export function foreignPaths(rx: RxInput): string[] {
  const other = otherKind[rx.rx_kind]
  const empty = emptyRx(rx.rx_kind)
  return [
    ...header[other].filter((field) => rx[field] !== empty[field]),
    ...eyes.flatMap((eye) => ofEye[other].filter((field) => rx[eye][field] !== empty[eye][field]).map((field) => `${eye}.${field}`)),
  ]
}

/** The same without what belongs to the other kind: drafts of former versions could hold it, and no form shows it any more. */
export function withoutForeign<R extends RxInput>(rx: R): R {
  const other = otherKind[rx.rx_kind]
  const empty = emptyRx(rx.rx_kind)
  const emptied = <T extends object>(fields: readonly (keyof T)[], from: T) =>
    Object.fromEntries(fields.map((field) => [field, from[field]]))
  const eye = (name: 'od' | 'os') => ({ ...rx[name], ...emptied(ofEye[other], empty[name]) })
  return { ...rx, ...emptied(header[other], empty as RxInput), od: eye('od'), os: eye('os') }
}
