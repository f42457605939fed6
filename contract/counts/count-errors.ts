import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of counting. */
export const countErrors = {
  'count-unknown': { status: 404, message: 'There is no such count sheet' },
  'count-closed': { status: 409, message: 'The count sheet is closed' },
  'count-number-wrong': { status: 422, message: 'The number typed is not the number of frames that would become Missing' },
  'count-devices-unsent': { status: 409, message: 'Some tablets may still hold unsent scans for this sheet' },
  'count-exceptions-open': { status: 409, message: 'Some exceptions have no decision yet' },
  'count-not-empty': { status: 409, message: 'The count sheet has scans; only a manager may delete it' },
  'count-scope-empty': { status: 422, message: 'No frame matches what is to be counted' },
  'scan-unknown': { status: 404, message: 'There is no such scan' },
  'scan-foreign': { status: 403, message: 'Only the person who scanned or a manager may undo this scan' },
} as const satisfies ErrorEntries
