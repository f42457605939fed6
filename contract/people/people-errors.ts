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
  'pins-off': { status: 429, message: 'PINs are turned off for now because of too many wrong tries. Sign in with your password.' },
  'pin-forbidden': { status: 403, message: 'Administrators sign in with a password, not a PIN' },
  'proof-wrong': { status: 403, message: 'That’s not your password or current PIN' },
  'login-blocked': { status: 429, message: 'Too many failed attempts. Wait before trying again.' },
  'risk-refused': { status: 403, message: 'Couldn’t verify the sign-in. Reload the page and try again.' },
  // The time clock.
  'punch-wrong': { status: 401, message: 'Wrong username or password' },
  'punch-sealed-unreadable': { status: 422, message: 'Couldn’t decrypt the password' },
  'punch-unknown': { status: 404, message: 'Punch not found' },
  'punch-reason-missing': { status: 422, message: 'Enter a reason' },
  'punch-overlap': { status: 409, message: 'The corrected times overlap another entry' },
  // Tablets.
  'tablet-unknown': { status: 404, message: 'No such tablet in your stores' },
} as const satisfies ErrorEntries
