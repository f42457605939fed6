import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands of counting. */
export const countCommandKinds = {
  'count.create': { version: 1, blocksLane: true },
  'count.scan': { version: 1 },
  'count.undo': { version: 1 },
  'count.note': { version: 1 },
  'count.decide': { version: 1 },
  'count.recount': { version: 1 },
  'count.close': { version: 1, isLive: true },
  'count.delete': { version: 1, isLive: true },
} as const satisfies Record<string, CommandFacts>

export type CountLane = `count:${string}`
