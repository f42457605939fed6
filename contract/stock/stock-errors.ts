import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of frames, transfers and labels. */
export const stockErrors = {
  // Frames.
  'frame-not-one': { status: 409, message: 'More than one frame has this UPC' },
  'frame-unknown': { status: 404, message: 'No frame has this serial or F#' },
  'frame-changed': { status: 409, message: 'The frame was changed by someone else' },
  'control-not-allowed': { status: 409, message: 'The frame’s status doesn’t allow this action' },
  'control-note-missing': { status: 422, message: 'This action needs a note' },
  // Transfers.
  'transfer-unknown': { status: 404, message: 'No such transfer in your stores' },
  'transfer-changed': { status: 409, message: 'The transfer was changed by someone else' },
  'transfer-not-allowed': { status: 409, message: 'The transfer’s status doesn’t allow this' },
  'transfer-empty': { status: 422, message: 'The transfer has no frames yet' },
  'transfer-piece-elsewhere': { status: 409, message: 'Some of the frames are no longer in stock here' },
  // Labels.
  'label-too-small': { status: 422, message: 'A frame’s code is too long for these labels. Choose larger labels.' },
  'label-request-unknown': { status: 404, message: 'Label request not found' },
} as const satisfies ErrorEntries
