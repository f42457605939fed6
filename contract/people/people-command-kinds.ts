import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands of the time clock. */
export const peopleCommandKinds = {
  'punch.record': { version: 1 },
} as const satisfies Record<string, CommandFacts>

export type PeopleLane = `punch:${string}`
