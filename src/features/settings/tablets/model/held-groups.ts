import type { HeldCommand, HoldReason } from '#contract/sync/held-work.ts'

/** The work of one author on one tablet that is held for one reason. A manager decides it together. */
export type HeldGroup = {
  key: string
  author: string
  tablet: string
  store: string
  reason: HoldReason
  commands: HeldCommand[]
}

/** Returns the groups. The one that waits longest comes first. */
export function heldGroups(held: readonly HeldCommand[]): HeldGroup[] {
  const groups = new Map<string, HeldGroup>()
  for (const command of held) {
    const key = `${command.author_id} ${command.device_id} ${command.store_id} ${command.reason}`
    const group = groups.get(key) ?? {
      key,
      author: command.author_name,
      tablet: command.tablet_name ?? 'a tablet no longer listed',
      store: command.store_name,
      reason: command.reason,
      commands: [],
    }
    group.commands.push(command)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => oldestOf(a).localeCompare(oldestOf(b)))
}

function oldestOf({ commands: [first] }: HeldGroup): string {
  return first?.captured_at ?? ''
}

export const reasonWords: Record<HoldReason, string> = {
  'tablet-revoked': 'The tablet was revoked.',
  'author-disabled': 'The account was closed.',
  'right-lost': 'The account no longer has permission, or no longer belongs to this store.',
  'proof-old': 'An older app recorded it more than 30 days ago.',
}

const kinds: Record<string, string> = {
  'count.create': 'New count',
  'count.scan': 'Scan',
  'count.undo': 'Undo scan',
  'count.note': 'Count note',
  'count.decide': 'Count decision',
  'count.recount': 'Recount',
  'count.close': 'Close count',
  'count.delete': 'Delete count',
  'frame.change-state': 'Frame change',
  'label.request': 'Label request',
  'patient.create': 'New patient',
  'patient.edit': 'Patient edited',
  'patient.view': 'Patient viewed',
  'transfer.begin': 'New transfer',
  'transfer.put': 'Transfer frame',
  'transfer.send': 'Send transfer',
  'vendor-invoice.receive': 'Receiving',
  'command.discard': 'Discarded work',
}

/** Returns a title like `Scan DT-000001 on count #12`. */
export function heldTitle({ kind, code, count_number }: Pick<HeldCommand, 'kind' | 'code' | 'count_number'>): string {
  return [kinds[kind] ?? 'Other work', code, count_number === null ? null : `on count #${count_number}`].filter(Boolean).join(' ')
}
