import type { PatientCriteria } from '#contract/patient-search.ts'

/** The id of the search on the home page: the header leads to it there. */
export const searchPanelId = 'patient-search'

/** The fields that always show, in their order. */
export const firstFields = ['name', 'last_name', 'dob', 'phone', 'address'] as const satisfies readonly (keyof PatientCriteria)[]
