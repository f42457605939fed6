import { Refusal } from '#contract/core/errors.ts'
import type { CommandKind, WireCommand } from '#contract/sync/commands.ts'
import type { RevisionScope } from '#server/platform/db/database.ts'
import type { PlainEntry } from '#server/platform/http/command-applier.ts'
import { decideException, deleteSheet, noteSheet, recountSheet, undoScan } from '#server/features/counts/count-sheets/change-sheet.ts'
import { closeSheet } from '#server/features/counts/count-sheets/close-sheet.ts'
import { createSheet } from '#server/features/counts/count-sheets/create-sheet.ts'
import { applyScans } from '#server/features/counts/count-sheets/scan-codes.ts'

function storeScope(command: WireCommand): `store:${number}` {
  if (command.store_id === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'store_id', message: 'counting happens in a store' }] })
  }
  return `store:${command.store_id}`
}
const inStore = (command: WireCommand): RevisionScope[] => [storeScope(command)]

type CountKind = Extract<CommandKind, `count.${string}`>

/** What each command of counting does, and who may. */
export const countCommands: { [K in CountKind]: PlainEntry<K> } = {
  'count.create': { scopes: inStore, permission: 'count.scan', apply: createSheet },
  'count.scan': {
    scopes: inStore,
    permission: 'count.scan',
    apply: async (context) => {
      const [answer] = await applyScans([context])
      if (!answer) throw new Error('a scan was given no answer')
      if (answer instanceof Refusal) throw answer
      return answer
    },
    applyRun: applyScans,
  },
  'count.undo': { scopes: inStore, permission: 'count.scan', apply: undoScan },
  'count.note': { scopes: inStore, permission: 'count.scan', apply: noteSheet },
  'count.decide': { scopes: inStore, permission: 'count.scan', apply: decideException },
  'count.recount': { scopes: inStore, permission: 'count.scan', apply: recountSheet, changesOthers: true },
  'count.close': { scopes: (command) => ['chain', storeScope(command)], permission: 'count.close', apply: closeSheet },
  'count.delete': { scopes: inStore, permission: 'count.scan', apply: deleteSheet },
}
