import { errorCatalog, type ErrorCode } from '#contract/core/errors.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'

export type Reason = { what: string; next: string }

const again = 'Retry. If it comes back, ask a manager.'
const sayAgain = 'Discard it, then redo it if needed.'
const signIn = 'Sign in and retry.'
const manager = 'Ask a manager to do it, then discard this one.'

/** The next step for a frame that cannot leave its store. */
const elsewhere: Partial<Record<string, string>> = {
  'transfer.send': 'Open the transfer, remove the frame, and press Send again.',
  'transfer.put': 'The frame isn’t on the transfer. Take it out of the box, then discard this entry.',
}

/** Every refusal in plain words: what happened, and what the user can do. */
const reasons: Record<ErrorCode, Reason> = {
  'token-missing': { what: 'No one was signed in when it was sent.', next: signIn },
  'token-expired': { what: 'The sign-in had expired.', next: signIn },
  'token-revoked': { what: 'The sign-in was ended.', next: signIn },
  'token-mismatch': { what: 'The sign-in was for another device.', next: signIn },
  'refresh-expired': { what: 'The sign-in had expired.', next: signIn },
  'refresh-invalid': { what: 'The sign-in was no longer valid.', next: signIn },
  'login-wrong': { what: 'The username or password was wrong.', next: signIn },
  'pin-wrong': { what: 'The PIN was wrong.', next: signIn },
  'pin-needs-password': { what: 'The PIN doesn’t work on this tablet yet.', next: 'Sign in with your password and retry.' },
  'pins-off': { what: 'PINs were turned off for a while.', next: 'Sign in with your password and retry.' },
  'pin-forbidden': { what: 'An administrator has no PIN.', next: 'Sign in with your password and retry.' },
  'proof-wrong': { what: 'The password or PIN was wrong.', next: signIn },
  'login-blocked': { what: 'There were too many wrong sign-ins.', next: 'Wait a minute, sign in and retry.' },
  'risk-refused': { what: 'Couldn’t verify the sign-in.', next: 'Reload the page, sign in and retry.' },
  'permission-missing': { what: 'The person who did this doesn’t have permission.', next: manager },
  'store-foreign': { what: 'The person who did this doesn’t belong to that store.', next: manager },
  'request-invalid': {
    what: 'The server couldn’t accept what was entered.',
    next: 'Fix it if you can, or discard it.',
  },
  'request-unreadable': { what: 'The server couldn’t read it.', next: again },
  'request-too-slow': { what: 'It took too long to reach the server.', next: 'Wait for a better connection, then retry.' },
  'request-too-large': { what: 'It’s too large for the server.', next: 'Shorten it if you can, or discard it.' },
  'content-type-wrong': { what: 'The server couldn’t read it.', next: again },
  'request-too-frequent': { what: 'Too much was sent at once.', next: 'Wait a moment and retry.' },
  'call-unknown': { what: 'The server doesn’t recognize this kind of work.', next: 'Update the app and retry.' },
  'method-wrong': { what: 'The server doesn’t recognize this kind of work.', next: 'Update the app and retry.' },
  'key-reused': {
    what: 'The server has different work under the same number.',
    next: 'Save the unsent work to a file and ask a manager before you discard it.',
  },
  'app-outdated': { what: 'This version of the app is too old for the server.', next: 'Update the app. Nothing is lost.' },
  'server-stopping': { what: 'The server was shutting down.', next: 'Retry in a moment.' },
  'database-unreachable': { what: 'The server couldn’t reach its database.', next: 'Retry in a moment.' },
  'server-failed': {
    what: 'The server failed repeatedly.',
    next: 'Retry later. If it happens again, tell your IT support.',
  },
  'cursor-stale': { what: 'The server was restored from a backup.', next: 'Retry.' },
  'cursor-invalid': { what: 'The server couldn’t tell what this device has.', next: 'Retry.' },
  'command-unknown': { what: 'The server doesn’t recognize this kind of work.', next: 'Update the app and retry.' },
  'author-absent': {
    what: 'Only the person who did this can send it.',
    next: 'It sends automatically when they sign in on this tablet.',
  },
  'work-held': {
    what: 'A manager must review this first. The server keeps a copy.',
    next: 'A manager can apply or discard it in Settings, Tablets. It leaves this list once it’s applied.',
  },
  'work-discarded': {
    what: 'A manager discarded this.',
    next: 'Discard it here, then redo it if needed.',
  },
  'capture-token-invalid': {
    what: 'We couldn’t verify who did this.',
    next: 'Ask a manager to review it. Discard it if it was done another way.',
  },
  'frame-not-one': { what: 'More than one frame has this UPC.', next: sayAgain },
  'frame-unknown': { what: 'The server has no such frame.', next: sayAgain },
  'frame-changed': { what: 'Someone else changed the frame first.', next: sayAgain },
  'control-not-allowed': { what: 'The frame’s status doesn’t allow this.', next: sayAgain },
  'control-note-missing': { what: 'A note was missing.', next: sayAgain },
  'transfer-unknown': { what: 'The transfer no longer exists.', next: sayAgain },
  'transfer-changed': { what: 'Someone else changed the transfer first.', next: sayAgain },
  'transfer-not-allowed': { what: 'The transfer’s status doesn’t allow this.', next: sayAgain },
  'transfer-empty': { what: 'The transfer had no frames.', next: sayAgain },
  'transfer-piece-elsewhere': { what: 'Some of the frames were no longer in stock there.', next: sayAgain },
  'label-too-small': { what: 'A frame’s code was too long for the labels.', next: sayAgain },
  'label-request-unknown': { what: 'The label request no longer exists.', next: sayAgain },
  'vendor-return-unknown': { what: 'The return no longer exists.', next: sayAgain },
  'vendor-return-changed': { what: 'Someone else changed the return first.', next: sayAgain },
  'vendor-return-not-allowed': { what: 'The return’s status doesn’t allow this.', next: sayAgain },
  'vendor-return-empty': { what: 'The return had no frames.', next: sayAgain },
  'return-piece-elsewhere': { what: 'Some of the frames can’t go back to this vendor.', next: sayAgain },
  'patient-invoice-unknown': { what: 'The invoice no longer exists.', next: sayAgain },
  'patient-invoice-not-finalized': { what: 'Only items on a finalized invoice can be returned.', next: sayAgain },
  'patient-return-unknown': { what: 'The return no longer exists.', next: sayAgain },
  'patient-return-changed': { what: 'Someone else changed the return first.', next: sayAgain },
  'patient-return-settled': { what: 'The return was already decided.', next: sayAgain },
  'return-line-taken': { what: 'There weren’t that many left to return.', next: sayAgain },
  'return-destination-missing': { what: 'No one chose where each frame goes.', next: sayAgain },
  'returned-piece-elsewhere': { what: 'One of its frames is no longer Sold.', next: sayAgain },
  'store-invoice-unknown': { what: 'The receipt no longer exists.', next: sayAgain },
  'vendor-invoice-unknown': { what: 'The vendor invoice no longer exists.', next: sayAgain },
  'vendor-invoice-changed': { what: 'Someone else changed the vendor invoice first.', next: sayAgain },
  'vendor-invoice-not-allowed': { what: 'The vendor invoice’s status doesn’t allow this.', next: sayAgain },
  'vendor-invoice-taken': { what: 'The invoice was already entered.', next: sayAgain },
  'piece-known': { what: 'The tag is already in stock.', next: sayAgain },
  'piece-to-confirm': { what: 'It’s not on the invoice.', next: 'Open the invoice and keep it or set it aside there.' },
  'piece-in-use': { what: 'One of its frames was sold or moved.', next: sayAgain },
  'vendor-unknown': { what: 'The server has no such vendor.', next: sayAgain },
  'vendor-taken': { what: 'A vendor with this name already exists.', next: sayAgain },
  'brand-taken': { what: 'A brand with this name already exists.', next: sayAgain },
  'product-unknown': { what: 'The server has no such product.', next: sayAgain },
  'product-changed': { what: 'Someone else changed the product first.', next: sayAgain },
  'product-taken': { what: 'A product with this name already exists.', next: sayAgain },
  'model-unknown': { what: 'The server has no such model.', next: sayAgain },
  'model-changed': { what: 'Someone else changed the model first.', next: sayAgain },
  'model-taken': { what: 'A model with this color and size already exists.', next: sayAgain },
  'upc-taken': { what: 'Another model has this UPC.', next: sayAgain },
  'photo-unknown': { what: 'The server has no such photo.', next: sayAgain },
  'photo-changed': { what: 'Someone else changed the photo first.', next: sayAgain },
  'price-change-unknown': { what: 'The server has no such price change.', next: sayAgain },
  'price-change-settled': { what: 'The price change was already applied or canceled.', next: sayAgain },
  'count-unknown': {
    what: 'The count sheet no longer exists.',
    next: 'Discard it. You can count the scan on another sheet.',
  },
  'count-closed': {
    what: 'The count sheet was closed before this arrived.',
    next: 'Discard it, then check the frame in Frame lookup.',
  },
  'count-number-wrong': {
    what: 'The number of missing frames changed.',
    next: 'Discard it, reopen the sheet and close it with the new number.',
  },
  'count-devices-unsent': { what: 'Other tablets may still have scans for this sheet.', next: 'Wait until they send theirs, then retry.' },
  'count-exceptions-open': { what: 'Some exceptions on the sheet need a decision.', next: 'Decide them on the sheet, then retry.' },
  'count-not-empty': { what: 'The count sheet has scans. Only a manager can delete it.', next: manager },
  'count-scope-empty': { what: 'No frames matched the count.', next: 'Discard it, then create a new count.' },
  'scan-unknown': { what: 'The server doesn’t have the scan to undo.', next: sayAgain },
  'scan-foreign': { what: 'Only the person who scanned it or a manager can undo a scan.', next: manager },
  'patient-unknown': { what: 'The patient no longer exists.', next: sayAgain },
  'patient-of-other-store': { what: 'The patient belongs to another store.', next: manager },
  'patient-changed': {
    what: 'Someone else edited the same field.',
    next: 'Open the patient and choose which version to keep.',
  },
  'pcp-unknown': { what: 'The primary care provider no longer exists.', next: sayAgain },
  'pcp-changed': { what: 'Someone else changed the primary care provider first.', next: sayAgain },
  'pcp-merged': { what: 'The primary care provider was merged into another.', next: sayAgain },
  'pcp-npi-taken': { what: 'Another primary care provider has this NPI.', next: sayAgain },
  'pcp-same': { what: 'A primary care provider can’t be merged into itself.', next: sayAgain },
  'rx-unknown': { what: 'The prescription no longer exists.', next: sayAgain },
  'rx-signed': { what: 'The prescription is signed and can’t be changed.', next: sayAgain },
  'rx-changed': { what: 'Someone else changed the prescription first.', next: sayAgain },
  'rx-not-withdrawable': { what: 'The prescription’s status doesn’t allow withdrawing it.', next: sayAgain },
  'rx-signature-not-yours': { what: 'The typed name doesn’t match the signer.', next: sayAgain },
  'rx-provider-unknown': { what: 'It names a provider who doesn’t exist.', next: sayAgain },
  'patient-reference-unknown': { what: 'It names someone or something that doesn’t exist.', next: sayAgain },
  'messages-not-configured': { what: 'The server has no service to send it.', next: sayAgain },
  'consent-missing': { what: 'The patient hasn’t consented to this kind of message.', next: sayAgain },
  'contact-unwanted': { what: 'The patient doesn’t want to be contacted.', next: sayAgain },
  'address-missing': { what: 'The patient has no number or address on file.', next: sayAgain },
  'message-too-frequent': { what: 'Too much was sent in the last hour.', next: sayAgain },
  'report-unproven': { what: 'A report wasn’t signed correctly.', next: sayAgain },
  'insurance-unknown': { what: 'The insurance policy no longer exists.', next: sayAgain },
  'insurance-changed': { what: 'Someone else changed the insurance policy first.', next: sayAgain },
  'insurance-reference-unknown': { what: 'It names an insurance company or plan that doesn’t exist.', next: sayAgain },
  'insurance-priority-taken': { what: 'The patient already has a policy with this priority.', next: sayAgain },
  'insurance-holder-unknown': { what: 'The policy doesn’t cover this patient.', next: sayAgain },
  'insurance-holder-present': { what: 'The policy already covers this patient.', next: sayAgain },
  'portal-closed': { what: 'The portal link doesn’t work.', next: sayAgain },
  'portal-invited': { what: 'The patient was already invited to the portal.', next: sayAgain },
  'portal-birth-date-missing': { what: 'The patient has no date of birth on file.', next: sayAgain },
  'invitation-unknown': { what: 'The invitation no longer exists.', next: sayAgain },
  'invitation-revoked': { what: 'The invitation was revoked.', next: sayAgain },
  'portal-message-unknown': { what: 'The message no longer exists.', next: sayAgain },
  'intake-unknown': { what: 'The form no longer exists.', next: sayAgain },
  'intake-settled': { what: 'Someone else already reviewed the form.', next: sayAgain },
  'sealed-unreadable': { what: 'The server couldn’t decrypt this tablet’s data.', next: sayAgain },
  'file-unknown': { what: 'The file no longer exists.', next: sayAgain },
  'file-too-large': { what: 'The file was too large.', next: 'Send a smaller one from the patient’s page.' },
  'file-type-unknown': {
    what: 'Unsupported file type.',
    next: 'Send it as a PDF or an image from the patient’s page.',
  },
  'file-infected': {
    what: 'The server found a virus in the file.',
    next: 'Don’t open the file. Tell your IT support, then discard it.',
  },
  'file-picture-too-large': {
    what: 'The picture has too many pixels.',
    next: 'Send a smaller one from the patient’s page.',
  },
  'file-pages-too-many': { what: 'The PDF has too many pages.', next: 'Send it in parts from the patient’s page.' },
  'files-full': { what: 'This store’s file storage is full.', next: 'Tell your IT support, then retry.' },
  'scanner-unreachable': { what: 'The server couldn’t check the file for viruses.', next: 'Wait a moment, then retry.' },
  'file-empty': { what: 'The file was empty.', next: sayAgain },
  'upload-unknown': { what: 'The upload timed out.', next: 'Send the file again from the patient’s page.' },
  'upload-offset-wrong': { what: 'Part of the file arrived out of order.', next: sayAgain },
  'uploads-too-many': { what: 'Too many unfinished uploads.', next: 'Wait a moment, then retry.' },
  'storage-unreachable': { what: 'The server couldn’t reach its files.', next: 'Wait a moment, then retry.' },
  'punch-wrong': {
    what: 'The username or password of the time clock was wrong.',
    next: 'A manager can enter the time in Time review. Then discard it.',
  },
  'punch-sealed-unreadable': {
    what: 'Couldn’t decrypt the password.',
    next: 'A manager can enter the time in Time review. Then discard it.',
  },
  'punch-unknown': { what: 'The server doesn’t have this time clock entry.', next: sayAgain },
  'punch-reason-missing': { what: 'The correction had no reason.', next: 'Fix it and enter one.' },
  'punch-overlap': { what: 'The corrected times overlap another entry.', next: 'Discard it, then correct the times again.' },
  'tablet-unknown': { what: 'The tablet doesn’t belong to these stores.', next: manager },
  'store-unknown': { what: 'That store no longer exists.', next: manager },
}

