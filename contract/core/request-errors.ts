import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals that any call can give. */
export const requestErrors = {
  'permission-missing': { status: 403, message: 'This account may not do that' },
  'store-foreign': { status: 403, message: 'This account does not belong to that store' },
  'request-invalid': { status: 422, message: 'Some of what was sent is not valid' },
  'request-unreadable': { status: 400, message: 'The request could not be read' },
  'request-too-slow': { status: 408, message: 'The request came too slowly. Please try again.' },
  'request-too-large': { status: 413, message: 'The request is too large' },
  'content-type-wrong': { status: 415, message: 'The request must be JSON' },
  'request-too-frequent': { status: 429, message: 'Too many requests. Please wait a moment.' },
  'call-unknown': { status: 404, message: 'There is no such call' },
  'method-wrong': { status: 405, message: 'This call does not know that method' },
  'key-reused': { status: 409, message: 'This id was already used for something else' },
  'app-outdated': { status: 426, message: 'This version of the app is too old for the server. Please update it.' },
  'server-stopping': { status: 503, message: 'The server is stopping. Please try again in a moment.' },
  'database-unreachable': { status: 503, message: 'The server cannot reach its data at the moment. Please try again.' },
  'server-failed': { status: 500, message: 'Something went wrong at the server' },
  'store-unknown': { status: 404, message: 'There is no such store' },
} as const satisfies ErrorEntries
