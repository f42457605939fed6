import type { Channel, Message } from '#contract/patients/messages.ts'

/** What was loaded of each channel, newest first, and how much there is. */
export type Histories = Record<Channel, { messages: readonly Message[]; total: number }>

/**
 * One list of several, newest first. Where older ones of a channel are not loaded yet, nothing older than its last one is shown of the others
 * either: it would look as if there had been nothing in between.
 */
export function mergedHistory(histories: Histories, channels: readonly Channel[]): { messages: Message[]; hasOlder: boolean } {
  let horizon = ''
  for (const channel of channels) {
    const { messages, total } = histories[channel]
    const last = messages.at(-1)
    if (last && messages.length < total && last.at > horizon) horizon = last.at
  }
  const all = channels.flatMap((channel) => histories[channel].messages)
  const messages = all.filter(({ at }) => at >= horizon).sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
  return { messages, hasOlder: horizon !== '' }
}
