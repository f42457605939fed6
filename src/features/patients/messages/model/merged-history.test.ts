import { expect, test } from 'vitest'
import type { Channel, Message } from '#contract/patients/messages.ts'
import { type Histories, mergedHistory } from './merged-history.ts'

const at = (channel: Channel, day: number) =>
  ({ id: `${channel}-${day}`, channel, at: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z` }) as Message
const histories: Histories = {
  sms: { messages: [at('sms', 20), at('sms', 10)], total: 5 },
  email: { messages: [at('email', 15), at('email', 3)], total: 2 },
  call: { messages: [], total: 0 },
}

test('one list merges all channels, back to the point where every one is loaded', () => {
  const { messages, hasOlder } = mergedHistory(histories, ['sms', 'email', 'call'])
  expect([messages.map(({ id }) => id), hasOlder]).toEqual([['sms-20', 'email-15', 'sms-10'], true])
})

test('a single channel goes back as far as it is loaded', () => {
  expect(mergedHistory(histories, ['email']).messages.map(({ id }) => id)).toEqual(['email-15', 'email-3'])
  expect(mergedHistory(histories, ['email']).hasOlder).toBe(false)
  expect(mergedHistory(histories, ['sms']).hasOlder).toBe(true)
})
