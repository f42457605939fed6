import * as v from 'valibot'
import { type Eye, eyes, type Prescription, type RxEye, type rxEye, type RxInput, rxInput } from '#contract/prescription.ts'
import { draftProblems, type PowerStep, type RxProblem } from '#contract/rx-rules.ts'

/** HL7 FHIR R4 VisionPrescription, both ways. What FHIR has no place for stays behind on the way out; what we have none for is told on the way in. */

const productSystem = 'http://terminology.hl7.org/CodeSystem/ex-visionprescriptionproduct'
const statusOut = {
  draft: 'draft',
  active: 'active',
  superseded: 'cancelled',
  cancelled: 'cancelled',
  entered_in_error: 'entered-in-error',
} as const

type Fields = Record<string, unknown>

const decimal = (thousandths: number | null) => (thousandths === null ? undefined : thousandths / 1000)

/** Leaves out what is not known. */
function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}

/** A prescription as a FHIR resource. */
export function toFhir(rx: Prescription, prescriber: string | null): Fields {
  const written = rx.issue_date ?? rx.created_at.slice(0, 10)
  return given({
    resourceType: 'VisionPrescription',
    id: rx.id_rx,
    status: statusOut[rx.status],
    created: rx.created_at,
    patient: { reference: `Patient/${rx.id_patient}` },
    dateWritten: written,
    prescriber: { display: prescriber ?? rx.provider_name ?? 'not known' },
    lensSpecification: eyes.filter((eye) => rx.balance_lens_eye === eye || hasPower(rx[eye])).map((eye) => specificationOf(rx, eye)),
  })
}

function hasPower(eye: RxEye): boolean {
  return eye.sphere !== null || eye.power !== null || eye.cylinder !== null
}

function specificationOf(rx: Prescription, eye: Eye): Fields {
  const of = rx[eye]
  const isLens = rx.rx_kind === 'spectacle'
  const prism = [
    of.prism_h ? { amount: decimal(of.prism_h), base: of.prism_h_base } : null,
    of.prism_v ? { amount: decimal(of.prism_v), base: of.prism_v_base } : null,
  ].filter((each) => each?.base)
  const curve = of.base_curve_designation && `Base curve ${of.base_curve_designation}`
  const notes = [rx.balance_lens_eye === eye ? 'Balance lens' : null, curve, rx.notes_to_optician].filter((note) => note !== null)
  return given({
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
    note: notes.length > 0 ? notes.map((text) => ({ text })) : undefined,
  })
}

const number = v.optional(v.nullable(v.pipe(v.number(), v.finite())))
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
  note: v.optional(v.array(v.looseObject({ text: v.string() }))),
})
const resource = v.looseObject({
  resourceType: v.literal('VisionPrescription'),
  dateWritten: v.optional(v.string()),
  prescriber: v.optional(v.looseObject({ display: v.optional(v.string()) })),
  lensSpecification: v.pipe(v.array(specification), v.minLength(1)),
})

export type FhirReading =
  | {
      ok: true
      rx: RxInput
      /** Values that are not legal here: they want a correction before anything can be saved. */
      problems: RxProblem[]
    }
  | { ok: false; message: string }

const notOne = 'This file is no FHIR VisionPrescription'

/** What a file holds, as a draft of an outside prescription. Nothing is rounded: an illegal power is told, not mended. */
export function fromFhir(file: string, powerStep: PowerStep = 250): FhirReading {
  let json: unknown
  try {
    json = JSON.parse(file)
  } catch {
    return { ok: false, message: notOne }
  }
  const read = v.safeParse(resource, json)
  if (!read.success) return { ok: false, message: notOne }
  const { lensSpecification, dateWritten, prescriber } = read.output
  const kinds = new Set(lensSpecification.map((one) => one.product?.coding?.[0]?.code ?? 'lens'))
  if (kinds.size > 1) return { ok: false, message: 'The file holds lenses of several kinds. Only one kind can be taken over at a time.' }
  if (new Set(lensSpecification.map(({ eye }) => eye)).size < lensSpecification.length) {
    return { ok: false, message: 'The file holds more than one lens for the same eye. Only one can be taken over.' }
  }
  const isContact = kinds.has('contact')
  const notes = lensSpecification.flatMap(({ note }) => (note ?? []).map(({ text }) => text))
  const eyeOf = (name: 'right' | 'left') => {
    const found = lensSpecification.find(({ eye }) => eye === name)
    return found ? eyeFrom(found, isContact) : {}
  }
  const parsed = v.safeParse(rxInput, {
    rx_kind: isContact ? 'contact_lens' : 'spectacle',
    rx_type: !isContact && lensSpecification.some(({ add }) => add) ? 'progressive' : 'single_vision',
    refraction_source: 'outside',
    is_outside_rx: true,
    issue_date: dateWritten && /^\d{4}-\d\d-\d\d/.test(dateWritten) ? dateWritten.slice(0, 10) : null,
    provider_name: prescriber?.display ?? null,
    notes_to_optician: [...new Set(notes)].join('\n'),
    od: eyeOf('right'),
    os: eyeOf('left'),
  })
  if (!parsed.success) return { ok: false, message: 'The file holds something that no prescription can have' }
  return { ok: true, rx: parsed.output, problems: draftProblems(parsed.output, powerStep) }
}

function eyeFrom(found: v.InferOutput<typeof specification>, isContact: boolean): v.InferInput<typeof rxEye> {
  const thousandths = (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value * 1000) : null)
  const cylinder = thousandths(found.cylinder) || null
  const horizontal = found.prism?.find(({ base }) => base === 'in' || base === 'out')
  const vertical = found.prism?.find(({ base }) => base === 'up' || base === 'down')
  const { duration } = found
  return {
    ...(isContact ? { power: thousandths(found.power ?? found.sphere) } : { sphere: thousandths(found.sphere) }),
    cylinder,
    axis: cylinder === null ? null : found.axis === 0 ? 180 : (found.axis ?? null),
    add: thousandths(found.add) || null,
    prism_h: thousandths(horizontal?.amount),
    prism_h_base: horizontal ? (horizontal.base as 'in' | 'out') : null,
    prism_v: thousandths(vertical?.amount),
    prism_v_base: vertical ? (vertical.base as 'up' | 'down') : null,
    base_curve: thousandths(found.backCurve),
    diameter: thousandths(found.diameter),
    color: found.color ?? null,
    brand: found.brand ?? null,
    replacement: duration?.value === undefined ? null : `${duration.value} ${duration.unit ?? ''}`.trim(),
  }
}
