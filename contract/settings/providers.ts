import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { optionalText, orNull } from '#contract/patients/patient.ts'
import { npi } from '#contract/patients/pcp.ts'
import { rowId } from '#contract/core/primitives.ts'

/** Numbers of our own provider, which their prescriptions show. */
export const providerNumbers = v.object({ license_no: optionalText(40), npi: orNull(npi) })
export type ProviderNumbers = v.InferOutput<typeof providerNumbers>

const provider = v.object({
  id_user: rowId,
  name: v.string(),
  license_no: v.nullable(v.string()),
  npi: v.nullable(v.string()),
  /** True when they belong to the store in which the user works. Its managers write the numbers down. */
  is_here: v.boolean(),
})
export type Provider = v.InferOutput<typeof provider>

/** Returns the numbers that a prescription of theirs lacks. */
export function missingNumbers({ license_no, npi: number }: ProviderNumbers): string[] {
  return [license_no ? [] : ['license number'], number ? [] : ['NPI']].flat()
}

export const providerEndpoints = {
  listProviders: endpoint({
    method: 'GET',
    path: '/api/settings/providers',
    summary: 'The doctors of the chain with license number and NPI, as their prescriptions tell them',
    access: 'signed-in',
    response: v.object({ providers: v.array(provider) }),
  }),
  changeProvider: endpoint({
    method: 'PUT',
    path: '/api/settings/providers/{id}',
    summary: 'Changes license number and NPI of a doctor of the store one works in; what they sign from then on tells the new ones',
    access: 'settings.optical',
    params: v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'must be a number')) }),
    body: providerNumbers,
    response: provider,
    refuses: ['rx-provider-unknown'],
  }),
} as const
