import type { CallOutcome, Channel, Message, MessageProblem, MessageStatus } from '#contract/patients/messages.ts'
import type { Tone } from '#src/ui/tone.ts'

/** How messages are spoken of. */

export const statusWords: Record<MessageStatus, { tone: Tone; word: string }> = {
  queued: { tone: 'info', word: 'On its way' },
  sent: { tone: 'good', word: 'Sent' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Not sent' },
  unknown: { tone: 'warn', word: 'Not known whether sent' },
}

export const problemWords: Record<MessageProblem, string> = {
  refused: 'The service that sends it refused it.',
  undeliverable: 'The number or the address does not take it. Check it with the patient.',
  unreachable: 'The service that sends it could not be reached for hours.',
  'too-late': 'It could not be sent within half a day, and was then given up.',
  'consent-withdrawn': 'The patient took back their consent before it left.',
  'no-answer': 'The service gave no answer. It may have arrived, so it is not sent again by itself.',
  interrupted: 'The server stopped while it was being sent. It may have arrived, so it is not sent again by itself.',
}

export const outcomeWords: Record<CallOutcome, { tone: Tone; word: string }> = {
  reached: { tone: 'good', word: 'Reached' },
  voicemail: { tone: 'info', word: 'Voicemail' },
  'no answer': { tone: 'neutral', word: 'No answer' },
  'wrong number': { tone: 'warn', word: 'Wrong number' },
}

export const channelWords: Record<Channel, { one: string; many: string; aOne: string }> = {
  sms: { one: 'Text', many: 'Texts', aOne: 'a text' },
  email: { one: 'E-mail', many: 'E-mails', aOne: 'an e-mail' },
  call: { one: 'Call', many: 'Calls', aOne: 'a call' },
}

export const wayWords = { sms: 'Text', email: 'E-mail', call: 'Call', none: 'Does not want to be contacted' } as const

/** `5185550123` as `(518) 555-0123`; an address stays as it is. */
export function addressWords(to: string): string {
  return to.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

/** `Text to (518) 555-0123`, `Call from (518) 555-0123`, `Call to the patient`. */
export function headWords({ channel, direction, to }: Pick<Message, 'channel' | 'direction' | 'to'>): string {
  return `${channelWords[channel].one} ${direction === 'out' ? 'to' : 'from'} ${to === '' ? 'the patient' : addressWords(to)}`
}
