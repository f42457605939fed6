import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of counting. */
export const countErrors = {
  'count-unknown': { status: 404, message: 'Count sheet not found' },
  'count-closed': { status: 409, message: 'The count sheet is closed' },
  'count-number-wrong': { status: 422, message: 'That number doesn’t match the number of missing frames' },
  'count-devices-unsent': { status: 409, message: 'Some tablets may still have unsent scans for this sheet' },
  'count-exceptions-open': { status: 409, message: 'Some exceptions need a decision' },
  'count-not-empty': { status: 409, message: 'The count sheet has scans. Only a manager can delete it' },
  'count-scope-empty': { status: 422, message: 'No frames match this count' },
  'scan-unknown': { status: 404, message: 'Scan not found' },
  'scan-foreign': { status: 403, message: 'Only the person who scanned it or a manager can undo this scan' },
} as const satisfies ErrorEntries
