import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands of receiving. */
export const receivingCommandKinds = {
  'vendor-invoice.receive': { version: 2 },
} as const satisfies Record<string, CommandFacts>

export type ReceivingLane = `receiving:${string}`
