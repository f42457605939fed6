import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands of frames, labels and transfers. */
export const stockCommandKinds = {
  'frame.change-state': { version: 1 },
  'label.request': { version: 1 },
  'transfer.begin': { version: 1, blocksLane: true },
  'transfer.put': { version: 1 },
  'transfer.send': { version: 1 },
} as const satisfies Record<string, CommandFacts>

export type StockLane = `frame:${number}` | `transfer:${string}`
