import type { ErrorBody, FieldProblem } from '#contract/core/error-body.ts'

export * from '#contract/core/error-body.ts'

/**
 * Every refusal the server knows, by its stable code: the HTTP status it travels under and the
 * sentence a person reads. Codes are noun-fact; a code never changes its meaning.
 */
export const errorCatalogue = {
  // authentication: the messages are the specification's (section 8) and decide what the app does
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

  // permission and scope
  'permission-missing': { status: 403, message: 'You don’t have permission to do that' },
  'store-foreign': { status: 403, message: 'You don’t have access to that store' },

  // requests
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

  // sync
  'cursor-stale': { status: 410, message: 'The server was restored. This device is reloading everything' },
  'cursor-invalid': { status: 400, message: 'Couldn’t read the cursor' },
  'command-unknown': { status: 422, message: 'The server doesn’t recognize this kind of work' },
  'author-absent': { status: 403, message: 'Only the person who did this can send it, signed in on this tablet' },
  'work-held': { status: 403, message: 'A manager must review this first' },
  'work-discarded': { status: 410, message: 'A manager discarded this' },
  'capture-token-invalid': { status: 403, message: 'We couldn’t verify who did this' },

  // stock
  'frame-not-one': { status: 409, message: 'More than one frame has this UPC' },
  'frame-unknown': { status: 404, message: 'No frame has this serial or F#' },
  'frame-changed': { status: 409, message: 'The frame was changed by someone else' },
  'control-not-allowed': { status: 409, message: 'The frame’s status doesn’t allow this action' },
  'control-note-missing': { status: 422, message: 'This action needs a note' },

  // transfers
  'transfer-unknown': { status: 404, message: 'No such transfer in your stores' },
  'transfer-changed': { status: 409, message: 'The transfer was changed by someone else' },
  'transfer-not-allowed': { status: 409, message: 'The transfer’s status doesn’t allow this' },
  'transfer-empty': { status: 422, message: 'The transfer has no frames yet' },
  'transfer-piece-elsewhere': { status: 409, message: 'Some of the frames are no longer in stock here' },

  // labels
  'label-too-small': { status: 422, message: 'A frame’s code is too long for these labels. Choose larger labels.' },
  'label-request-unknown': { status: 404, message: 'Label request not found' },

  // what vendors deliver
  'store-invoice-unknown': { status: 404, message: 'No such receipt in your stores' },
  'vendor-invoice-unknown': { status: 404, message: 'No such vendor invoice in your stores' },
  'vendor-invoice-changed': { status: 409, message: 'The vendor invoice was changed by someone else' },
  'vendor-invoice-not-allowed': { status: 409, message: 'The vendor invoice’s status doesn’t allow this' },
  'vendor-invoice-taken': { status: 409, message: 'This vendor already has an invoice with this number' },
  'piece-known': { status: 409, message: 'This tag is already in stock' },
  'piece-to-confirm': { status: 409, message: 'Someone must confirm that this was received' },
  'piece-in-use': { status: 409, message: 'One of its frames was sold or moved' },
  // returns to vendors
  'vendor-return-unknown': { status: 404, message: 'No such return in your stores' },
  'vendor-return-changed': { status: 409, message: 'The return was changed by someone else' },
  'vendor-return-not-allowed': { status: 409, message: 'The return’s status doesn’t allow this' },
  'vendor-return-empty': { status: 422, message: 'The return has no frames yet' },
  'return-piece-elsewhere': { status: 409, message: 'Some of the frames can’t go back to this vendor' },
  // returns of patients
  'patient-invoice-unknown': { status: 404, message: 'Invoice not found' },
  'patient-invoice-not-finalized': { status: 409, message: 'Only items on a finalized invoice can be returned' },
  'patient-return-unknown': { status: 404, message: 'No such return in your stores' },
  'patient-return-changed': { status: 409, message: 'The return was changed by someone else' },
  'patient-return-settled': { status: 409, message: 'The return was already decided' },
  'return-line-taken': { status: 409, message: 'There aren’t that many left to return' },
  'return-destination-missing': { status: 422, message: 'Choose where each frame goes' },
  'returned-piece-elsewhere': { status: 409, message: 'One of its frames is no longer Sold' },

  // frame library and price book
  'vendor-unknown': { status: 422, message: 'Vendor not found' },
  'vendor-taken': { status: 409, message: 'A vendor with this name already exists' },
  'brand-taken': { status: 409, message: 'This vendor already has a brand with this name' },
  'product-unknown': { status: 404, message: 'Product not found' },
  'product-changed': { status: 409, message: 'The product was changed by someone else' },
  'product-taken': { status: 409, message: 'This brand already has a product with this name' },
  'model-unknown': { status: 404, message: 'Model not found' },
  'model-changed': { status: 409, message: 'The model was changed by someone else' },
  'model-taken': { status: 409, message: 'The product already has this color and size' },
  'upc-taken': { status: 409, message: 'Another model has this UPC' },
  'photo-unknown': { status: 404, message: 'Photo not found' },
  'photo-changed': { status: 409, message: 'Someone else changed the photo' },
  'price-change-unknown': { status: 404, message: 'Price change not found' },
  'price-change-settled': { status: 409, message: 'The price change was already applied or canceled' },

  // count sheets
  'count-unknown': { status: 404, message: 'Count sheet not found' },
  'count-closed': { status: 409, message: 'The count sheet is closed' },
  'count-number-wrong': { status: 422, message: 'That number doesn’t match the number of missing frames' },
  'count-devices-unsent': { status: 409, message: 'Some tablets may still have unsent scans for this sheet' },
  'count-exceptions-open': { status: 409, message: 'Some exceptions need a decision' },
  'count-not-empty': { status: 409, message: 'The count sheet has scans. Only a manager can delete it' },
  'count-scope-empty': { status: 422, message: 'No frames match this count' },
  'scan-unknown': { status: 404, message: 'Scan not found' },
  'scan-foreign': { status: 403, message: 'Only the person who scanned it or a manager can undo this scan' },

  // patients
  'patient-unknown': { status: 404, message: 'Patient not found' },
  'patient-of-other-store': { status: 403, message: 'This patient belongs to a store you don’t have access to' },
  'patient-changed': { status: 409, message: 'The patient was changed by someone else' },
  'patient-reference-unknown': { status: 422, message: 'The patient refers to someone or something that doesn’t exist' },
  'sealed-unreadable': { status: 422, message: 'Couldn’t decrypt the data from the tablet' },

  // messages
  'messages-not-configured': { status: 409, message: 'This server isn’t set up to send it' },
  'consent-missing': { status: 409, message: 'The patient hasn’t consented to this kind of message' },
  'contact-unwanted': { status: 409, message: 'The patient doesn’t want to be contacted' },
  'address-missing': { status: 409, message: 'The patient has no number or address on file' },
  'message-too-frequent': { status: 429, message: 'Too many messages in the last hour. Wait and try again.' },
  'report-unproven': { status: 403, message: 'The report isn’t signed with this server’s secret' },
  // files of patients
  'file-unknown': { status: 404, message: 'File not found' },
  'file-too-large': { status: 413, message: 'This file is too large. The limit is 25 MB' },
  'file-type-unknown': { status: 415, message: 'Unsupported file type. Use PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF or DICOM' },
  'file-infected': { status: 422, message: 'The file has a virus. It wasn’t saved.' },
  'file-picture-too-large': { status: 422, message: 'The picture is too large. The limit is 100 million pixels and 30,000 per side' },
  'file-pages-too-many': { status: 422, message: 'The PDF has too many pages. The limit is 2,000' },
  'files-full': { status: 409, message: 'This store’s file storage is full. Ask your IT support for more space.' },
  'scanner-unreachable': { status: 503, message: 'The server can’t check files for viruses right now. Try again.' },
  'file-empty': { status: 422, message: 'This file is empty' },
  'upload-unknown': { status: 404, message: 'This upload doesn’t exist or has expired' },
  'upload-offset-wrong': { status: 409, message: 'This part is out of order' },
  'uploads-too-many': { status: 429, message: 'Too many unfinished uploads. Finish them first.' },
  'storage-unreachable': { status: 503, message: 'The server can’t reach its files right now. Try again.' },
  // insurance
  'insurance-unknown': { status: 404, message: 'This patient has no such policy' },
  'insurance-changed': { status: 409, message: 'The insurance policy was changed by someone else' },
  'insurance-reference-unknown': { status: 422, message: 'The policy names a company, plan or coverage type that doesn’t exist' },
  'insurance-priority-taken': { status: 409, message: 'The patient already has a policy with this priority' },
  'insurance-holder-unknown': { status: 404, message: 'The policy doesn’t cover this patient' },
  'insurance-holder-present': { status: 409, message: 'The policy already covers this patient' },
  // prescriptions
  'rx-unknown': { status: 404, message: 'Prescription not found' },
  'rx-signed': { status: 409, message: 'The prescription is signed and can’t be changed' },
  'rx-changed': { status: 409, message: 'The prescription was changed by someone else' },
  'rx-not-withdrawable': { status: 409, message: 'The prescription’s status doesn’t allow withdrawing it' },
  'rx-signature-not-yours': { status: 422, message: 'The typed name doesn’t match the signer’s name' },
  'rx-provider-unknown': { status: 422, message: 'Provider not found' },
  // primary care providers
  'pcp-unknown': { status: 404, message: 'Primary care provider not found' },
  'pcp-changed': { status: 409, message: 'The primary care provider was changed by someone else' },
  'pcp-merged': { status: 409, message: 'This primary care provider was merged into another' },
  'pcp-npi-taken': { status: 409, message: 'Another primary care provider has this NPI' },
  'pcp-same': { status: 422, message: 'A primary care provider can’t be merged into itself' },

  // patient portal
  /** One sentence for every reason: an unknown, old, revoked or locked link and a wrong date of birth cannot be told apart. */
  'portal-closed': {
    status: 403,
    message: 'That link and date of birth don’t match. Check the date, or ask your clinic for a new link.',
  },
  'portal-invited': { status: 409, message: 'The patient was already invited. Resend the invitation or revoke it first.' },
  'portal-birth-date-missing': { status: 409, message: 'The patient has no date of birth on file, so they can’t confirm who they are' },
  'invitation-unknown': { status: 404, message: 'Invitation not found' },
  'invitation-revoked': { status: 409, message: 'The invitation was revoked. Send a new one.' },
  'portal-message-unknown': { status: 404, message: 'Message not found' },
  'intake-unknown': { status: 404, message: 'Form not found' },
  'intake-settled': { status: 409, message: 'Someone else already reviewed this form' },

  // time clock
  'punch-wrong': { status: 401, message: 'Wrong username or password' },
  'punch-sealed-unreadable': { status: 422, message: 'Couldn’t decrypt the password' },
  'punch-unknown': { status: 404, message: 'Punch not found' },
  'punch-reason-missing': { status: 422, message: 'Enter a reason' },
  'punch-overlap': { status: 409, message: 'The corrected times overlap another entry' },

  // tablets
  'tablet-unknown': { status: 404, message: 'No such tablet in your stores' },

  // stores
  'store-unknown': { status: 404, message: 'Store not found' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** A refusal as a value: what server features return or throw, and what the client gets back. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields?: FieldProblem[]
  readonly retry_after_s?: number
  readonly details?: Record<string, unknown>

  constructor(
    code: ErrorCode,
    more: { message?: string; fields?: FieldProblem[]; retry_after_s?: number; details?: Record<string, unknown> } = {},
  ) {
    super(more.message ?? errorCatalogue[code].message)
    this.name = 'Refusal'
    this.code = code
    this.status = errorCatalogue[code].status
    if (more.fields) this.fields = more.fields
    if (more.retry_after_s !== undefined) this.retry_after_s = more.retry_after_s
    if (more.details) this.details = more.details
  }

  toBody(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.fields && { fields: this.fields }),
      ...(this.retry_after_s !== undefined && { retry_after_s: this.retry_after_s }),
      ...(this.details && { details: this.details }),
    }
  }
}
