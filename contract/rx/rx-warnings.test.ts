import * as v from 'valibot'
import { expect, test } from 'vitest'
import { rxInput } from '#contract/rx/prescription.ts'
import { rxWarnings, warningWords } from '#contract/rx/rx-warnings.ts'

const words = (rx: v.InferInput<typeof rxInput>) => rxWarnings(v.parse(rxInput, rx), null).map(warningWords)
const contact = (od: object) => words({ rx_kind: 'contact_lens', od })
const steps = 'OD: Most toric lenses come in steps of 10 degrees'

test('soft torics come in steps of ten degrees; rigid ones are made in any axis', () => {
  const toric = { power: -1000, cylinder: -750, axis: 7 }
  expect(contact({ ...toric, cl_type: 'soft_toric' })).toEqual([steps])
  for (const cl_type of ['rgp', 'scleral', 'hybrid']) expect(contact({ ...toric, cl_type })).toEqual([])
  expect(contact({ ...toric, axis: 10, cl_type: 'soft_toric' })).toEqual([])
})

test('a soft sphere has no cylinder', () => {
  const cylinder = { power: -1000, cylinder: -750, axis: 180 }
  expect(contact({ ...cylinder, cl_type: 'soft_sphere' })).toEqual(['OD: Cylinder entered, but lens type is soft sphere'])
  expect(contact({ ...cylinder, cl_type: 'soft_toric' })).toEqual([])
})

test('soft lenses are 13.0 to 15.0 mm wide', () => {
  const unusual = 'OD: Unusual diameter. Most soft lenses are 13.0 to 15.0 mm'
  const of = (diameter: number, cl_type = 'soft_sphere') => contact({ diameter, cl_type })
  expect([of(12_900), of(13_000), of(15_000), of(15_100)]).toEqual([[unusual], [], [], [unusual]])
  expect([of(9600, 'rgp'), of(16_500, 'scleral')]).toEqual([[], []])
})

test('near PDs are 2 to 6 mm smaller than distance PDs, and as large as both eyes together', () => {
  const unusual = 'The near PD is usually 2 to 6 mm smaller than the distance PD'
  const both = (near: number) => words({ rx_kind: 'spectacle', pd_distance_bino: 62_000, pd_near_bino: near })
  expect([both(60_500), both(60_000), both(56_000), both(55_500)]).toEqual([[unusual], [], [], [unusual]])
  const each = (near: [number, number], bino: number | null = null) =>
    words({
      rx_kind: 'spectacle',
      pd_near_bino: bino,
      od: { pd_distance_mono: 31_000, pd_near_mono: near[0] },
      os: { pd_distance_mono: 31_000, pd_near_mono: near[1] },
    })
  expect(each([29_500, 29_500])).toEqual([])
  expect(each([31_000, 31_000])).toEqual([unusual])
  expect(each([31_000, 28_000])).toEqual(['The near PD of an eye is usually 1 to 3 mm smaller than the distance PD'])
  expect(each([29_500, 29_500], 59_500)).toEqual([])
  expect(each([29_500, 29_500], 58_000)).toEqual(['The near binocular PD isn’t the sum of each eye (59.0)'])
})
