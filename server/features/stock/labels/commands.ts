import { requestLabelLater } from '#server/features/stock/labels/label-requests.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** What is asked for without waiting for a connection. Tablets mirror no requests: no revision is raised. */
export const labelCommands: CommandEntries<'label.request'> = {
  'label.request': { permission: 'frame.label', scopes: () => [], apply: requestLabelLater },
}
