import { Refusal } from '#contract/core/errors.ts'
import type { CommandKind } from '#contract/sync/commands.ts'
import { decideException, deleteSheet, noteSheet, recountSheet, undoScan } from '#server/features/counts/count-sheets/change-sheet.ts'
import { closeSheet } from '#server/features/counts/count-sheets/close-sheet.ts'
import { createSheet } from '#server/features/counts/count-sheets/create-sheet.ts'
import { applyScans } from '#server/features/counts/count-sheets/scan-codes.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'
import { defineUseCase } from '#server/platform/http/use-case.ts'

const inStore = ({ store_id }: { store_id: number }) => [`store:${store_id}`] as const

/** The commands of counting, with the permission for each. */
export const countCommands = {
  'count.create': defineUseCase('count.create', { permission: 'count.scan', scopes: inStore, apply: createSheet }),
  'count.scan': defineUseCase('count.scan', {
    permission: 'count.scan',
    scopes: inStore,
    apply: async (context) => {
      const [answer] = await applyScans([context])
      if (!answer) throw new Error('a scan was given no answer')
      if (answer instanceof Refusal) throw answer
      return answer
    },
    applyRun: applyScans,
  }),
  'count.undo': defineUseCase('count.undo', { permission: 'count.scan', scopes: inStore, apply: undoScan }),
  'count.note': defineUseCase('count.note', { permission: 'count.scan', scopes: inStore, apply: noteSheet }),
  'count.decide': defineUseCase('count.decide', { permission: 'count.scan', scopes: inStore, apply: decideException }),
  'count.recount': defineUseCase('count.recount', { permission: 'count.scan', scopes: inStore, apply: recountSheet, changesOthers: true }),
  'count.close': defineUseCase('count.close', {
    permission: 'count.close',
    scopes: ({ store_id }) => ['chain', `store:${store_id}`],
    apply: closeSheet,
  }),
  'count.delete': defineUseCase('count.delete', { permission: 'count.scan', scopes: inStore, apply: deleteSheet }),
} satisfies CommandEntries<Extract<CommandKind, `count.${string}`>>
