import type { heldWorkEndpoints } from '#contract/sync/held-work.ts'
import type { syncEndpoints } from '#contract/sync/sync.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { eventsHandler } from '#server/sync/events.ts'
import { heldWorkHandlers } from '#server/sync/held-work.ts'
import { patientsKeyHandler, tabletMarkHandler } from '#server/sync/patients-key.ts'
import { pullHandler } from '#server/sync/pull.ts'
import { pushHandler } from '#server/sync/push.ts'

export const syncHandlers: HandlersOf<keyof typeof syncEndpoints | keyof typeof heldWorkEndpoints> = {
  ...heldWorkHandlers,
  push: pushHandler,
  pull: pullHandler,
  events: eventsHandler,
  patientsKey: patientsKeyHandler,
  tabletMark: tabletMarkHandler,
}
