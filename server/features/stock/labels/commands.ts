import { requestLabels } from '#server/features/stock/labels/label-requests.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The work on labels that a tablet can do offline. */
export const labelCommands: CommandEntries<'label.request'> = { 'label.request': requestLabels }
