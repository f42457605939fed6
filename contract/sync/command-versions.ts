import type { CommandFacts } from '#contract/sync/command-facts.ts'
import { countCommandKinds, type CountLane } from '#contract/counts/count-command-kinds.ts'
import { patientCommandKinds, type PatientLane } from '#contract/patients/patient-command-kinds.ts'
import { peopleCommandKinds, type PeopleLane } from '#contract/people/people-command-kinds.ts'
import { receivingCommandKinds, type ReceivingLane } from '#contract/receiving/receiving-command-kinds.ts'
import { stockCommandKinds, type StockLane } from '#contract/stock/stock-command-kinds.ts'
import { syncCommandKinds, type SyncLane } from '#contract/sync/sync-command-kinds.ts'

/** Every kind of command. Each area declares its own in `<area>-command-kinds.ts`; this file only merges them. */
const commandKinds = {
  ...countCommandKinds,
  ...patientCommandKinds,
  ...peopleCommandKinds,
  ...receivingCommandKinds,
  ...stockCommandKinds,
  ...syncCommandKinds,
} as const satisfies Record<string, CommandFacts>

export type CommandKind = keyof typeof commandKinds

/** Lanes keep order inside themselves and never wait for each other. */
export type Lane = CountLane | PatientLane | PeopleLane | ReceivingLane | StockLane | SyncLane

const kinds = Object.keys(commandKinds) as CommandKind[]
const factsOf = (kind: CommandKind): CommandFacts => commandKinds[kind]

/** The kinds of commands, each with the version of the body that today's app writes. */
export const commandVersions = Object.fromEntries(kinds.map((kind) => [kind, factsOf(kind).version])) as Record<CommandKind, number>

export const laneBlockers: readonly CommandKind[] = kinds.filter((kind) => factsOf(kind).blocksLane)
export const liveKinds: readonly CommandKind[] = kinds.filter((kind) => factsOf(kind).isLive)
export const sealedKinds: readonly CommandKind[] = kinds.filter((kind) => factsOf(kind).isSealed)
