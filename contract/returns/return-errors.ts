import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of returns to vendors and returns of patients. */
export const returnErrors = {
  // Returns to vendors.
  'vendor-return-unknown': { status: 404, message: 'There is no such return in your stores' },
  'vendor-return-changed': { status: 409, message: 'The return was changed by someone else meanwhile' },
  'vendor-return-not-allowed': { status: 409, message: 'This is not possible in the state the return is in' },
  'vendor-return-empty': { status: 422, message: 'The return has no frames yet' },
  'return-piece-elsewhere': { status: 409, message: 'Some of the frames cannot go back to this vendor' },
  // Returns of patients.
  'patient-invoice-unknown': { status: 404, message: 'There is no such invoice' },
  'patient-invoice-not-finalized': { status: 409, message: 'Only what is on a finalized invoice can come back' },
  'patient-return-unknown': { status: 404, message: 'There is no such return in your stores' },
  'patient-return-changed': { status: 409, message: 'The return was changed by someone else meanwhile' },
  'patient-return-settled': { status: 409, message: 'The return has been decided already' },
  'return-line-taken': { status: 409, message: 'Not as many of it are left to come back' },
  'return-destination-missing': { status: 422, message: 'Where each frame goes has to be chosen' },
  'returned-piece-elsewhere': { status: 409, message: 'A frame of it is not Sold any more' },
} as const satisfies ErrorEntries
