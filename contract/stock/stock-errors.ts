import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of frames, transfers and labels. */
export const stockErrors = {
  // Frames.
  'frame-not-one': { status: 409, message: 'More than one frame has this UPC' },
  'frame-unknown': { status: 404, message: 'No frame has this serial or F#' },
  'frame-changed': { status: 409, message: 'The frame was changed by someone else meanwhile' },
  'control-not-allowed': { status: 409, message: 'This action is not possible in the state the frame is in' },
  'control-note-missing': { status: 422, message: 'This action needs a note' },
  // Transfers.
  'transfer-unknown': { status: 404, message: 'There is no such transfer in your stores' },
  'transfer-changed': { status: 409, message: 'The transfer was changed by someone else meanwhile' },
  'transfer-not-allowed': { status: 409, message: 'This is not possible in the state the transfer is in' },
  'transfer-empty': { status: 422, message: 'The transfer has no frames yet' },
  'transfer-piece-elsewhere': { status: 409, message: 'Some of the frames are not in stock here any more' },
  // Labels.
  'label-too-small': { status: 422, message: 'The code of a frame is too long for these labels. Choose larger ones.' },
  'label-request-unknown': { status: 404, message: 'There is no such request for a label' },
} as const satisfies ErrorEntries
