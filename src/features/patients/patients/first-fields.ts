import type { PatientCriteria } from '#contract/patients/patient-search.ts'

/** The fields of the patient search that always show, in their order. */
export const firstFields = ['name', 'last_name', 'dob', 'phone', 'address'] as const satisfies readonly (keyof PatientCriteria)[]

/** What stands in them in a form that nothing hears yet. */
export function typedIn(form: HTMLFormElement): Pick<PatientCriteria, (typeof firstFields)[number]> {
  const inputs = form.querySelectorAll('input')
  return Object.fromEntries(firstFields.map((field, at) => [field, inputs[at]?.value ?? '']))
}
