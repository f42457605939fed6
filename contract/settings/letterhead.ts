import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { placeFields } from '#contract/patients/patient.ts'

/**
 * Where a store is and how it is reached, as its prescriptions tell. Of contact lenses US law wants the prescriber's name, address, phone and
 * fax on the paper (15 USC 7610(3)).
 */
export const letterhead = v.object(placeFields)
export type Letterhead = v.InferOutput<typeof letterhead>

export const emptyLetterhead: Letterhead = v.parse(letterhead, {})

/** What contact lens prescriptions of a store cannot tell yet. */
export function missingOf({ street_address, city, state, zip_code, phone, fax }: Letterhead): string[] {
  return [street_address && city && state && zip_code ? [] : ['address'], phone ? [] : ['phone'], fax ? [] : ['fax']].flat()
}

export const letterheadEndpoints = {
  letterhead: endpoint({
    method: 'GET',
    path: '/api/settings/letterhead',
    summary: 'Address, phone and fax of the store one works in, as its prescriptions tell',
    access: 'signed-in',
    response: letterhead,
    cached: 'reference',
  }),
  changeLetterhead: endpoint({
    method: 'PUT',
    path: '/api/settings/letterhead',
    summary: 'Changes them; every prescription of the store’s patients tells the new ones from then on',
    access: 'settings.optical',
    body: letterhead,
    response: letterhead,
  }),
} as const
