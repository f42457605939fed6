import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of sync. */
export const syncErrors = {
  'cursor-stale': { status: 410, message: 'The server was restored; the device reads everything anew' },
  'cursor-invalid': { status: 400, message: 'The cursor could not be read' },
  'command-unknown': { status: 422, message: 'The server does not know this kind of work' },
  'author-absent': { status: 403, message: 'Only the person who did this can send it, signed in on this tablet' },
  'work-held': { status: 403, message: 'The server keeps this until a manager has looked at it' },
  'work-discarded': { status: 410, message: 'A manager has discarded this' },
  'capture-token-invalid': { status: 403, message: 'It could not be proven who did this' },
} as const satisfies ErrorEntries
