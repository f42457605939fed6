import { errorCatalogue, type ErrorCode } from '#contract/core/errors.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'

export type Reason = { what: string; next: string }

const again = 'Retry. If it comes back, ask a manager.'
const sayAgain = 'Discard it with a reason, and do it anew where it is still needed.'
const signIn = 'Sign in and retry.'
const manager = 'Ask a manager to do it, and discard this one with a reason.'

/** What to do about a frame that cannot leave its store. */
const elsewhere: Partial<Record<string, string>> = {
  'transfer.send': 'Open the transfer, take the frame off, and press Send again.',
  'transfer.put': 'The frame is not on the transfer. Take it out of the box, and discard this entry with a reason.',
}

/** Every refusal in plain words: what has happened, and what the person can do. */
const reasons: Record<ErrorCode, Reason> = {
  'token-missing': { what: 'Nobody was signed in when it was sent.', next: signIn },
  'token-expired': { what: 'The sign-in had run out.', next: signIn },
  'token-revoked': { what: 'The sign-in was ended.', next: signIn },
  'token-mismatch': { what: 'The sign-in did not belong to this device.', next: signIn },
  'refresh-expired': { what: 'The sign-in had run out.', next: signIn },
  'refresh-invalid': { what: 'The sign-in was no longer valid.', next: signIn },
  'login-wrong': { what: 'The username or password was wrong.', next: signIn },
  'pin-wrong': { what: 'The PIN was wrong.', next: signIn },
  'pin-needs-password': { what: 'The PIN does not work on this tablet yet.', next: 'Sign in with the password and retry.' },
  'pins-off': { what: 'PINs were off for a while.', next: 'Sign in with the password and retry.' },
  'pin-forbidden': { what: 'An administrator has no PIN.', next: 'Sign in with the password and retry.' },
  'proof-wrong': { what: 'The password or PIN was wrong.', next: signIn },
  'login-blocked': { what: 'There were too many wrong sign-ins.', next: 'Wait a minute, sign in and retry.' },
  'risk-refused': { what: 'The sign-in could not be verified.', next: 'Reload the page, sign in and retry.' },
  'permission-missing': { what: 'The person who did this may not do it.', next: manager },
  'store-foreign': { what: 'The person who did this does not belong to that store.', next: manager },
  'request-invalid': {
    what: 'The server could not accept what was entered.',
    next: 'Correct it where that is offered, or discard it with a reason.',
  },
  'request-unreadable': { what: 'The server could not read it.', next: again },
  'request-too-slow': { what: 'It came to the server too slowly.', next: 'Wait for a better connection, then retry.' },
  'request-too-large': { what: 'It is too large for the server.', next: 'Shorten it where that is offered, or discard it with a reason.' },
  'content-type-wrong': { what: 'The server could not read it.', next: again },
  'request-too-frequent': { what: 'Too much was sent at once.', next: 'Wait a moment and retry.' },
  'call-unknown': { what: 'The server does not know this kind of work.', next: 'Update the app and retry.' },
  'method-wrong': { what: 'The server does not know this kind of work.', next: 'Update the app and retry.' },
  'key-reused': {
    what: 'The server has other work under the same number.',
    next: 'Export what is unsent, and ask a manager before discarding it.',
  },
  'app-outdated': { what: 'This version of the app is too old for the server.', next: 'Update the app. Nothing is lost by it.' },
  'server-stopping': { what: 'The server was just stopping.', next: 'Retry in a moment.' },
  'database-unreachable': { what: 'The server could not reach its database.', next: 'Retry in a moment.' },
  'server-failed': {
    what: 'Something went wrong at the server, again and again.',
    next: 'Retry later. If it comes back, tell who looks after the server.',
  },
  'cursor-stale': { what: 'The server was restored from a backup.', next: 'Retry.' },
  'cursor-invalid': { what: 'The server could not tell what this device has.', next: 'Retry.' },
  'command-unknown': { what: 'The server does not know this kind of work.', next: 'Update the app and retry.' },
  'author-absent': {
    what: 'Only the person who did this can send it.',
    next: 'It sends automatically when they sign in on this tablet.',
  },
  'work-held': {
    what: 'A manager has to look at this first. The server keeps a copy.',
    next: 'A manager applies or discards it under Settings, Tablets. It leaves this list once it is applied.',
  },
  'work-discarded': {
    what: 'A manager has discarded this.',
    next: 'Discard it here with a reason, and do it again where it is still needed.',
  },
  'capture-token-invalid': {
    what: 'It could not be proven who did this.',
    next: 'Ask a manager to look at it, and discard it with a reason when it was done another way.',
  },
  'frame-not-one': { what: 'More than one frame has this UPC.', next: sayAgain },
  'frame-unknown': { what: 'The server knows no such frame.', next: sayAgain },
  'frame-changed': { what: 'Someone else changed the frame meanwhile.', next: sayAgain },
  'control-not-allowed': { what: 'This is not possible in the state the frame is in.', next: sayAgain },
  'control-note-missing': { what: 'A note was missing.', next: sayAgain },
  'transfer-unknown': { what: 'The transfer is no longer there.', next: sayAgain },
  'transfer-changed': { what: 'Someone else changed the transfer meanwhile.', next: sayAgain },
  'transfer-not-allowed': { what: 'This is not possible in the state the transfer is in.', next: sayAgain },
  'transfer-empty': { what: 'The transfer had no frames.', next: sayAgain },
  'transfer-piece-elsewhere': { what: 'Some of the frames were not in stock there any more.', next: sayAgain },
  'label-too-small': { what: 'The code of a frame was too long for the labels.', next: sayAgain },
  'label-request-unknown': { what: 'The request for a label is no longer there.', next: sayAgain },
  'vendor-return-unknown': { what: 'The return is no longer there.', next: sayAgain },
  'vendor-return-changed': { what: 'Someone else changed the return meanwhile.', next: sayAgain },
  'vendor-return-not-allowed': { what: 'This is not possible in the state the return is in.', next: sayAgain },
  'vendor-return-empty': { what: 'The return had no frames.', next: sayAgain },
  'return-piece-elsewhere': { what: 'Some of the frames cannot go back to this vendor.', next: sayAgain },
  'patient-invoice-unknown': { what: 'The invoice is no longer there.', next: sayAgain },
  'patient-invoice-not-finalized': { what: 'Only what is on a finalized invoice can come back.', next: sayAgain },
  'patient-return-unknown': { what: 'The return is no longer there.', next: sayAgain },
  'patient-return-changed': { what: 'Someone else changed the return meanwhile.', next: sayAgain },
  'patient-return-settled': { what: 'The return has been decided already.', next: sayAgain },
  'return-line-taken': { what: 'Not as many of it were left to come back.', next: sayAgain },
  'return-destination-missing': { what: 'Where each frame goes was not chosen.', next: sayAgain },
  'returned-piece-elsewhere': { what: 'A frame of it is not Sold any more.', next: sayAgain },
  'store-invoice-unknown': { what: 'The receipt is no longer there.', next: sayAgain },
  'vendor-invoice-unknown': { what: 'The vendor invoice is no longer there.', next: sayAgain },
  'vendor-invoice-changed': { what: 'Someone else changed the vendor invoice meanwhile.', next: sayAgain },
  'vendor-invoice-not-allowed': { what: 'This is not possible in the state the vendor invoice is in.', next: sayAgain },
  'vendor-invoice-taken': { what: 'The invoice was entered already.', next: sayAgain },
  'piece-known': { what: 'The tag was one of a piece that is known already.', next: sayAgain },
  'piece-to-confirm': { what: 'It is not what the invoice says.', next: 'Open the invoice, and keep it or set it aside there.' },
  'piece-in-use': { what: 'A piece of it was sold or moved.', next: sayAgain },
  'vendor-unknown': { what: 'The server knows no such vendor.', next: sayAgain },
  'vendor-taken': { what: 'There is a vendor of this name already.', next: sayAgain },
  'brand-taken': { what: 'There is a brand of this name already.', next: sayAgain },
  'product-unknown': { what: 'The server knows no such product.', next: sayAgain },
  'product-changed': { what: 'Someone else changed the product meanwhile.', next: sayAgain },
  'product-taken': { what: 'There is a product of this name already.', next: sayAgain },
  'model-unknown': { what: 'The server knows no such model.', next: sayAgain },
  'model-changed': { what: 'Someone else changed the model meanwhile.', next: sayAgain },
  'model-taken': { what: 'There is a model of this color and size already.', next: sayAgain },
  'upc-taken': { what: 'Another model has this UPC.', next: sayAgain },
  'photo-unknown': { what: 'The server has no such photo.', next: sayAgain },
  'photo-changed': { what: 'Someone else changed the photo meanwhile.', next: sayAgain },
  'price-change-unknown': { what: 'The server knows no such change of prices.', next: sayAgain },
  'price-change-settled': { what: 'The change of prices was made or taken back already.', next: sayAgain },
  'count-unknown': {
    what: 'The count sheet is no longer there.',
    next: 'Discard it with a reason. A scan can be counted on another sheet.',
  },
  'count-closed': {
    what: 'The count sheet was closed before this arrived.',
    next: 'Discard it with a reason, and check the frame by Frame lookup.',
  },
  'count-number-wrong': {
    what: 'The number of frames that would become Missing had changed.',
    next: 'Discard it, open the sheet again and close it with the new number.',
  },
  'count-devices-unsent': { what: 'Other tablets may still hold scans for this sheet.', next: 'Let them send theirs, then retry.' },
  'count-exceptions-open': { what: 'Some exceptions on the sheet had no decision.', next: 'Decide them on the sheet, then retry.' },
  'count-not-empty': { what: 'The count sheet has scans; only a manager may delete it.', next: manager },
  'count-scope-empty': { what: 'No frame matched what was to be counted.', next: 'Discard it with a reason, and make a new count.' },
  'scan-unknown': { what: 'The scan that was to be undone is not at the server.', next: sayAgain },
  'scan-foreign': { what: 'Only the person who scanned or a manager may undo a scan.', next: manager },
  'patient-unknown': { what: 'The patient is no longer there.', next: sayAgain },
  'patient-of-other-store': { what: 'The patient belongs to a store that this person does not.', next: manager },
  'patient-changed': {
    what: 'Someone else changed the same field of this patient meanwhile.',
    next: 'Open the patient, and choose which of the two holds.',
  },
  'pcp-unknown': { what: 'The primary care provider is no longer there.', next: sayAgain },
  'pcp-changed': { what: 'Someone else changed the primary care provider meanwhile.', next: sayAgain },
  'pcp-merged': { what: 'The primary care provider was merged into another.', next: sayAgain },
  'pcp-npi-taken': { what: 'Another primary care provider has this NPI.', next: sayAgain },
  'pcp-same': { what: 'A primary care provider cannot be merged into itself.', next: sayAgain },
  'rx-unknown': { what: 'The prescription is no longer there.', next: sayAgain },
  'rx-signed': { what: 'The prescription was signed and can no longer be changed.', next: sayAgain },
  'rx-changed': { what: 'Someone else changed the prescription meanwhile.', next: sayAgain },
  'rx-not-withdrawable': { what: 'The prescription cannot be taken back as it is now.', next: sayAgain },
  'rx-signature-not-yours': { what: 'The typed name is not the name of the person who signs.', next: sayAgain },
  'rx-provider-unknown': { what: 'It names a provider who is not there.', next: sayAgain },
  'patient-reference-unknown': { what: 'It names someone or something that is not there.', next: sayAgain },
  'messages-not-configured': { what: 'The server has no service that could send it.', next: sayAgain },
  'consent-missing': { what: 'The patient has not agreed to be written to this way.', next: sayAgain },
  'contact-unwanted': { what: 'The patient does not want to be contacted.', next: sayAgain },
  'address-missing': { what: 'The patient has no number or address to send it to.', next: sayAgain },
  'message-too-frequent': { what: 'Too much was sent within an hour.', next: sayAgain },
  'report-unproven': { what: 'A report was not signed as it should be.', next: sayAgain },
  'insurance-unknown': { what: 'The insurance policy is no longer there.', next: sayAgain },
  'insurance-changed': { what: 'Someone else changed the insurance policy meanwhile.', next: sayAgain },
  'insurance-reference-unknown': { what: 'It names an insurance company or plan that is not there.', next: sayAgain },
  'insurance-priority-taken': { what: 'The patient already has a policy of this priority.', next: sayAgain },
  'insurance-holder-unknown': { what: 'The patient is not a holder of the insurance policy.', next: sayAgain },
  'insurance-holder-present': { what: 'The patient is a holder of the insurance policy already.', next: sayAgain },
  'portal-closed': { what: 'The link into the portal opens nothing.', next: sayAgain },
  'portal-invited': { what: 'The patient was invited to the portal already.', next: sayAgain },
  'portal-birth-date-missing': { what: 'The patient has no date of birth on file.', next: sayAgain },
  'invitation-unknown': { what: 'The invitation is no longer there.', next: sayAgain },
  'invitation-revoked': { what: 'The invitation was revoked.', next: sayAgain },
  'portal-message-unknown': { what: 'The message is no longer there.', next: sayAgain },
  'intake-unknown': { what: 'The form is no longer there.', next: sayAgain },
  'intake-settled': { what: 'Someone else has reviewed the form meanwhile.', next: sayAgain },
  'sealed-unreadable': { what: 'The server could not open what was sealed on this tablet.', next: sayAgain },
  'file-unknown': { what: 'The file is no longer there.', next: sayAgain },
  'file-too-large': { what: 'The file was larger than the server takes.', next: 'Send a smaller one from the patient’s page.' },
  'file-type-unknown': {
    what: 'The server does not take this kind of file.',
    next: 'Send it as a PDF or an image from the patient’s page.',
  },
  'file-infected': {
    what: 'The server found a virus in the file.',
    next: 'Do not open the file. Tell who looks after the server, and discard it.',
  },
  'file-picture-too-large': {
    what: 'The picture has more pixels than the server takes.',
    next: 'Send a smaller one from the patient’s page.',
  },
  'file-pages-too-many': { what: 'The PDF has more pages than the server takes.', next: 'Send it in parts from the patient’s page.' },
  'files-full': { what: 'The files of this store have no more room.', next: 'Tell who looks after the server, then retry.' },
  'scanner-unreachable': { what: 'The server could not check the file for viruses.', next: 'Wait a moment, then retry.' },
  'file-empty': { what: 'The file had nothing in it.', next: sayAgain },
  'upload-unknown': { what: 'The time of an upload was over.', next: 'Send the file again from the patient’s page.' },
  'upload-offset-wrong': { what: 'A part of a file did not follow on what had arrived.', next: sayAgain },
  'uploads-too-many': { what: 'Too many uploads were begun and not finished.', next: 'Wait a moment, then retry.' },
  'storage-unreachable': { what: 'The server could not reach its files.', next: 'Wait a moment, then retry.' },
  'punch-wrong': {
    what: 'The username or password of the time clock was wrong.',
    next: 'A manager can enter the time under Time card; then discard it with that reason.',
  },
  'punch-sealed-unreadable': {
    what: 'The sealed password could not be opened.',
    next: 'A manager can enter the time under Time card; then discard it with that reason.',
  },
  'punch-unknown': { what: 'The entry of the time clock is not at the server.', next: sayAgain },
  'punch-reason-missing': { what: 'The correction had no reason.', next: 'Correct it and give one.' },
  'punch-overlap': { what: 'The corrected times overlap another entry.', next: 'Discard it with a reason, and correct the times anew.' },
  'tablet-unknown': { what: 'The tablet does not belong to these stores.', next: manager },
  'store-unknown': { what: 'There is no such store any more.', next: manager },
}

