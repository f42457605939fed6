const deeds: Record<string, string> = {
  view: 'Opened',
  create: 'Added',
  edit: 'Changed',
  upload: 'Added',
  delete: 'Deleted',
  import: 'Imported',
  print: 'Printed',
  export: 'Exported',
  email: 'E-mailed',
  sign: 'Signed',
  send: 'Sent',
  log: 'Logged',
  give: 'Handed over',
  withdraw: 'Took back',
  attach: 'Added',
  detach: 'Took away',
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
  'insurance-holder': 'a holder of the policy',
  pcp: 'a primary care provider',
}
/** What no deed and part make a sentence of. */
const whole: Record<string, string> = {
  'patient.create': 'Registered',
  'patient.reveal-ssn': 'Read the SSN',
  'pcp.merge': 'Primary care provider merged with another',
  'letter.view': 'Opened the letters to the primary care provider',
  'letter.record': 'Wrote down a letter to the primary care provider',
  'insurance.create': 'Added a policy',
  'insurance.edit': 'Changed a policy',
  'insurance.detach': 'Took a policy away',
  'portal.invite': 'Invited to the portal',
  'portal.resend': 'Sent the invitation to the portal again',
  'portal.revoke': 'Took the access to the portal back',
  'portal.accept': 'Opened the portal as the patient',
  'portal.lock': 'Portal locked after wrong birth dates',
  'portal.intake': 'Form filled in at the portal',
  'portal.intake-review': 'Reviewed a form of the portal',
  'portal.message': 'Message written at the portal',
  'portal.message-mark': 'Marked a message of the portal',
  'portal.answer': 'Answered a message of the portal',
}

/** Where the detail says what it was. */
const byDetail: Record<string, Record<string, string>> = {
  'message.view': { sms: 'Opened the texts', email: 'Opened the e-mails', call: 'Opened the calls' },
  'message.send': { sms: 'Sent a text', email: 'Sent an e-mail' },
  'call.log': { call: 'Logged a call' },
}

/** What was done to a record, in words: `rx.sign` is `Signed a prescription`; of a change its fields are named, never what stood in them. */
export function actionWords(action: string, detail: string): string {
  const said = byDetail[action]?.[detail]
  if (said !== undefined) return said
  const [noun = '', verb = ''] = action.split('.')
  const done = whole[action] ?? `${deeds[verb] ?? verb.replaceAll('-', ' ')} ${parts[noun] ?? noun.replaceAll(/[-_]/g, ' ')}`
  if (action === 'patient.create') return done
  // Which one it was is for whoever looks into the table.
  const told = detail.replace(/ ?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '').replaceAll('_', ' ')
  return told === '' || done.endsWith(` ${told}`) ? done : `${done}: ${told}`
}
