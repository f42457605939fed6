import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { emptyRx, type Prescription, rxInput } from '#contract/rx/prescription.ts'
import { fromFhir, toFhir } from '#contract/rx/rx-fhir.ts'
import {
  draftProblems,
  formatNumber,
  inNotation,
  isLegal,
  nearestLegal,
  prenticePrism,
  readNumber,
  ruleOf,
  signingProblems,
  sphericalEquivalent,
  transpose,
  vertexPower,
  withdrawalsOf,
} from '#contract/rx/rx-rules.ts'
import { rxWarnings } from '#contract/rx/rx-warnings.ts'

const spectacle = (more: Partial<v.InferInput<typeof rxInput>>) => v.parse(rxInput, { rx_kind: 'spectacle', ...more })

const today = '2026-11-23'

describe('optics', () => {
  test('+2.00 -1.50 x030 is +0.50 +1.50 x120, and back', () => {
    const minus = { sphere: 2000, cylinder: -1500, axis: 30 }
    expect(transpose(minus)).toEqual({ sphere: 500, cylinder: 1500, axis: 120 })
    expect(transpose(transpose(minus))).toEqual(minus)
    expect(transpose({ sphere: 0, cylinder: -250, axis: 180 }).axis).toBe(90)
    expect(transpose({ sphere: 0, cylinder: -250, axis: 90 }).axis).toBe(180)
  })
  test('the spherical equivalent of -2.00 -1.00 is -2.50', () => {
    expect(sphericalEquivalent(-2000, -1000)).toBe(-2500)
  })
  test('-8.00 at 12 mm is -7.30 at the eye, to be ordered as -7.25', () => {
    const power = vertexPower(-8000, 12_000)
    expect(formatNumber('power', Math.round(power / 10) * 10)).toBe('-7.30')
    const order = nearestLegal(power, ruleOf('power', 'contact_lens')).sort((a, b) => Math.abs(a - power) - Math.abs(b - power))
    expect(order[0]).toBe(-7250)
  })
  test('5 mm on -4.00 is 2.0 prism diopters', () => {
    expect(prenticePrism(5000, -4000)).toBe(2000)
  })
})

describe('typing', () => {
  test.each([
    ['sphere', '-2', -2000],
    ['sphere', '+225', 2250],
    ['sphere', '-225', -2250],
    ['sphere', '2,25', 2250],
    ['sphere', '−1.5', -1500],
    ['sphere', 'pl', 0],
    ['sphere', 'Plano', 0],
    ['sphere', '', null],
    ['cylinder', '75', null],
    ['cylinder', '.75', -750],
    ['cylinder', '+.75', 750],
    ['cylinder', 'SPH', null],
    ['cylinder', 'ds', null],
    ['cylinder', '0', null],
    ['axis', '0', 180],
    ['axis', '090', 90],
    ['add', '2', 2000],
    ['pd_distance_mono', '31.5', 31_500],
  ] as const)('%s %j', (field, typed, value) => {
    const read = readNumber(field, typed, 'spectacle')
    if (typed === '75') expect(read).toMatchObject({ ok: false, nearest: [-15_000] })
    else expect(read).toEqual({ ok: true, value })
  })
  test('a value between two steps is refused with both neighbors', () => {
    expect(readNumber('sphere', '-2.30', 'spectacle')).toEqual({ ok: false, message: 'must be -2.50 or -2.25', nearest: [-2500, -2250] })
    expect(readNumber('axis', '181', 'spectacle')).toMatchObject({ ok: false, nearest: [180] })
    expect(readNumber('sphere', 'x', 'spectacle')).toMatchObject({ ok: false, nearest: [] })
    expect(readNumber('base_curve', '8.65', 'contact_lens', 'soft_sphere')).toMatchObject({ ok: false, nearest: [8600, 8700] })
    expect(readNumber('base_curve', '8.65', 'contact_lens', 'rgp')).toEqual({ ok: true, value: 8650 })
  })
  test('every legal sphere reads back from its written form', () => {
    const rule = ruleOf('sphere', 'spectacle')
    for (let value = rule.min; value <= rule.max; value += 125) {
      const read = readNumber('sphere', formatNumber('sphere', value), 'spectacle')
      if (isLegal(value, rule)) expect(read).toEqual({ ok: true, value })
      else expect(read).toMatchObject({ ok: false, nearest: [value - 125, value + 125] })
    }
  })
})

