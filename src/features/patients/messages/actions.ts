import type { RequestOf } from '#contract/core/endpoint.ts'
import { type Contact, type Message, messageEndpoints, type SentChannel } from '#contract/patients/messages.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { Draft } from './model/drafts.ts'

type Calling = Pick<Device, 'call'>

/** Asks the server to send the message. This device queues nothing. */
export async function sendMessage(device: Calling, idPatient: string, channel: SentChannel, draft: Draft): Promise<Outcome<Message>> {
  const params = { id_patient: idPatient }
  const { id, subject, text: message } = draft
  const template = draft.template as RequestOf<typeof messageEndpoints.sendSms>['body']['template']
  if (channel === 'sms') return await device.call(messageEndpoints.sendSms, { params, body: { id, message, template } })
  return await device.call(messageEndpoints.sendEmail, { params, body: { id, subject, message, template } })
}

export async function logCall(
  device: Calling,
  idPatient: string,
  body: RequestOf<typeof messageEndpoints.logCall>['body'],
): Promise<Outcome<Message>> {
  return await device.call(messageEndpoints.logCall, { params: { id_patient: idPatient }, body })
}

export async function saveConsent(
  device: Calling,
  id: string,
  body: RequestOf<typeof messageEndpoints.changeConsent>['body'],
): Promise<Outcome<Contact>> {
  return await device.call(messageEndpoints.changeConsent, { params: { id }, body })
}
