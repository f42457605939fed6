import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands about other commands. */
export const syncCommandKinds = {
  'command.discard': { version: 1 },
} as const satisfies Record<string, CommandFacts>

export type SyncLane = `discard:${string}`
