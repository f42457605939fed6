import type { ConnectionState } from '#src/sync/device/device.ts'

/** Counts the work that waits to be sent, with files. Views of records are sent too, but they are no work. */
export function unsentWork({ unsent, views = 0, files }: Pick<ConnectionState, 'unsent' | 'views' | 'files'>): number {
  return unsent - views + (files?.waiting ?? 0)
}
