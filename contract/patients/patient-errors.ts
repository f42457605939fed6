import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of patients, messages, files, primary care providers and the portal. */
export const patientErrors = {
  // Patients.
  'patient-unknown': { status: 404, message: 'Patient not found' },
  'patient-of-other-store': { status: 403, message: 'This patient belongs to a store you don’t have access to' },
  'patient-changed': { status: 409, message: 'The patient was changed by someone else' },
  'patient-reference-unknown': { status: 422, message: 'The patient refers to someone or something that doesn’t exist' },
  'sealed-unreadable': { status: 422, message: 'Couldn’t decrypt the data from the tablet' },
  // Messages.
  'messages-not-configured': { status: 409, message: 'This server isn’t set up to send it' },
  'consent-missing': { status: 409, message: 'The patient hasn’t consented to this kind of message' },
  'contact-unwanted': { status: 409, message: 'The patient doesn’t want to be contacted' },
  'address-missing': { status: 409, message: 'The patient has no number or address on file' },
  'message-too-frequent': { status: 429, message: 'Too many messages in the last hour. Wait and try again.' },
  'report-unproven': { status: 403, message: 'The report isn’t signed with this server’s secret' },
  // Files of patients.
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
  // Primary care providers.
  'pcp-unknown': { status: 404, message: 'Primary care provider not found' },
  'pcp-changed': { status: 409, message: 'The primary care provider was changed by someone else' },
  'pcp-merged': { status: 409, message: 'This primary care provider was merged into another' },
  'pcp-npi-taken': { status: 409, message: 'Another primary care provider has this NPI' },
  'pcp-same': { status: 422, message: 'A primary care provider can’t be merged into itself' },
  // The patient portal.
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
} as const satisfies ErrorEntries
