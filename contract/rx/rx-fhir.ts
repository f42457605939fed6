import * as v from 'valibot'
import { type Eye, eyes, type Prescription, type RxEye, rxEye, type RxInput, rxInput, wholeRx } from '#contract/rx/prescription.ts'
import { draftProblems, type PowerStep, type RxProblem } from '#contract/rx/rx-rules.ts'

/**
 * HL7 FHIR R4 VisionPrescription, both ways. Fields without a place in FHIR go out as extensions, so that our own
 * reading loses nothing. On the way in, values without a field here go into the notes.
 */

const productSystem = 'http://terminology.hl7.org/CodeSystem/ex-visionprescriptionproduct'
const npiSystem = 'http://hl7.org/fhir/sid/us-npi'
const extensionBase = 'urn:lorgnette:prescription:'
/**
 * Marks values that repeat others in plain words, or stand in for unknown ones. They are for other readers than ours.
 */
const derived = { extension: [{ url: `${extensionBase}derived`, valueBoolean: true }] }
const unknownPrescriber = 'not known'
const statusOut = {
  draft: 'draft',
  active: 'active',
  superseded: 'cancelled',
  cancelled: 'cancelled',
  entered_in_error: 'entered-in-error',
} as const

type Fields = Record<string, unknown>
type HeaderField = Exclude<keyof RxInput, 'od' | 'os' | 'rx_kind'>

/**
 * Fields of this clinic alone, or with another meaning elsewhere. A prescription that is read counts as an outside one.
 */
const staysBehind = new Set<string>([
  'rx_kind',
  'od',
  'os',
  'provider_id',
  'provider_name',
  'is_outside_rx',
  'refraction_source',
  'notes_internal',
])
const headerFields = (Object.keys(rxInput.entries) as (keyof RxInput)[]).filter((name) => !staysBehind.has(name)) as HeaderField[]
const eyeFields = Object.keys(rxEye.entries) as (keyof RxEye)[]
const whole = new Set<string>(['axis', 'quantity_boxes', 'annual_supply'])

const decimal = (thousandths: number | null) => (thousandths === null ? undefined : thousandths / 1000)

/** Leaves out unknown values. */
function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}

/** A prescription as a FHIR resource. An eye that wears no contact lens has no entry. */
export function toFhir(kept: Prescription, prescriber: string | null): Fields {
  const rx = wholeRx(kept)
  const known = given({
    resourceType: 'VisionPrescription',
    id: rx.id_rx,
    status: statusOut[rx.status],
    created: rx.created_at,
    patient: { reference: `Patient/${rx.id_patient}` },
    dateWritten: rx.issue_date ?? rx.created_at.slice(0, 10),
    _dateWritten: rx.issue_date === null ? derived : null,
    prescriber: given({
      display: prescriber ?? rx.provider_name ?? unknownPrescriber,
      identifier: rx.npi && { system: npiSystem, value: rx.npi },
    }),
    lensSpecification: eyes.filter((eye) => !rx[eye].no_lens).map((eye) => specificationOf(rx, eye)),
  })
  return given({ ...known, extension: extensionsFor(headerFields, rx, headerFrom(v.parse(resource, known))) })
}

function specificationOf(rx: Prescription, eye: Eye): Fields {
  const of = rx[eye]
  const isLens = rx.rx_kind === 'spectacle'
  const prism = [
    of.prism_h ? { amount: decimal(of.prism_h), base: of.prism_h_base } : null,
    of.prism_v ? { amount: decimal(of.prism_v), base: of.prism_v_base } : null,
  ].filter((each) => each?.base)
  const notes = [
    ...inWords(rx, eye).map((text) => ({ text, ...derived })),
    ...(rx.notes_to_optician ? [{ text: rx.notes_to_optician }] : []),
  ]
  const known = given({
    product: { coding: [{ system: productSystem, code: isLens ? 'lens' : 'contact' }] },
    eye: eye === 'od' ? 'right' : 'left',
    sphere: isLens ? decimal(of.sphere) : undefined,
    cylinder: decimal(of.cylinder),
    axis: of.axis,
    prism: prism.length > 0 ? prism : undefined,
    add: decimal(of.add),
    power: isLens ? undefined : decimal(of.power),
    backCurve: decimal(of.base_curve),
    diameter: decimal(of.diameter),
    color: of.color,
    brand: of.brand,
    note: notes.length > 0 ? notes : undefined,
  })
  return given({ ...known, extension: extensionsFor(eyeFields, of, eyeFrom(v.parse(specification, known), !isLens)) })
}

