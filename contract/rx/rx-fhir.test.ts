import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  clModalities,
  clTypes,
  eyes,
  type Prescription,
  prescription,
  refractionSources,
  rxEye,
  type RxEye,
  type RxInput,
  rxInput,
  rxTypes,
  rxUses,
} from '#contract/rx/prescription.ts'
import { fromFhir, toFhir } from '#contract/rx/rx-fhir.ts'
import { belongsTo } from '#contract/rx/rx-kind-fields.ts'
import { draftProblems, inNotation, ruleOf, type RxNumber } from '#contract/rx/rx-rules.ts'

function kept(rx: RxInput, status: Prescription['status'] = 'active'): Prescription {
  return v.parse(prescription, {
    ...rx,
    id_rx: '0190a000-0000-7000-8000-000000000001',
    id_patient: '0190a000-0000-7000-8000-000000000002',
    status,
    signature: null,
    signed_by: null,
    signed_at: null,
    created_at: '2026-01-02T10:00:00.000Z',
    created_by: null,
    version: 1,
    withdrawn: null,
  })
}
const read = (rx: Prescription, prescriber: string | null = null) => fromFhir(JSON.stringify(toFhir(rx, prescriber)))

/** The same random draws each time (mulberry32). */
function drawing(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)]!
  const words = () =>
    pick(['Aqua', 'Ωmega "1"', 'Balance lens', 'Base curve flat', 'zwei\nZeilen', 'not known', '0', 'né à Nîmes', '1 month'])
  return { int, pick, words, maybe: <T>(make: () => T): T | null => (next() < 0.4 ? null : make()) }
}

const choices: Partial<Record<keyof RxEye, readonly string[]>> = {
  prism_h_base: ['in', 'out'],
  prism_v_base: ['up', 'down'],
  cl_modality: clModalities,
  cl_type: clTypes,
  add_designation: ['low', 'med', 'high'],
  base_curve_designation: ['flat', 'steep'],
  dominance: ['D', 'N'],
}

/** A random legal draft, complete or not. */
function anyRx(seed: number): RxInput {
  const { int, pick, words, maybe } = drawing(seed)
  const rx_kind = pick(['spectacle', 'contact_lens'] as const)
  const day = () => `20${int(10, 30)}-0${int(1, 9)}-${int(10, 28)}`
  const valueOf = (field: RxNumber, clType: string | null) => {
    const { min, max, step } = ruleOf(field, rx_kind, clType)
    return min + step * int(0, (max - min) / step)
  }
  const eye = (): Record<string, unknown> => {
    const cl_type = rx_kind === 'contact_lens' ? maybe(() => pick(clTypes)) : null
    const found: Record<string, unknown> = {}
    for (const field of Object.keys(rxEye.entries) as (keyof RxEye)[]) {
      if (!belongsTo(field, rx_kind) || field === 'no_lens') continue
      const options = choices[field]
      if (field === 'cl_type') found[field] = cl_type
      else if (field === 'is_trial') found[field] = pick([true, false])
      else if (options) found[field] = maybe(() => pick(options))
      else if (/^(va_|manufacturer|brand|supplier|material|equivalent|color|wear|replacement|solution)/.test(field))
        found[field] = maybe(words)?.slice(0, 20) ?? null
      else found[field] = maybe(() => valueOf(field as RxNumber, cl_type))
    }
    return { ...found, ...(!found['cylinder'] && { axis: null }), ...(found['is_trial'] === true && { annual_supply: null }) }
  }
  const glasses = {
    rx_type: pick(rxTypes),
    rx_use: maybe(() => pick(rxUses)),
    balance_lens_eye: pick(['none', 'od', 'os']),
    pd_distance_bino: maybe(() => valueOf('pd_distance_bino', null)),
    pd_near_bino: maybe(() => valueOf('pd_near_bino', null)),
    pantoscopic_tilt: maybe(() => valueOf('pantoscopic_tilt', null)),
    face_form_wrap: maybe(() => valueOf('face_form_wrap', null)),
    fitting_vertex: maybe(() => valueOf('fitting_vertex', null)),
  }
  const without = rx_kind === 'contact_lens' ? pick(['od', 'os', null, null]) : null
  const parts = Object.fromEntries(eyes.map((name) => [name, name === without ? { no_lens: true } : eye()]))
  return v.parse(rxInput, {
    rx_kind,
    ...(rx_kind === 'spectacle' ? glasses : { expiry_reason: maybe(words) }),
    ...parts,
    refraction_source: maybe(() => pick(refractionSources)),
    exam_date: maybe(day),
    issue_date: maybe(day),
    expiry_date: maybe(day),
    provider_id: maybe(() => 2),
    provider_name: maybe(() => 'Dr. Elsewhere'),
    license_no: maybe(words),
    npi: maybe(() => `1${int(100_000_000, 999_999_999)}`),
    is_outside_rx: pick([true, false]),
    outside_provider_contact: maybe(words),
    notes_to_optician: maybe(words),
    notes_internal: maybe(words),
  })
}

