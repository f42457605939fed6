import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of prescriptions. */
export const rxErrors = {
  'rx-unknown': { status: 404, message: 'There is no such prescription' },
  'rx-signed': { status: 409, message: 'The prescription is signed and can no longer be changed' },
  'rx-changed': { status: 409, message: 'The prescription was changed by someone else meanwhile' },
  'rx-not-withdrawable': { status: 409, message: 'In its present state the prescription cannot be withdrawn like this' },
  'rx-signature-not-yours': { status: 422, message: 'The typed name is not the name of the person who signs' },
  'rx-provider-unknown': { status: 422, message: 'There is no such provider' },
} as const satisfies ErrorEntries
