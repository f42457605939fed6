import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of patients, messages, files, primary care providers and the portal. */
export const patientErrors = {
  // Patients.
  'patient-unknown': { status: 404, message: 'There is no such patient' },
  'patient-of-other-store': { status: 403, message: 'This patient belongs to a store that this account does not' },
  'patient-changed': { status: 409, message: 'The patient was changed by someone else meanwhile' },
  'patient-reference-unknown': { status: 422, message: 'The patient refers to someone or something that is not there' },
  'sealed-unreadable': { status: 422, message: 'What was sealed on the tablet could not be opened' },
  // Messages.
  'messages-not-configured': { status: 409, message: 'This server has no service that could send it' },
  'consent-missing': { status: 409, message: 'The patient has not agreed to be written to this way' },
  'contact-unwanted': { status: 409, message: 'The patient does not want to be contacted' },
  'address-missing': { status: 409, message: 'The patient has no number or address to send it to' },
  'message-too-frequent': { status: 429, message: 'Too much was sent within an hour. Please wait.' },
  'report-unproven': { status: 403, message: 'The report is not signed with the secret of this server' },
  // Files of patients.
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
  // Primary care providers.
  'pcp-unknown': { status: 404, message: 'There is no such primary care provider' },
  'pcp-changed': { status: 409, message: 'The primary care provider was changed by someone else meanwhile' },
  'pcp-merged': { status: 409, message: 'This primary care provider was merged into another meanwhile' },
  'pcp-npi-taken': { status: 409, message: 'Another primary care provider has this NPI' },
  'pcp-same': { status: 422, message: 'A primary care provider cannot be merged into itself' },
  // The patient portal.
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
} as const satisfies ErrorEntries
