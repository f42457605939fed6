import type { Channel, Message } from '#contract/patients/messages.ts'

/** The loaded messages of each channel, newest first, and the total. */
export type Histories = Record<Channel, { messages: readonly Message[]; total: number }>

/**
 * Merges several channels into one list, newest first.
 * The list ends where a channel has older messages that are not loaded. Going further back would look like a gap.
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
