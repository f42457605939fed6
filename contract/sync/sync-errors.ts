import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of sync. */
export const syncErrors = {
  'cursor-stale': { status: 410, message: 'The server was restored. This device is reloading everything' },
  'cursor-invalid': { status: 400, message: 'Couldn’t read the cursor' },
  'command-unknown': { status: 422, message: 'The server doesn’t recognize this kind of work' },
  'author-absent': { status: 403, message: 'Only the person who did this can send it, signed in on this tablet' },
  'work-held': { status: 403, message: 'A manager must review this first' },
  'work-discarded': { status: 410, message: 'A manager discarded this' },
  'capture-token-invalid': { status: 403, message: 'We couldn’t verify who did this' },
} as const satisfies ErrorEntries
