import * as v from 'valibot'
import { monthsAfter } from '#contract/rx/exam-recall.ts'
import { eyes, type RxInput, rxInput, type RxKind } from '#contract/rx/prescription.ts'
import { belongsTo, withoutForeign } from '#contract/rx/rx-kind-fields.ts'
import { draftProblems, formatNumber, inNotation, readNumber, type RxNumber, transpose, type WayOfWriting } from '#contract/rx/rx-rules.ts'
import type { OpticalSettings } from '#contract/settings/settings.ts'

/** The typed form: a text for each path, such as `od.sphere` or `exam_date`. It keeps text that is not a number yet. */
export type TypedRx = Record<string, string>
export type TypedProblem = { message: string; /** Legal values nearby, as a user would type them. */ nearest: string[] }

const numberFields = new Set(
  (
    'sphere cylinder axis add add_intermediate prism_h prism_v slab_off pd_distance_mono pd_near_mono seg_height oc_height vertex_distance ' +
    'power base_curve diameter quantity_boxes annual_supply pd_distance_bino pd_near_bino pantoscopic_tilt face_form_wrap fitting_vertex'
  ).split(' '),
)
const fieldOf = (path: string) => path.replace(/^o[ds]\./, '')
type AnyField = Parameters<typeof belongsTo>[0]
export const isNumberPath = (path: string) => numberFields.has(fieldOf(path))

/** Returns the stored values in the store's notation. */
export function typedFrom(stored: RxInput, { cylinder_notation }: WayOfWriting): TypedRx {
  const rx = inNotation(withoutForeign(stored), cylinder_notation)
  const typed: TypedRx = {}
  const put = (path: string, value: string | number | boolean | null) => {
    if (typeof value === 'number' && isNumberPath(path)) typed[path] = formatNumber(fieldOf(path) as RxNumber, value)
    else if (typeof value === 'boolean') typed[path] = value ? 'yes' : ''
    else typed[path] = value === null ? '' : String(value)
  }
  for (const key of Object.keys(rxInput.entries) as (keyof RxInput)[]) {
    if (key !== 'od' && key !== 'os') put(key, rx[key])
    else for (const [field, value] of Object.entries(rx[key])) put(`${key}.${field}`, value)
  }
  return typed
}

/** Formats a path's text after the user leaves the field: `225` becomes `+2.25`. Unreadable text stays as typed. */
export function tidied(path: string, typed: TypedRx, writing: WayOfWriting): string {
  const text = typed[path] ?? ''
  if (!isNumberPath(path)) return text
  const field = fieldOf(path) as RxNumber
  const read = readNumber(field, text, typed['rx_kind'] as RxKind, typed[`${path.slice(0, 2)}.cl_type`] ?? null, writing)
  return read.ok ? formatNumber(field, read.value) : text
}

const switches = ['is_outside_rx', 'od.is_trial', 'os.is_trial', 'od.no_lens', 'os.no_lens']
export const isSwitchPath = (path: string) => switches.includes(path)

/** Returns true for a path of an eye that wears no contact lens. */
export const isWithoutLens = (typed: TypedRx, path: string) => /^o[ds]\./.test(path) && typed[`${path.slice(0, 2)}.no_lens`] === 'yes'

export function readTyped(typed: TypedRx, writing: WayOfWriting): { rx: RxInput | null; problems: Record<string, TypedProblem> } {
  const problems: Record<string, TypedProblem> = {}
  const kind = typed['rx_kind'] as RxKind
  const raw: Record<string, unknown> & { od: Record<string, unknown>; os: Record<string, unknown> } = { od: {}, os: {} }
  for (const [path, text] of Object.entries(typed)) {
    // Skip fields of the other kind from a former version, and fields of an eye without a lens. The form keeps them.
    if (!belongsTo(fieldOf(path) as AnyField, kind) || (isWithoutLens(typed, path) && !path.endsWith('.no_lens'))) continue
    let value: unknown = text === '' ? null : text
    if (isSwitchPath(path)) value = text === 'yes'
    else if (path === 'provider_id') value = text === '' ? null : Number(text)
    else if (isNumberPath(path)) {
      const field = fieldOf(path) as RxNumber
      const read = readNumber(field, text, kind, typed[`${path.slice(0, 2)}.cl_type`] ?? null, writing)
      if (read.ok) value = read.value
      else {
        problems[path] = { message: read.message, nearest: read.nearest.map((each) => formatNumber(field, each)) }
        value = null
      }
    }
    if (path.startsWith('od.') || path.startsWith('os.')) raw[path.slice(0, 2) as 'od' | 'os'][fieldOf(path)] = value
    else raw[path] = value
  }
  const parsed = v.safeParse(rxInput, raw)
  if (!parsed.success) {
    for (const issue of parsed.issues) problems[v.getDotPath(issue) ?? ''] ??= { message: issue.message, nearest: [] }
    return { rx: null, problems }
  }
  for (const { path, message } of draftProblems(parsed.output, writing.power_step)) problems[path] ??= { message, nearest: [] }
  return { rx: parsed.output, problems }
}

/** Transposes both eyes that have a cylinder and an axis into the other notation. */
export function transposed(typed: TypedRx, writing: WayOfWriting): TypedRx {
  const { rx } = readTyped(typed, writing)
  const next = { ...typed }
  if (!rx) return next
  for (const eye of eyes) {
    const power = rx.rx_kind === 'spectacle' ? 'sphere' : 'power'
    const { [power]: sphere, cylinder, axis } = rx[eye]
    if (sphere === null || cylinder === null || axis === null) continue
    const turned = transpose({ sphere, cylinder, axis })
    next[`${eye}.${power}`] = formatNumber('sphere', turned.sphere)
    next[`${eye}.cylinder`] = formatNumber('cylinder', turned.cylinder)
    next[`${eye}.axis`] = formatNumber('axis', turned.axis)
  }
  return next
}

/**
 * Applies a change and its consequences. The issue date follows the exam date, and the expiry date follows the issue date,
 * unless the user chose another.
 */
export function changed(before: TypedRx, changes: TypedRx, settings: OpticalSettings): TypedRx {
  const next = { ...before, ...changes }
  for (const eye of eyes) {
    // A user may type the designation instead of the number.
    const named = /^(flat|steep)$/i.exec(changes[`${eye}.base_curve`]?.trim() ?? '')?.[1]?.toLowerCase()
    if (named) Object.assign(next, { [`${eye}.base_curve`]: '', [`${eye}.base_curve_designation`]: named })
  }
  if ('exam_date' in changes && ['', before['exam_date']].includes(before['issue_date'] ?? ''))
    next['issue_date'] = changes['exam_date'] ?? ''
  if (next['issue_date'] === before['issue_date']) return next
  const months = before['rx_kind'] === 'contact_lens' ? settings.contact_lens_expiry_months : settings.spectacle_expiry_months
  const usual = (day: string | undefined) => (day && /^\d{4}-\d\d-\d\d$/.test(day) ? monthsAfter(day, months) : '')
  const expires = before['expiry_date'] ?? ''
  if (expires === '' || expires === usual(before['issue_date'])) next['expiry_date'] = usual(next['issue_date'])
  return next
}
