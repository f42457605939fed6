import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { rxEye } from '#contract/rx/prescription.ts'
import { text } from '#contract/core/primitives.ts'

const times = v.pipe(v.number(), v.integer(), v.minValue(1))
const { base_curve, base_curve_designation, diameter } = rxEye.entries

/** In what curve and width a lens has been prescribed. */
const lensFit = v.object({ base_curve, base_curve_designation, diameter, times })
export type LensFit = v.InferOutput<typeof lensFit>

/** A contact lens as the chain has prescribed it, for so many eyes; the most used fit first. */
const lensBrand = v.object({
  brand: v.string(),
  manufacturer: v.nullable(v.string()),
  material: v.nullable(v.string()),
  times,
  fits: v.array(lensFit),
})
export type LensBrand = v.InferOutput<typeof lensBrand>

/** How many are offered at once. */
export const lensBrandsShown = 20

export const findLensBrands = endpoint({
  method: 'GET',
  path: '/api/patient/lens-brands',
  summary:
    'Contact lenses that were signed for anybody in the chain, by the words of brand, manufacturer and material; the most used first',
  access: 'rx.enter',
  query: v.object({ query: v.optional(text(100), '') }),
  response: v.object({ brands: v.array(lensBrand) }),
})
