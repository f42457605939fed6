import type { Contact, SentChannel } from '#contract/patients/messages.ts'

/** Why nothing can be sent this way now, for a person; null when it can. */
export function whyNotSent(contact: Contact, channel: SentChannel): { title: string; text: string } | null {
  const { configured, consent_at: consentAt, address } = contact[channel]
  const many = channel === 'sms' ? 'Texts' : 'Emails'
  if (!configured) {
    return { title: `${many} aren’t set up`, text: `This server can’t send them. Ask your IT support to add a service.` }
  }
  if (contact.preferred_contact === 'none') {
    return { title: 'The patient doesn’t want to be contacted', text: 'Don’t send messages to this patient.' }
  }
  if (address === null) {
    const what = channel === 'sms' ? 'cell phone number' : 'email address'
    return { title: `No ${what}`, text: `Add a ${what} to the patient first.`.replace('a email', 'an email') }
  }
  if (consentAt === null) {
    return { title: 'No consent', text: `The patient hasn’t consented to ${many.toLowerCase()}. Ask them and record their consent.` }
  }
  return null
}