/** Why the server refused it. A code from a newer server brings its own sentence, and a frame is named where the server names it. */
export function reasonOf({ kind, last_error: error }: Pick<OutboxCommand, 'kind' | 'last_error'>): Reason {
  if (!error) return { what: 'It was set aside and no reason was kept.', next: again }
  if (error.code === 'piece-to-confirm') return { ...reasons[error.code], what: error.message.replace(/\.?$/, '.') }
  if (error.code === 'transfer-piece-elsewhere') return { what: `${error.message}.`, next: elsewhere[kind] ?? sayAgain }
  if (error.code === 'transfer-not-allowed' && kind === 'transfer.send')
    return { what: `${error.message}.`, next: 'Nothing is left to send. Discard this entry with a reason.' }
  return isErrorCode(error.code) ? reasons[error.code] : { what: error.message, next: again }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
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

/** The text of a command that a person can put right; null where other words would not change the answer. */
export function correctionOf(command: Pick<OutboxCommand, 'kind' | 'body' | 'last_error'>): (Correctable & { text: string }) | null {
  const part = correctable[command.kind]
  if (!part || !curedByCorrecting.includes(command.last_error?.code ?? '')) return null
  const text = command.body[part.field]
  return { ...part, text: typeof text === 'string' ? text : '' }
}
