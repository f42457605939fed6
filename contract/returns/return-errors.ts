import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of returns to vendors and returns of patients. */
export const returnErrors = {
  // Returns to vendors.
  'vendor-return-unknown': { status: 404, message: 'No such return in your stores' },
  'vendor-return-changed': { status: 409, message: 'The return was changed by someone else' },
  'vendor-return-not-allowed': { status: 409, message: 'The return’s status doesn’t allow this' },
  'vendor-return-empty': { status: 422, message: 'The return has no frames yet' },
  'return-piece-elsewhere': { status: 409, message: 'Some of the frames can’t go back to this vendor' },
  // Returns of patients.
  'patient-invoice-unknown': { status: 404, message: 'Invoice not found' },
  'patient-invoice-not-finalized': { status: 409, message: 'Only items on a finalized invoice can be returned' },
  'patient-return-unknown': { status: 404, message: 'No such return in your stores' },
  'patient-return-changed': { status: 409, message: 'The return was changed by someone else' },
  'patient-return-settled': { status: 409, message: 'The return was already decided' },
  'return-line-taken': { status: 409, message: 'There aren’t that many left to return' },
  'return-destination-missing': { status: 422, message: 'Choose where each frame goes' },
  'returned-piece-elsewhere': { status: 409, message: 'One of its frames is no longer Sold' },
} as const satisfies ErrorEntries