describe('rules', () => {
  test('a draft may be incomplete but not wrong', () => {
    expect(draftProblems(emptyRx('spectacle'))).toEqual([])
    const wrong = spectacle({ od: { sphere: -2300, axis: 90 }, issue_date: '2026-01-02', expiry_date: '2026-01-02' })
    expect(draftProblems(wrong).map(({ path }) => path)).toEqual(['od.sphere', 'od.axis', 'expiry_date'])
  })
  test('a prescription is complete when signed, and a balance lens needs no power', () => {
    const days = { exam_date: '2026-01-02', issue_date: '2026-01-02', expiry_date: '2028-01-02' }
    const half = spectacle({ ...days, od: { sphere: -6000, cylinder: -500 } })
    expect(signingProblems(half, today).map(({ path }) => path)).toEqual(['od.axis', 'od.vertex_distance', 'os.sphere'])
    expect(signingProblems(spectacle({ ...days, od: { sphere: 0 }, balance_lens_eye: 'os' }), today)).toEqual([])
    expect(signingProblems(spectacle({ ...days, rx_type: 'progressive', od: { sphere: 0 }, os: { sphere: 0, add: 1000 } }), today)).toEqual(
      [{ path: 'od.add', message: 'This field is required' }],
    )
  })
  test('nobody can sign an exam of the future', () => {
    const rx = spectacle({
      exam_date: '2026-11-24',
      issue_date: '2026-11-24',
      expiry_date: '2028-11-24',
      od: { sphere: 0 },
      os: { sphere: 0 },
    })
    expect(signingProblems(rx, '2026-11-23')).toEqual([{ path: 'exam_date', message: 'can’t be in the future' }])
    expect(signingProblems(rx, '2026-11-24')).toEqual([])
  })
  test('only a prescription in force can be canceled, a draft is deleted instead, and an error stays one', () => {
    expect(withdrawalsOf('active')).toEqual(['cancelled', 'entered_in_error'])
    expect([withdrawalsOf('superseded'), withdrawalsOf('cancelled')]).toEqual([['entered_in_error'], ['entered_in_error']])
    expect([withdrawalsOf('draft'), withdrawalsOf('entered_in_error')]).toEqual([[], []])
  })
  test('warns about values that deserve a second look', () => {
    const before = spectacle({ od: { sphere: 500, cylinder: 1500, axis: 120 }, os: { sphere: -1000, cylinder: -500, axis: 175 } })
    const same = spectacle({ od: { sphere: 2000, cylinder: -1500, axis: 30 }, os: { sphere: -1000, cylinder: -500, axis: 5 } })
    const words = (rx: typeof same, last: typeof same | null) => rxWarnings(rx, last).map(({ message }) => message)
    expect(words(same, before)).toEqual(['Anisometropia: the eyes differ by 2.50 D', 'One eye is plus and the other is minus'])
    const turned = spectacle({ od: { sphere: 3250, cylinder: -1500, axis: 46, add: 2000 }, os: { sphere: 3000 } })
    expect(words(turned, before)).toEqual([
      'Add entered, but lens type is single vision',
      'Sphere changed by more than 1.00 D since the last Rx (+2.00)',
      'Axis changed by more than 15° since the last Rx (030)',
      'Sphere changed by more than 1.00 D since the last Rx (-1.00)',
    ])
  })
})