test('an exported prescription reads back without loss, except for the fields of this clinic alone', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const rx = inNotation(anyRx(seed), 'minus')
    const status = seed % 3 === 0 ? 'draft' : 'active'
    const theirs = { is_outside_rx: true, refraction_source: 'outside', provider_id: null, notes_internal: null }
    expect([seed, read(kept(rx, status))]).toEqual([seed, { ok: true, rx: { ...rx, ...theirs }, problems: draftProblems(rx) }])
  }
})

test('the provider goes out by name, and internal notes stay in the clinic', () => {
  const rx = kept(v.parse(rxInput, { rx_kind: 'spectacle', provider_id: 2, notes_internal: 'pays late', npi: '1234567893' }))
  expect(JSON.stringify(toFhir(rx, 'Iris Lindqvist'))).not.toContain('pays late')
  expect(toFhir(rx, 'Iris Lindqvist')).toMatchObject({
    prescriber: { display: 'Iris Lindqvist', identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' } },
  })
  expect(read(rx, 'Iris Lindqvist')).toMatchObject({ ok: true, rx: { provider_name: 'Iris Lindqvist', npi: '1234567893' } })
  expect(read(rx)).toMatchObject({ ok: true, rx: { provider_name: null } })
})

test('an eye without a contact lens is absent, and an absent eye has no lens', () => {
  const rx = kept(v.parse(rxInput, { rx_kind: 'contact_lens', od: { power: -1000 }, os: { no_lens: true } }))
  expect(toFhir(rx, null)).toMatchObject({ lensSpecification: [{ eye: 'right' }] })
  const one =
    '{"resourceType":"VisionPrescription","lensSpecification":[{"eye":"left","product":{"coding":[{"code":"contact"}]},"power":-1}]}'
  expect(fromFhir(one)).toMatchObject({ ok: true, problems: [], rx: { od: { no_lens: true }, os: { power: -1000, no_lens: false } } })
})

test('others read our extensions in words, and we do not read them twice', () => {
  const od = { power: -1000, base_curve_designation: 'steep', equivalent_brand: 'Clear Water', is_trial: true } as const
  const rx = kept(v.parse(rxInput, { rx_kind: 'contact_lens', od, notes_to_optician: 'Call first' }))
  const words = ['Base curve steep', 'Private label of Clear Water', 'Trial lens, not a final prescription', 'Call first']
  expect(toFhir(rx, null)).toMatchObject({ lensSpecification: [{ note: words.map((text) => ({ text })) }, {}] })
  expect(read(rx)).toMatchObject({ ok: true, rx: { od, notes_to_optician: 'Call first' } })
})

test('values of another clinic without a field here go into the notes', () => {
  const file = (kind: string, more: object) =>
    JSON.stringify({
      resourceType: 'VisionPrescription',
      lensSpecification: [{ eye: 'right', product: { coding: [{ code: kind }] }, ...more }],
    })
  expect(fromFhir(file('lens', { sphere: -1, color: 'gray', brand: 'Sola', duration: { value: 1, unit: 'year' } }))).toMatchObject({
    problems: [],
    rx: { notes_to_optician: 'Color gray\nBrand Sola\n1 year' },
  })
  expect(fromFhir(file('contact', { power: -1, prism: [{ amount: 0.5, base: 'down' }] }))).toMatchObject({
    problems: [],
    rx: { notes_to_optician: 'Prism 0.5 base down' },
  })
})

test('extensions of a hostile file reach no field but the ones they name', () => {
  const file = (extension: object[]) =>
    fromFhir(JSON.stringify({ resourceType: 'VisionPrescription', lensSpecification: [{ eye: 'right', sphere: -1 }], extension }))
  const plain = file([])
  for (const name of ['__proto__', 'constructor', 'id_patient', 'provider_id', 'is_outside_rx']) {
    expect(file([{ url: `urn:lorgnette:prescription:${name}`, valueBoolean: false }])).toEqual(plain)
  }
  expect(file([{ url: 'urn:lorgnette:prescription:rx_type', valueString: 'monocle' }]).ok).toBe(false)
  expect(file([{ url: 'urn:lorgnette:prescription:pd_distance_bino', valueDecimal: 1e308 }]).ok).toBe(false)
})
