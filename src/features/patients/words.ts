const deeds: Record<string, string> = {
  view: 'Opened',
  create: 'Added',
  edit: 'Changed',
  upload: 'Added',
  delete: 'Deleted',
  import: 'Imported',
  print: 'Printed',
  export: 'Exported',
  email: 'Sent by e-mail',
  sign: 'Signed',
  send: 'Sent',
  log: 'Logged',
  give: 'Given',
  withdraw: 'Taken back',
  attach: 'Attached',
  detach: 'Detached',
}
const parts: Record<string, string> = { patient: 'record', rx: 'prescription', invoice: 'invoices' }

/** What was done to a record, in words: `rx.sign` is `Signed: prescription`; of a change its fields are named, never what stood in them. */
export function actionWords(action: string, detail: string): string {
  const [noun = '', verb = ''] = action.split('.')
  if (action === 'patient.create') return 'Registered'
  if (action === 'patient.reveal-ssn') return 'Read the SSN'
  if (action === 'pcp.merge') return 'Primary care provider merged with another'
  const deed = deeds[verb] ?? verb.replaceAll('-', ' ')
  const part = parts[noun] ?? noun.replaceAll(/[-_]/g, ' ')
  // Which one it was is for whoever looks into the table.
  const told = detail.replace(/ ?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '')
  const fields = told && told !== part ? `, ${told.replaceAll('_', ' ')}` : ''
  return `${deed}: ${part}${fields}`
}