/**
 * Returns values that FHIR carries only in an extension or nowhere, in words, for readers who do not know our
 * extensions.
 */
function inWords(rx: Prescription, eye: Eye): string[] {
  const of = rx[eye]
  return [
    rx.balance_lens_eye === eye && 'Balance lens',
    of.base_curve_designation && `Base curve ${of.base_curve_designation}`,
    of.add_designation && `Add ${of.add_designation}`,
    of.manufacturer && `Manufacturer: ${of.manufacturer}`,
    of.material && `Material: ${of.material}`,
    of.equivalent_brand && `Private label of ${of.equivalent_brand}`,
    of.is_trial && 'Trial lens, not a final prescription',
  ].filter((words): words is string => Boolean(words))
}

/** Returns extensions for all values that a reader would not get back from FHIR's own fields. */
function extensionsFor<K extends string>(
  fields: readonly K[],
  of: Record<K, unknown>,
  read: Partial<Record<K, unknown>>,
): Fields[] | undefined {
  const lost = fields.filter((field) => (of[field] ?? null) !== (read[field] ?? null) && of[field] !== false && of[field] !== null)
  return lost.length === 0 ? undefined : lost.map((field) => ({ url: extensionBase + field, ...extensionValue(field, of[field]) }))
}

function extensionValue(field: string, value: unknown): Fields {
  if (typeof value === 'boolean') return { valueBoolean: value }
  if (typeof value !== 'number') return { valueString: value }
  return whole.has(field) ? { valueInteger: value } : { valueDecimal: value / 1000 }
}

const number = v.optional(v.nullable(v.pipe(v.number(), v.finite())))
const extensions = v.optional(
  v.array(
    v.looseObject({
      url: v.string(),
      valueBoolean: v.optional(v.boolean()),
      valueString: v.optional(v.string()),
      valueInteger: v.optional(v.number()),
      valueDecimal: v.optional(v.number()),
    }),
  ),
)
type Extensions = v.InferOutput<typeof extensions>
const specification = v.looseObject({
  product: v.optional(v.looseObject({ coding: v.optional(v.array(v.looseObject({ code: v.optional(v.string()) }))) })),
  eye: v.picklist(['right', 'left']),
  sphere: number,
  cylinder: number,
  axis: number,
  add: number,
  power: number,
  backCurve: number,
  diameter: number,
  prism: v.optional(v.array(v.looseObject({ amount: v.number(), base: v.picklist(['up', 'down', 'in', 'out']) }))),
  color: v.optional(v.string()),
  brand: v.optional(v.string()),
  duration: v.optional(v.looseObject({ value: v.optional(v.number()), unit: v.optional(v.string()) })),
  note: v.optional(v.array(v.looseObject({ text: v.string(), extension: extensions }))),
  extension: extensions,
})
type Specification = v.InferOutput<typeof specification>
const resource = v.looseObject({
  resourceType: v.literal('VisionPrescription'),
  dateWritten: v.optional(v.string()),
  _dateWritten: v.optional(v.nullable(v.looseObject({ extension: extensions }))),
  prescriber: v.optional(
    v.looseObject({
      display: v.optional(v.string()),
      identifier: v.optional(v.looseObject({ system: v.optional(v.string()), value: v.optional(v.string()) })),
    }),
  ),
  lensSpecification: v.pipe(v.array(specification), v.minLength(1)),
  extension: extensions,
})

export type FhirReading =
  | {
      ok: true
      rx: RxInput
      /** Values that are not legal here. Users must correct them before saving. */
      problems: RxProblem[]
    }
  | { ok: false; message: string }

const notOne = 'This file isn’t a FHIR VisionPrescription'

/**
 * Returns the content of a file as a draft of an outside prescription. It rounds nothing: it reports an illegal power
 * and does not mend it.
 */