describe('FHIR', () => {
  const signed = (rx: Partial<v.InferInput<typeof rxInput>>): Prescription => ({
    ...spectacle(rx),
    id_rx: '0190a000-0000-7000-8000-000000000001',
    id_patient: '0190a000-0000-7000-8000-000000000002',
    status: 'active',
    signature: null,
    signed_by: null,
    signed_at: null,
    created_at: '2026-01-02T10:00:00.000Z',
    created_by: null,
    version: 1,
    withdrawn: null,
    scan: null,
    letterhead: null,
  })
  test('an exported prescription comes in the same', () => {
    const eyes = {
      od: { sphere: -2250, cylinder: -500, axis: 7, add: 2000, prism_h: 500, prism_h_base: 'in', prism_v: 1250, prism_v_base: 'down' },
      os: { sphere: 0, add: 2000 },
    } as const
    const read = fromFhir(JSON.stringify(toFhir(signed({ rx_type: 'progressive', issue_date: '2026-01-02', ...eyes }), 'Iris Lindqvist')))
    expect(read).toMatchObject({ ok: true, problems: [], rx: { ...eyes, issue_date: '2026-01-02', provider_name: 'Iris Lindqvist' } })
  })
  test('refuses other files, and reports illegal values without mending them', () => {
    for (const file of ['', '{', '[]', '{"resourceType":"Patient"}', '{"resourceType":"VisionPrescription","lensSpecification":[]}']) {
      expect(fromFhir(file).ok).toBe(false)
    }
    const off = fromFhir('{"resourceType":"VisionPrescription","lensSpecification":[{"eye":"right","sphere":-2.3}]}')
    expect(off).toMatchObject({
      ok: true,
      rx: { od: { sphere: -2300 } },
      problems: [{ path: 'od.sphere', message: 'must be -2.50 or -2.25' }],
    })
  })
  const folder = join(process.env['LORGNETTE_TEST_DATA'] ?? '../shared/data', 'fhir-vision')
  test.skipIf(!existsSync(folder))('reads the examples of the standard', () => {
    const read = (name: string) => fromFhir(readFileSync(join(folder, name), 'utf8'))
    expect(read('VisionPrescription-33123.json')).toMatchObject({
      ok: true,
      rx: { od: { sphere: -2000, add: 2000, prism_v_base: 'down' }, os: { sphere: -1000, cylinder: -500, axis: 180 } },
    })
    expect(read('VisionPrescription-33124.json')).toMatchObject({
      ok: true,
      rx: { rx_kind: 'contact_lens', od: { power: -2750, cylinder: -2250, axis: 160, base_curve: 8700, brand: 'OphthaGuard' } },
    })
  })
})

