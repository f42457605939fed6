import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of insurance. */
export const insuranceErrors = {
  'insurance-unknown': { status: 404, message: 'There is no such insurance policy of this patient' },
  'insurance-changed': { status: 409, message: 'The insurance policy was changed by someone else meanwhile' },
  'insurance-reference-unknown': { status: 422, message: 'The insurance policy names a company, plan or coverage type that is not there' },
  'insurance-priority-taken': { status: 409, message: 'The patient already has a policy of this priority' },
  'insurance-holder-unknown': { status: 404, message: 'This patient is not a holder of the insurance policy' },
  'insurance-holder-present': { status: 409, message: 'This patient is a holder of the insurance policy already' },
} as const satisfies ErrorEntries
