import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of insurance. */
export const insuranceErrors = {
  'insurance-unknown': { status: 404, message: 'This patient has no such policy' },
  'insurance-changed': { status: 409, message: 'The insurance policy was changed by someone else' },
  'insurance-reference-unknown': { status: 422, message: 'The policy names a company, plan or coverage type that doesn’t exist' },
  'insurance-priority-taken': { status: 409, message: 'The patient already has a policy with this priority' },
  'insurance-holder-unknown': { status: 404, message: 'The policy doesn’t cover this patient' },
  'insurance-holder-present': { status: 409, message: 'The policy already covers this patient' },
} as const satisfies ErrorEntries
