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
  'pins-off': { status: 429, message: 'PINs are off for a while, because too many were wrong. Sign in with your password.' },
  'pin-forbidden': { status: 403, message: 'An administrator signs in with a password, never with a PIN' },
  'proof-wrong': { status: 403, message: 'This is not your password or present PIN' },
  'login-blocked': { status: 429, message: 'Too many failed attempts. Please wait before trying again.' },
  'risk-refused': { status: 403, message: 'The sign-in could not be verified. Please reload the page and try again.' },

  // permission and scope
  'permission-missing': { status: 403, message: 'This account may not do that' },
  'store-foreign': { status: 403, message: 'This account does not belong to that store' },

  // requests
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

  // sync
  'cursor-stale': { status: 410, message: 'The server was restored; the device reads everything anew' },
  'cursor-invalid': { status: 400, message: 'The cursor could not be read' },
  'command-unknown': { status: 422, message: 'The server does not know this kind of work' },
  'author-absent': { status: 403, message: 'Only the person who did this can send it, signed in on this tablet' },
  'work-held': { status: 403, message: 'The server keeps this until a manager has looked at it' },
  'work-discarded': { status: 410, message: 'A manager has discarded this' },
  'capture-token-invalid': { status: 403, message: 'It could not be proven who did this' },

  // stock
  'frame-not-one': { status: 409, message: 'More than one frame has this UPC' },
  'frame-unknown': { status: 404, message: 'No frame has this serial or F#' },
  'frame-changed': { status: 409, message: 'The frame was changed by someone else meanwhile' },
  'control-not-allowed': { status: 409, message: 'This action is not possible in the state the frame is in' },
  'control-note-missing': { status: 422, message: 'This action needs a note' },

  // transfers
  'transfer-unknown': { status: 404, message: 'There is no such transfer in your stores' },
  'transfer-changed': { status: 409, message: 'The transfer was changed by someone else meanwhile' },
  'transfer-not-allowed': { status: 409, message: 'This is not possible in the state the transfer is in' },
  'transfer-empty': { status: 422, message: 'The transfer has no frames yet' },
  'transfer-piece-elsewhere': { status: 409, message: 'Some of the frames are not in stock here any more' },

  // labels
  'label-too-small': { status: 422, message: 'The code of a frame is too long for these labels. Choose larger ones.' },
  'label-request-unknown': { status: 404, message: 'There is no such request for a label' },

  // what vendors deliver
  'store-invoice-unknown': { status: 404, message: 'There is no such receipt in your stores' },
  'vendor-invoice-unknown': { status: 404, message: 'There is no such vendor invoice in your stores' },
  'vendor-invoice-changed': { status: 409, message: 'The vendor invoice was changed by someone else meanwhile' },
  'vendor-invoice-not-allowed': { status: 409, message: 'This is not possible in the state the vendor invoice is in' },
  'vendor-invoice-taken': { status: 409, message: 'An invoice of this vendor with this number was entered already' },
  'piece-known': { status: 409, message: 'This is the tag of a piece that the chain has already' },
  'piece-to-confirm': { status: 409, message: 'A person must confirm that this is received' },
  'piece-in-use': { status: 409, message: 'A piece of it was sold or moved' },
  // returns to vendors
  'vendor-return-unknown': { status: 404, message: 'There is no such return in your stores' },
  'vendor-return-changed': { status: 409, message: 'The return was changed by someone else meanwhile' },
  'vendor-return-not-allowed': { status: 409, message: 'This is not possible in the state the return is in' },
  'vendor-return-empty': { status: 422, message: 'The return has no frames yet' },
  'return-piece-elsewhere': { status: 409, message: 'Some of the frames cannot go back to this vendor' },
  // returns of patients
  'patient-invoice-unknown': { status: 404, message: 'There is no such invoice' },
  'patient-invoice-not-finalized': { status: 409, message: 'Only what is on a finalized invoice can come back' },
  'patient-return-unknown': { status: 404, message: 'There is no such return in your stores' },
  'patient-return-changed': { status: 409, message: 'The return was changed by someone else meanwhile' },
  'patient-return-settled': { status: 409, message: 'The return has been decided already' },
  'return-line-taken': { status: 409, message: 'Not as many of it are left to come back' },
  'return-destination-missing': { status: 422, message: 'Where each frame goes has to be chosen' },
  'returned-piece-elsewhere': { status: 409, message: 'A frame of it is not Sold any more' },

  // frame library and price book
  'vendor-unknown': { status: 422, message: 'There is no such vendor' },
  'vendor-taken': { status: 409, message: 'There is a vendor of this name already' },
  'brand-taken': { status: 409, message: 'This vendor has a brand of this name already' },
  'product-unknown': { status: 404, message: 'There is no such product' },
  'product-changed': { status: 409, message: 'The product was changed by someone else meanwhile' },
  'product-taken': { status: 409, message: 'This brand has a product of this name already' },
  'model-unknown': { status: 404, message: 'There is no such model' },
  'model-changed': { status: 409, message: 'The model was changed by someone else meanwhile' },
  'model-taken': { status: 409, message: 'The product has this color in this size already' },
  'upc-taken': { status: 409, message: 'Another model has this UPC' },
  'photo-unknown': { status: 404, message: 'There is no such photo' },
  'photo-changed': { status: 409, message: 'Someone else has changed the photo meanwhile' },
  'price-change-unknown': { status: 404, message: 'There is no such change of prices' },
  'price-change-settled': { status: 409, message: 'The change of prices has been made or taken back already' },

  // count sheets
  'count-unknown': { status: 404, message: 'There is no such count sheet' },
  'count-closed': { status: 409, message: 'The count sheet is closed' },
  'count-number-wrong': { status: 422, message: 'The number typed is not the number of frames that would become Missing' },
  'count-devices-unsent': { status: 409, message: 'Some tablets may still hold unsent scans for this sheet' },
  'count-exceptions-open': { status: 409, message: 'Some exceptions have no decision yet' },
  'count-not-empty': { status: 409, message: 'The count sheet has scans; only a manager may delete it' },
  'count-scope-empty': { status: 422, message: 'No frame matches what is to be counted' },
  'scan-unknown': { status: 404, message: 'There is no such scan' },
  'scan-foreign': { status: 403, message: 'Only the person who scanned or a manager may undo this scan' },

  // patients
  'patient-unknown': { status: 404, message: 'There is no such patient' },
  'patient-of-other-store': { status: 403, message: 'This patient belongs to a store that this account does not' },
  'patient-changed': { status: 409, message: 'The patient was changed by someone else meanwhile' },
  'patient-reference-unknown': { status: 422, message: 'The patient refers to someone or something that is not there' },
  'sealed-unreadable': { status: 422, message: 'What was sealed on the tablet could not be opened' },

  // messages
  'messages-not-configured': { status: 409, message: 'This server has no service that could send it' },
  'consent-missing': { status: 409, message: 'The patient has not agreed to be written to this way' },
  'contact-unwanted': { status: 409, message: 'The patient does not want to be contacted' },
  'address-missing': { status: 409, message: 'The patient has no number or address to send it to' },
  'message-too-frequent': { status: 429, message: 'Too much was sent within an hour. Please wait.' },
  'report-unproven': { status: 403, message: 'The report is not signed with the secret of this server' },
  // files of patients
  'file-unknown': { status: 404, message: 'There is no such file' },
  'file-too-large': { status: 413, message: 'The file is too large: at most 25 MB' },
  'file-type-unknown': { status: 415, message: 'This kind of file is not taken: PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF and DICOM are' },
  'file-infected': { status: 422, message: 'A virus was found in the file. It was not kept.' },
  'file-picture-too-large': { status: 422, message: 'The picture has too many pixels: at most 100 million, and 30,000 to a side' },
  'file-pages-too-many': { status: 422, message: 'The PDF has too many pages: at most 2,000' },
  'files-full': { status: 409, message: 'The files of this store have no more room. The operator of the server can give it more.' },
  'scanner-unreachable': { status: 503, message: 'The server cannot check files for viruses at the moment. Please try again.' },
  'file-empty': { status: 422, message: 'The file is empty' },
  'upload-unknown': { status: 404, message: 'There is no such upload, or its time is over' },
  'upload-offset-wrong': { status: 409, message: 'This part does not follow on what has arrived' },
  'uploads-too-many': { status: 429, message: 'Too many uploads were begun. Please finish them first.' },
  'storage-unreachable': { status: 503, message: 'The server cannot reach its files at the moment. Please try again.' },
  // insurance
  'insurance-unknown': { status: 404, message: 'There is no such insurance policy of this patient' },
  'insurance-changed': { status: 409, message: 'The insurance policy was changed by someone else meanwhile' },
  'insurance-reference-unknown': { status: 422, message: 'The insurance policy names a company, plan or coverage type that is not there' },
  'insurance-priority-taken': { status: 409, message: 'The patient already has a policy of this priority' },
  'insurance-holder-unknown': { status: 404, message: 'This patient is not a holder of the insurance policy' },
  'insurance-holder-present': { status: 409, message: 'This patient is a holder of the insurance policy already' },
  // prescriptions
  'rx-unknown': { status: 404, message: 'There is no such prescription' },
  'rx-signed': { status: 409, message: 'The prescription is signed and can no longer be changed' },
  'rx-changed': { status: 409, message: 'The prescription was changed by someone else meanwhile' },
  'rx-not-withdrawable': { status: 409, message: 'In its present state the prescription cannot be withdrawn like this' },
  'rx-signature-not-yours': { status: 422, message: 'The typed name is not the name of the person who signs' },
  'rx-provider-unknown': { status: 422, message: 'There is no such provider' },
  // primary care providers
  'pcp-unknown': { status: 404, message: 'There is no such primary care provider' },
  'pcp-changed': { status: 409, message: 'The primary care provider was changed by someone else meanwhile' },
  'pcp-merged': { status: 409, message: 'This primary care provider was merged into another meanwhile' },
  'pcp-npi-taken': { status: 409, message: 'Another primary care provider has this NPI' },
  'pcp-same': { status: 422, message: 'A primary care provider cannot be merged into itself' },

  // patient portal
  /** One sentence for every reason: an unknown, old, revoked or locked link and a wrong date of birth cannot be told apart. */
  'portal-closed': {
    status: 403,
    message: 'This link and this date of birth do not open the portal. Check the date, or ask your clinic for a new link.',
  },
  'portal-invited': { status: 409, message: 'The patient was invited already. Send that invitation again, or revoke it first.' },
  'portal-birth-date-missing': { status: 409, message: 'The patient has no date of birth on file, by which they could prove who they are' },
  'invitation-unknown': { status: 404, message: 'There is no such invitation' },
  'invitation-revoked': { status: 409, message: 'The invitation was revoked. Invite the patient anew.' },
  'portal-message-unknown': { status: 404, message: 'There is no such message' },
  'intake-unknown': { status: 404, message: 'There is no such form' },
  'intake-settled': { status: 409, message: 'Someone else has reviewed this form meanwhile' },

  // time clock
  'punch-wrong': { status: 401, message: 'Wrong username or password' },
  'punch-sealed-unreadable': { status: 422, message: 'The sealed password could not be opened' },
  'punch-unknown': { status: 404, message: 'There is no such punch' },
  'punch-reason-missing': { status: 422, message: 'A correction needs a reason' },
  'punch-overlap': { status: 409, message: 'The corrected times overlap another entry' },

  // tablets
  'tablet-unknown': { status: 404, message: 'There is no such tablet in your stores' },

  // stores
  'store-unknown': { status: 404, message: 'There is no such store' },
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