/**
 * Returns why the server refused it. An unknown code brings the server's own sentence, and some refusals name a frame.
 */
export function reasonOf({ kind, last_error: error }: Pick<OutboxCommand, 'kind' | 'last_error'>): Reason {
  if (!error) return { what: 'It was set aside with no reason.', next: again }
  if (error.code === 'piece-to-confirm') return { ...reasons[error.code], what: error.message.replace(/\.?$/, '.') }
  if (error.code === 'transfer-piece-elsewhere') return { what: `${error.message}.`, next: elsewhere[kind] ?? sayAgain }
  if (error.code === 'transfer-not-allowed' && kind === 'transfer.send')
    return { what: `${error.message}.`, next: 'Nothing is left to send. Discard this entry.' }
  return isErrorCode(error.code) ? reasons[error.code] : { what: error.message, next: again }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalog, code)
}

type Correctable = { field: string; label: string; max: number }
const correctable: Partial<Record<string, Correctable>> = {
  'count.create': { field: 'notes', label: 'Notes', max: 2000 },
  'count.note': { field: 'notes', label: 'Notes', max: 2000 },
  'count.decide': { field: 'reason', label: 'Reason', max: 500 },
  'frame.change-state': { field: 'note', label: 'Note', max: 1000 },
  'vendor-invoice.receive': { field: 'code', label: 'UPC', max: 64 },
}
const curedByCorrecting: readonly string[] = [
  'request-invalid',
  'request-too-large',
  'control-note-missing',
  'model-unknown',
  'piece-known',
] satisfies ErrorCode[]

/** Returns the text of a command that a user can correct. Null when other words would not change the answer. */
export function correctionOf(command: Pick<OutboxCommand, 'kind' | 'body' | 'last_error'>): (Correctable & { text: string }) | null {
  const part = correctable[command.kind]
  if (!part || !curedByCorrecting.includes(command.last_error?.code ?? '')) return null
  const text = command.body[part.field]
  return { ...part, text: typeof text === 'string' ? text : '' }
}