export function fromFhir(file: string, powerStep: PowerStep = 250): FhirReading {
  let json: unknown
  try {
    json = JSON.parse(file)
  } catch {
    return { ok: false, message: notOne }
  }
  const read = v.safeParse(resource, json)
  if (!read.success) return { ok: false, message: notOne }
  const { lensSpecification, prescriber, extension } = read.output
  const kinds = new Set(lensSpecification.map(kindOf))
  if (kinds.size > 1) return { ok: false, message: 'The file has more than one kind of lens. You can import one kind at a time.' }
  if (new Set(lensSpecification.map(({ eye }) => eye)).size < lensSpecification.length) {
    return { ok: false, message: 'The file has more than one lens for the same eye. You can import only one.' }
  }
  const isContact = kinds.has('contact')
  const eyeOf = (name: 'right' | 'left') => {
    const found = lensSpecification.find(({ eye }) => eye === name)
    return found ? { ...eyeFrom(found, isContact), ...extended(eyeFields, found.extension) } : { no_lens: isContact }
  }
  const display = prescriber?.display
  const parsed = v.safeParse(rxInput, {
    ...headerFrom(read.output),
    ...extended(headerFields, extension),
    rx_kind: isContact ? 'contact_lens' : 'spectacle',
    refraction_source: 'outside',
    is_outside_rx: true,
    provider_name: display === unknownPrescriber ? null : display,
    od: eyeOf('right'),
    os: eyeOf('left'),
  })
  if (!parsed.success) return { ok: false, message: 'The file has values a prescription can’t have' }
  return { ok: true, rx: parsed.output, problems: draftProblems(parsed.output, powerStep) }
}

const kindOf = ({ product }: Specification) => product?.coding?.[0]?.code ?? 'lens'
const isDerived = (extension: Extensions) => extension?.some(({ url }) => url === `${extensionBase}derived`) === true

/** Returns the values that the extensions have for these fields. */
function extended(fields: readonly string[], extension: Extensions): Fields {
  const found: Fields = {}
  for (const { url, valueBoolean, valueString, valueInteger, valueDecimal } of extension ?? []) {
    const field = url.startsWith(extensionBase) ? url.slice(extensionBase.length) : ''
    const value = valueBoolean ?? valueString ?? valueInteger ?? (valueDecimal === undefined ? undefined : Math.round(valueDecimal * 1000))
    if (fields.includes(field) && value !== undefined) found[field] = value
  }
  return found
}

function headerFrom(read: v.InferOutput<typeof resource>): Partial<Record<HeaderField, unknown>> {
  const { lensSpecification, dateWritten, _dateWritten, prescriber } = read
  const isContact = lensSpecification.some((one) => kindOf(one) === 'contact')
  const notes = lensSpecification.flatMap((one) => [
    ...(one.note ?? []).filter(({ extension }) => !isDerived(extension)).map(({ text }) => text.trim()),
    ...leftOver(one, isContact),
  ])
  const { system, value } = prescriber?.identifier ?? {}
  return {
    rx_type: !isContact && lensSpecification.some(({ add }) => add) ? 'progressive' : 'single_vision',
    issue_date:
      dateWritten && /^\d{4}-\d\d-\d\d/.test(dateWritten) && !isDerived(_dateWritten?.extension) ? dateWritten.slice(0, 10) : null,
    notes_to_optician: [...new Set(notes)].join('\n') || null,
    npi: system === npiSystem && value && /^\d{10}$/.test(value) ? value : null,
    balance_lens_eye: 'none',
  }
}

/** Returns values that belong to the other kind of lens, and have no field in this one. */
function leftOver({ color, brand, duration, prism }: Specification, isContact: boolean): string[] {
  if (isContact) return (prism ?? []).map(({ amount, base }) => `Prism ${amount} base ${base}`)
  return [color && `Color ${color}`, brand && `Brand ${brand}`, durationWords(duration)].filter((words): words is string => Boolean(words))
}

function durationWords(duration: Specification['duration']): string | null {
  return duration?.value === undefined ? null : `${duration.value} ${duration.unit ?? ''}`.trim()
}

function eyeFrom(found: Specification, isContact: boolean): Partial<RxEye> {
  const thousandths = (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value * 1000) : null)
  const cylinder = thousandths(found.cylinder) || null
  const shared = { cylinder, axis: cylinder === null ? null : (found.axis ?? null), add: thousandths(found.add) || null }
  if (isContact) {
    return {
      ...shared,
      power: thousandths(found.power ?? found.sphere),
      base_curve: thousandths(found.backCurve),
      diameter: thousandths(found.diameter),
      color: found.color ?? null,
      brand: found.brand ?? null,
      replacement: durationWords(found.duration),
    }
  }
  const horizontal = found.prism?.find(({ base }) => base === 'in' || base === 'out')
  const vertical = found.prism?.find(({ base }) => base === 'up' || base === 'down')
  return {
    ...shared,
    sphere: thousandths(found.sphere),
    prism_h: thousandths(horizontal?.amount),
    prism_h_base: horizontal ? (horizontal.base as 'in' | 'out') : null,
    prism_v: thousandths(vertical?.amount),
    prism_v_base: vertical ? (vertical.base as 'up' | 'down') : null,
  }
}
