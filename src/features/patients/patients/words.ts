const verbs: Record<string, string> = {
  view: 'Opened',
  create: 'Added',
  edit: 'Changed',
  upload: 'Added',
  delete: 'Deleted',
  import: 'Imported',
  print: 'Printed',
  export: 'Exported',
  email: 'Emailed',
  sign: 'Signed',
  send: 'Sent',
  log: 'Logged',
  give: 'Gave out',
  withdraw: 'Withdrew',
  attach: 'Added',
  detach: 'Removed',
}
const parts: Record<string, string> = {
  patient: 'the record',
  rx: 'a prescription',
  file: 'a file',
  message: 'a message',
  call: 'a call',
  invoice: 'the invoices',
  appointment: 'the appointments',
  insurance: 'the insurance',
  'insurance-holder': 'a covered person',
  pcp: 'a primary care provider',
}
/** Actions whose words are not made of a verb and a part. */
const whole: Record<string, string> = {
  'patient.create': 'Registered',
  'patient.reveal-ssn': 'Viewed the SSN',
  'pcp.merge': 'Merged the primary care provider with another',
  'letter.view': 'Opened the letters to the primary care provider',
  'letter.record': 'Logged a letter to the primary care provider',
  'insurance.create': 'Added a policy',
  'insurance.edit': 'Changed a policy',
  'insurance.detach': 'Removed a policy',
  'portal.invite': 'Invited to the portal',
  'portal.resend': 'Resent the portal invitation',
  'portal.revoke': 'Portal access revoked',
  'portal.accept': 'Opened the portal as the patient',
  'portal.lock': 'Portal locked after wrong dates of birth',
  'portal.intake': 'Form submitted in the portal',
  'portal.intake-review': 'Reviewed a portal form',
  'portal.message': 'Message sent from the portal',
  'portal.message-mark': 'Marked a portal message',
  'portal.answer': 'Answered a portal message',
}

/** Actions whose words depend on the detail. */
const byDetail: Record<string, Record<string, string>> = {
  'message.view': { sms: 'Opened the texts', email: 'Opened the emails', call: 'Opened the calls' },
  'message.send': { sms: 'Sent a text', email: 'Sent an email' },
  'call.log': { call: 'Logged a call' },
}

/** Returns an action in words: `Signed a prescription` for `rx.sign`. Names the changed fields, never their values. */
export function actionWords(action: string, detail: string): string {
  const said = byDetail[action]?.[detail]
  if (said !== undefined) return said
  const [noun = '', verb = ''] = action.split('.')
  const done = whole[action] ?? `${verbs[verb] ?? verb.replaceAll('-', ' ')} ${parts[noun] ?? noun.replaceAll(/[-_]/g, ' ')}`
  if (action === 'patient.create') return done
  // Leaves out the id of the file or letter, which means nothing to a reader.
  const told = detail.replace(/ ?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '').replaceAll('_', ' ')
  return told === '' || done.endsWith(` ${told}`) ? done : `${done}: ${told}`
}
