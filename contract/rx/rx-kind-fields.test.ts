import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { emptyRx, rxInput, wholeRx } from '#contract/rx/prescription.ts'
import { rxDifferences } from '#contract/rx/rx-differences.ts'
import { belongsTo, foreignPaths, withoutForeign } from '#contract/rx/rx-kind-fields.ts'
import { draftProblems, signingProblems } from '#contract/rx/rx-rules.ts'

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
const contacts = (more: Partial<v.InferInput<typeof rxInput>>) =>
  v.parse(rxInput, { rx_kind: 'contact_lens', ...days, od: lens, os: lens, ...more })
const glasses = (more: Partial<v.InferInput<typeof rxInput>>) =>
  v.parse(rxInput, { rx_kind: 'spectacle', ...days, od: { sphere: 0 }, os: { sphere: 0 }, ...more })
const onlyGlasses = 'is for glasses only'
const onlyContacts = 'is for contact lenses only'

describe('each kind has fields of its own', () => {
  test('what is of the other kind is refused at its field, in drafts too', () => {
    expect(draftProblems(contacts({ od: { ...lens, sphere: -1000, pd_distance_mono: 31_000 }, pd_distance_bino: 62_000 }))).toEqual([
      { path: 'pd_distance_bino', message: onlyGlasses },
      { path: 'od.sphere', message: onlyGlasses },
      { path: 'od.pd_distance_mono', message: onlyGlasses },
    ])
    expect(draftProblems(glasses({ os: { sphere: 0, power: -3000, base_curve: 8600 } }))).toEqual([
      { path: 'os.power', message: onlyContacts },
      { path: 'os.base_curve', message: onlyContacts },
    ])
    expect(draftProblems(contacts({ rx_type: 'progressive' }))).toEqual([{ path: 'rx_type', message: onlyGlasses }])
    // Plano is a number too.
    expect(draftProblems(glasses({ os: { power: 0 } }))).toEqual([{ path: 'os.power', message: onlyContacts }])
  })
  test('every field is of one of the kinds at least, and empty ones are of both', () => {
    for (const kind of ['spectacle', 'contact_lens'] as const) expect(foreignPaths(emptyRx(kind))).toEqual([])
    for (const field of [...Object.keys(rxInput.entries), ...Object.keys(emptyRx('spectacle').od)] as Parameters<typeof belongsTo>[0][]) {
      expect([field, belongsTo(field, 'spectacle') || belongsTo(field, 'contact_lens')]).toEqual([field, true])
    }
    expect([belongsTo('pantoscopic_tilt', 'contact_lens'), belongsTo('exam_date', 'contact_lens')]).toEqual([false, true])
  })
  test('drafts of former versions are freed of it, and of nothing else', () => {
    const old = contacts({ rx_type: 'bifocal', balance_lens_eye: 'os', od: { ...lens, sphere: -1000, va_near: 'J1' } })
    expect(withoutForeign(old)).toEqual(contacts({}))
    expect(withoutForeign(contacts({}))).toEqual(contacts({}))
  })
})

describe('an eye without a contact lens', () => {
  test('needs nothing; a balance lens is for glasses', () => {
    expect(signingProblems(contacts({ os: { no_lens: true } }), '2026-11-23')).toEqual([])
    expect(draftProblems(contacts({ os: {}, balance_lens_eye: 'os' }))).toEqual([{ path: 'balance_lens_eye', message: onlyGlasses }])
    const paths = signingProblems(contacts({ os: {}, balance_lens_eye: 'os' }), '2026-11-23').map(({ path }) => path)
    expect(paths).toContain('os.power')
  })
  test('has no values, is not both of them, and is none of glasses', () => {
    expect(draftProblems(contacts({ os: { ...lens, no_lens: true } }))).toEqual([{ path: 'os.no_lens', message: 'This eye has values' }])
    expect(draftProblems(contacts({ od: { no_lens: true }, os: { no_lens: true } }))).toEqual([
      { path: 'os.no_lens', message: 'At least one eye needs a lens' },
    ])
    expect(draftProblems(glasses({ os: { no_lens: true } }))).toEqual([{ path: 'os.no_lens', message: onlyContacts }])
  })
  test('is a difference from one that had a lens', () => {
    expect(rxDifferences(contacts({ os: { no_lens: true } }), contacts({}))).toContainEqual({ eye: 'os', field: 'no_lens' })
  })
})

describe('what former versions kept', () => {
  /** As an old row has it: without the keys that were added since. */
  function old() {
    const rx = contacts({ od: { ...lens, base_curve: null } })
    for (const key of ['base_curve_designation', 'equivalent_brand', 'no_lens'] as const) {
      for (const eye of ['od', 'os'] as const) Reflect.deleteProperty(rx[eye], key)
    }
    return rx
  }
  test('a missing key is not filled in: no lens is signed without its base curve', () => {
    expect(signingProblems(old(), '2026-11-23')).toEqual([{ path: 'od.base_curve', message: 'This field is required' }])
    const multifocal = contacts({ od: { ...lens, cl_type: 'soft_multifocal' } })
    Reflect.deleteProperty(multifocal.od, 'add_designation')
    expect(signingProblems(multifocal, '2026-11-23')).toEqual([{ path: 'od.add', message: 'This field is required' }])
  })
  test('nor is it a problem or a difference of its own', () => {
    expect(draftProblems(old())).toEqual([])
    expect(rxDifferences(old(), contacts({ od: { ...lens, base_curve: null } }))).toEqual([])
    expect(wholeRx(old())).toEqual(contacts({ od: { ...lens, base_curve: null } }))
  })
  test('axis 0 is 180, sent or kept', () => {
    expect(glasses({ od: { sphere: 0, cylinder: -500, axis: 0 } }).od.axis).toBe(180)
    const kept = glasses({ od: { sphere: 0, cylinder: -500, axis: 180 } })
    expect(wholeRx({ ...kept, od: { ...kept.od, axis: 0 } })).toEqual(kept)
  })
})

describe('near PD', () => {
  test('is never larger than the distance PD', () => {
    const message = 'can’t be larger than the distance PD'
    expect(draftProblems(glasses({ pd_distance_bino: 62_000, pd_near_bino: 62_500 }))).toEqual([{ path: 'pd_near_bino', message }])
    expect(draftProblems(glasses({ os: { sphere: 0, pd_distance_mono: 31_000, pd_near_mono: 31_500 } }))).toEqual([
      { path: 'os.pd_near_mono', message },
    ])
    expect(draftProblems(glasses({ pd_near_bino: 62_500 }))).toEqual([])
  })
})