describe('the way a store writes prescriptions', () => {
  const eighths = { power_step: 125, cylinder_notation: 'plus' } as const
  test('eighths are legal when the store uses them, and are typed with two decimals', () => {
    const cases = { '2.12': 2125, '2.13': 2125, '-.37': -375, '-262': -2625, '2.875': 2875, '2.25': 2250, '-.5': -500 }
    for (const [typed, value] of Object.entries(cases)) {
      expect(readNumber('sphere', typed, 'spectacle', null, eighths)).toEqual({ ok: true, value })
    }
    expect(readNumber('sphere', '2.10', 'spectacle', null, eighths)).toMatchObject({ ok: false, nearest: [2000, 2125] })
    expect(readNumber('sphere', '2.12', 'spectacle')).toMatchObject({ ok: false, nearest: [2000, 2250] })
    // Contact lenses are not made in eighths.
    expect(readNumber('power', '2.12', 'contact_lens', null, eighths)).toMatchObject({ ok: false, nearest: [2000, 2250] })
    expect(formatNumber('sphere', -2125)).toBe('-2.125')
    const rx = spectacle({ od: { sphere: -2125 } })
    expect([draftProblems(rx, 125), draftProblems(rx).map(({ path }) => path)]).toEqual([[], ['od.sphere']])
  })
  test("a cylinder without a sign gets the store's sign, and a contact lens gets minus", () => {
    expect(readNumber('cylinder', '150', 'spectacle', null, eighths)).toEqual({ ok: true, value: 1500 })
    expect(readNumber('cylinder', '-1.5', 'spectacle', null, eighths)).toEqual({ ok: true, value: -1500 })
    expect(readNumber('cylinder', '1.5', 'spectacle')).toEqual({ ok: true, value: -1500 })
    expect(readNumber('cylinder', '1.25', 'contact_lens', null, eighths)).toEqual({ ok: true, value: -1250 })
  })
  test('a lens is the same after both notations, and one that is whole in neither stays', () => {
    const rx = spectacle({ od: { sphere: 2000, cylinder: -1500, axis: 30, add: 1000 }, os: { sphere: -1000 } })
    const plus = inNotation(rx, 'plus')
    expect(plus.od).toEqual({ ...rx.od, sphere: 500, cylinder: 1500, axis: 120 })
    expect([plus.os, inNotation(plus, 'plus'), inNotation(plus, 'minus')]).toEqual([rx.os, plus, rx])
    const half = spectacle({ od: { sphere: 1000, cylinder: -500 } })
    expect(inNotation(half, 'plus')).toEqual(half)
    const steep = spectacle({ od: { sphere: 29_000, cylinder: 5000, axis: 90 } })
    expect(inNotation(steep, 'minus')).toEqual(steep)
    const toric = v.parse(rxInput, { rx_kind: 'contact_lens', od: { power: -1000, cylinder: -750, axis: 180 } })
    expect(inNotation(toric, 'plus')).toEqual(toric)
  })
  test('every power and axis survives both notations', () => {
    for (let axis = 1; axis <= 180; axis++) {
      const rx = spectacle({ od: { sphere: -2250, cylinder: -axis * 25 - 25 * (axis % 2), axis } })
      expect(inNotation(inNotation(rx, 'plus'), 'minus')).toEqual(rx)
    }
  })
  test('contact lenses for less than a year need a medical reason', () => {
    const lenses = (expiry_date: string, expiry_reason: string | null = null) =>
      signingProblems(
        v.parse(rxInput, { rx_kind: 'contact_lens', exam_date: '2026-01-31', issue_date: '2026-01-31', expiry_date, expiry_reason }),
        today,
      )
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('o'))
    expect([lenses('2027-01-30'), lenses('2027-01-31'), lenses('2026-06-01', 'Corneal infiltrates')]).toEqual([['expiry_reason'], [], []])
    const glasses = spectacle({
      exam_date: '2026-01-31',
      issue_date: '2026-01-31',
      expiry_date: '2026-06-01',
      od: { sphere: 0 },
      os: { sphere: 0 },
    })
    expect(signingProblems(glasses, today)).toEqual([])
  })
})

describe('trial lenses', () => {
  const lens = {
    power: -3000,
    cl_modality: 'monthly',
    cl_type: 'soft_sphere',
    brand: 'Aqua',
    manufacturer: 'Lens Works',
    base_curve: 8600,
    diameter: 14_200,
  } as const
  const days = { exam_date: '2026-01-31', issue_date: '2026-01-31', expiry_date: '2027-01-31' }
  const lenses = (more: Record<string, unknown>) =>
    v.parse(rxInput, { rx_kind: 'contact_lens', ...days, od: { ...lens, ...more }, os: lens })

  test('are kept as a draft, never as an annual supply, and cannot be signed as final', () => {
    expect(draftProblems(lenses({ is_trial: true, quantity_boxes: 1, annual_supply: 0 }))).toEqual([])
    expect(draftProblems(lenses({ annual_supply: 12 }))).toEqual([])
    expect(draftProblems(lenses({ is_trial: true, annual_supply: 12 }))).toEqual([
      { path: 'od.annual_supply', message: 'A trial lens can’t be sold as an annual supply' },
    ])
    expect(signingProblems(lenses({}), today)).toEqual([])
    expect(signingProblems(lenses({ is_trial: true }), today)).toEqual([
      { path: 'od.is_trial', message: 'A trial lens isn’t a final prescription. Keep it as a draft.' },
    ])
  })
  test('a named base curve needs no number, and without either the lens cannot be signed', () => {
    expect(signingProblems(lenses({ base_curve: null, base_curve_designation: 'flat' }), today)).toEqual([])
    expect(signingProblems(lenses({ base_curve: null }), today)).toEqual([{ path: 'od.base_curve', message: 'This field is required' }])
    expect(v.safeParse(rxInput, { rx_kind: 'contact_lens', od: { base_curve_designation: 'round' } }).success).toBe(false)
  })
  test('cannot be glasses', () => {
    expect(draftProblems(spectacle({ od: { is_trial: true } }))).toEqual([{ path: 'od.is_trial', message: 'is for contact lenses only' }])
  })
})
