import type { RxInput, RxKind } from '#contract/rx/prescription.ts'
import { belongsTo } from '#contract/rx/rx-kind-fields.ts'

type Fields = readonly (readonly [field: string, label: string])[]

const spectacleRow: Fields = [
  ['sphere', 'Sphere'],
  ['cylinder', 'Cylinder'],
  ['axis', 'Axis'],
  ['add', 'Add'],
]
const contactRow: Fields = [
  ['power', 'Power'],
  ['cylinder', 'Cylinder'],
  ['axis', 'Axis'],
  ['add', 'Add'],
  ['no_lens', 'No lens for this eye'],
]
const spectacleMore: Fields = [
  ['add_intermediate', 'Intermediate add'],
  ['prism_h', 'Prism, horizontal'],
  ['prism_h_base', 'Base in or out'],
  ['prism_v', 'Prism, vertical'],
  ['prism_v_base', 'Base up or down'],
  ['slab_off', 'Slab-off'],
  ['pd_distance_mono', 'Distance PD, mm'],
  ['pd_near_mono', 'Near PD, mm'],
  ['seg_height', 'Segment height, mm'],
  ['oc_height', 'Optical center, mm'],
  ['vertex_distance', 'Vertex, mm'],
  ['va_distance', 'Distance VA'],
  ['va_near', 'Near VA'],
]
const contactMore: Fields = [
  ['brand', 'Brand'],
  ['manufacturer', 'Manufacturer'],
  ['material', 'Material'],
  ['cl_type', 'Type'],
  ['cl_modality', 'Wear time'],
  ['equivalent_brand', 'Private label of'],
  ['supplier', 'Supplier'],
  ['base_curve', 'Base curve, mm'],
  ['base_curve_designation', 'Base curve, named'],
  ['diameter', 'Diameter, mm'],
  ['add_designation', 'Add, named'],
  ['dominance', 'Dominance'],
  ['color', 'Color'],
  ['quantity_boxes', 'Boxes'],
  ['annual_supply', 'Boxes per year'],
  ['is_trial', 'Trial lens'],
  ['wear_schedule', 'Wear schedule'],
  ['replacement', 'Replacement'],
  ['solution', 'Solution'],
]

export const rowOf = (kind: RxKind) => (kind === 'spectacle' ? spectacleRow : contactRow)
export const moreOf = (kind: RxKind) => (kind === 'spectacle' ? spectacleMore : contactMore)

/** Returns the fields of a kind that concern both eyes, in the order of the form. */
export const headerOf = (kind: RxKind) => headerFields.filter(([field]) => belongsTo(field, kind))

const headerFields: readonly (readonly [field: Exclude<keyof RxInput, 'od' | 'os'>, label: string])[] = [
  ['rx_type', 'Lens type'],
  ['rx_use', 'Use'],
  ['refraction_source', 'Source'],
  ['balance_lens_eye', 'Balance lens'],
  ['exam_date', 'Exam date'],
  ['issue_date', 'Issue date'],
  ['expiry_date', 'Expires'],
  ['expiry_reason', 'Medical reason for expiring in under a year'],
  ['provider_name', 'Outside provider'],
  ['outside_provider_contact', 'Outside provider’s contact'],
  ['license_no', 'License number'],
  ['npi', 'NPI'],
  ['pd_distance_bino', 'Distance PD (binocular), mm'],
  ['pd_near_bino', 'Near PD (binocular), mm'],
  ['pantoscopic_tilt', 'Pantoscopic tilt, degrees'],
  ['face_form_wrap', 'Wrap, degrees'],
  ['fitting_vertex', 'Fitting vertex, mm'],
  ['notes_to_optician', 'Notes to optician'],
  ['notes_internal', 'Internal notes'],
]

/** Returns the name of a field that people know: `OD Axis`, `Expires`. */
export function fieldName(path: string, kind: RxKind): string {
  if (path === 'provider_id') return 'Provider'
  const eye = /^(od|os)\.(.+)$/.exec(path)
  const field = eye?.[2] ?? path
  const label = [...rowOf(kind), ...moreOf(kind), ...headerOf(kind)].find(([name]) => name === field)?.[1] ?? field
  return eye?.[1] ? `${eye[1].toUpperCase()} ${label}` : label
}
