import type { Contact, SentChannel } from '#contract/patients/messages.ts'

/** Why nothing can be sent this way now, for a person; null when it can. */
export function whyNotSent(contact: Contact, channel: SentChannel): { title: string; text: string } | null {
  const { configured, consent_at: consentAt, address } = contact[channel]
  const many = channel === 'sms' ? 'Texts' : 'Emails'
  if (!configured) {
    return { title: `${many} are not set up`, text: `This server has no service that could send them. Whoever runs it can add one.` }
  }
  if (contact.preferred_contact === 'none') {
    return { title: 'The patient does not want to be contacted', text: 'Nothing is sent to them.' }
  }
  if (address === null) {
    const what = channel === 'sms' ? 'cell phone number' : 'email address'
    return { title: `No ${what}`, text: `Add a ${what} to the patient first.`.replace('a email', 'an email') }
  }
  if (consentAt === null) {
    return { title: 'No consent', text: `The patient has not agreed to ${many.toLowerCase()}. Ask them, and write down that they agree.` }
  }
  return null
}
