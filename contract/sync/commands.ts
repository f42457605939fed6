import type * as v from 'valibot'
import type { CommandKind } from '#contract/sync/command-versions.ts'
import { countCommandBodies } from '#contract/counts/count-commands.ts'
import { patientCommandBodies } from '#contract/patients/patient-commands.ts'
import { peopleCommandBodies } from '#contract/people/people-commands.ts'
import { receivingCommandBodies, receivingUpcasts } from '#contract/receiving/receiving-commands.ts'
import { stockCommandBodies } from '#contract/stock/stock-commands.ts'
import { syncCommandBodies } from '#contract/sync/sync-commands.ts'

export * from '#contract/sync/command.ts'
export * from '#contract/sync/command-versions.ts'

/**
 * A command is one thing a person did, made on a device, applied at the server exactly once.
 *
 * Each area declares its commands: the facts in `<area>-command-kinds.ts`, which a page has before the shapes, and the bodies in
 * `<area>-commands.ts`. This file only merges them. A version is that of the body's shape: tablets come back after months with bodies of
 * older versions. A change of shape adds a version and an entry to the area's upcasts; it never changes the meaning of an old one.
 */
export const commandBodies = {
  ...countCommandBodies,
  ...patientCommandBodies,
  ...peopleCommandBodies,
  ...receivingCommandBodies,
  ...stockCommandBodies,
  ...syncCommandBodies,
} as const satisfies Record<CommandKind, v.GenericSchema>

export type CommandBody<K extends CommandKind> = v.InferOutput<(typeof commandBodies)[K]>

/**
 * How a body of an older version becomes one of the next: `upcasts['count.scan'][1]` makes a version 2 body
 * of a version 1 body.
 */
export const upcasts: { [K in CommandKind]?: Record<number, (body: any) => unknown> } = {
  ...receivingUpcasts,
}
