import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of prescriptions. */
export const rxErrors = {
  'rx-unknown': { status: 404, message: 'Prescription not found' },
  'rx-signed': { status: 409, message: 'The prescription is signed and can’t be changed' },
  'rx-changed': { status: 409, message: 'The prescription was changed by someone else' },
  'rx-not-withdrawable': { status: 409, message: 'The prescription’s status doesn’t allow withdrawing it' },
  'rx-signature-not-yours': { status: 422, message: 'The typed name doesn’t match the signer’s name' },
  'rx-provider-unknown': { status: 422, message: 'Provider not found' },
} as const satisfies ErrorEntries
