/** The kinds of commands, each with the version of the body that today's app writes. */
export const commandVersions = {
  'count.create': 1,
  'count.scan': 1,
  'count.undo': 1,
  'count.note': 1,
  'count.decide': 1,
  'count.recount': 1,
  'count.close': 1,
  'count.delete': 1,
  'frame.change-state': 1,
  'label.request': 1,
  'patient.create': 1,
  'patient.edit': 1,
  'patient.view': 1,
  'transfer.begin': 1,
  'transfer.put': 1,
  'transfer.send': 1,
  'vendor-invoice.receive': 2,
  'punch.record': 1,
  'command.discard': 1,
} satisfies Record<string, number>

export type CommandKind = keyof typeof commandVersions

/**
 * Commands that delete or close. Their author must be the person whose session delivers them: a signature made earlier is not enough. No
 * command prices or signs; those calls need a session anyway. What only adds, or can be undone, travels with its signature.
 */
export const liveKinds: readonly CommandKind[] = ['count.close', 'count.delete']

/**
 * Commands whose body says something of a patient. A device never writes that down as it is: it seals the body to the server's key
 * (HPKE, RFC 9180), so that whoever finds the tablet, or brings the work for its author, cannot read it.
 */
export const sealedKinds: readonly CommandKind[] = ['patient.create', 'patient.edit']
