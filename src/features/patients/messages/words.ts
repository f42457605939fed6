import type { CallOutcome, Channel, Message, MessageProblem, MessageStatus } from '#contract/patients/messages.ts'
import type { Tone } from '#src/ui/tone.ts'

/** The words for messages on the screen. */

export const statusWords: Record<MessageStatus, { tone: Tone; word: string }> = {
  queued: { tone: 'info', word: 'Sending' },
  sent: { tone: 'good', word: 'Sent' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Not sent' },
  unknown: { tone: 'warn', word: 'May not have been sent' },
}

export const problemWords: Record<MessageProblem, string> = {
  refused: 'The messaging service refused it.',
  undeliverable: 'This number or address can’t receive it. Check it with the patient.',
  unreachable: 'The messaging service couldn’t be reached for hours.',
  'too-late': 'It couldn’t be sent within 12 hours, so sending stopped.',
  'consent-withdrawn': 'The patient withdrew consent before it was sent.',
  'no-answer': 'The messaging service didn’t answer. It may have arrived, so it isn’t resent automatically.',
  interrupted: 'The server stopped while sending it. It may have arrived, so it isn’t resent automatically.',
}

export const outcomeWords: Record<CallOutcome, { tone: Tone; word: string }> = {
  reached: { tone: 'good', word: 'Reached' },
  voicemail: { tone: 'info', word: 'Voicemail' },
  'no answer': { tone: 'neutral', word: 'No answer' },
  'wrong number': { tone: 'warn', word: 'Wrong number' },
}

export const channelWords: Record<Channel, { one: string; many: string; aOne: string }> = {
  sms: { one: 'Text', many: 'Texts', aOne: 'a text' },
  email: { one: 'Email', many: 'Emails', aOne: 'an email' },
  call: { one: 'Call', many: 'Calls', aOne: 'a call' },
}

export const wayWords = { sms: 'Text', email: 'Email', call: 'Call', none: 'Do not contact' } as const

/** Returns `(518) 555-0123` for `5185550123`. Leaves an email address unchanged. */
export function addressWords(to: string): string {
  return to.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

/** Returns `Text to (518) 555-0123`, `Call from (518) 555-0123` or `Call to the patient`. */
export function headWords({ channel, direction, to }: Pick<Message, 'channel' | 'direction' | 'to'>): string {
  return `${channelWords[channel].one} ${direction === 'out' ? 'to' : 'from'} ${to === '' ? 'the patient' : addressWords(to)}`
}
