import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals that any call can give. */
export const requestErrors = {
  'permission-missing': { status: 403, message: 'You don’t have permission to do that' },
  'store-foreign': { status: 403, message: 'You don’t have access to that store' },
  'request-invalid': { status: 422, message: 'Some fields aren’t valid' },
  'request-unreadable': { status: 400, message: 'Couldn’t read the request' },
  'request-too-slow': { status: 408, message: 'The request took too long. Try again.' },
  'request-too-large': { status: 413, message: 'The request is too large' },
  'content-type-wrong': { status: 415, message: 'The request must be JSON' },
  'request-too-frequent': { status: 429, message: 'Too many requests. Wait a moment.' },
  'call-unknown': { status: 404, message: 'Unknown call' },
  'method-wrong': { status: 405, message: 'This call doesn’t support that method' },
  'key-reused': { status: 409, message: 'This ID was already used for something else' },
  'app-outdated': { status: 426, message: 'This version of the app is too old. Update it.' },
  'server-stopping': { status: 503, message: 'The server is shutting down. Try again in a moment.' },
  'database-unreachable': { status: 503, message: 'The server can’t reach its data right now. Try again.' },
  'server-failed': { status: 500, message: 'Something went wrong on the server' },
  'store-unknown': { status: 404, message: 'Store not found' },
} as const satisfies ErrorEntries
