import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of signing in, the time clock and tablets. */
export const peopleErrors = {
  // Signing in. The messages are the specification's (section 8) and decide what the app does.
  'token-missing': { status: 401, message: 'Missing Authorization Header' },
  'token-expired': { status: 401, message: 'Token has expired' },
  'token-revoked': { status: 401, message: 'Token has been revoked' },
  'token-mismatch': { status: 401, message: 'Token mismatch' },
  'refresh-expired': { status: 401, message: 'Expired refresh token' },
  'refresh-invalid': { status: 401, message: 'Invalid refresh token' },
  'login-wrong': { status: 401, message: 'Wrong username or password' },
  'pin-wrong': { status: 401, message: 'Incorrect PIN. Please try again.' },
  'pin-needs-password': {
    status: 403,
    message: 'Sign in with your password once on this tablet. Then your PIN works here for 30 days.',
  },
  'pins-off': { status: 429, message: 'PINs are off for a while, because too many were wrong. Sign in with your password.' },
  'pin-forbidden': { status: 403, message: 'An administrator signs in with a password, never with a PIN' },
  'proof-wrong': { status: 403, message: 'This is not your password or present PIN' },
  'login-blocked': { status: 429, message: 'Too many failed attempts. Please wait before trying again.' },
  'risk-refused': { status: 403, message: 'The sign-in could not be verified. Please reload the page and try again.' },
  // The time clock.
  'punch-wrong': { status: 401, message: 'Wrong username or password' },
  'punch-sealed-unreadable': { status: 422, message: 'The sealed password could not be opened' },
  'punch-unknown': { status: 404, message: 'There is no such punch' },
  'punch-reason-missing': { status: 422, message: 'A correction needs a reason' },
  'punch-overlap': { status: 409, message: 'The corrected times overlap another entry' },
  // Tablets.
  'tablet-unknown': { status: 404, message: 'There is no such tablet in your stores' },
} as const satisfies ErrorEntries
