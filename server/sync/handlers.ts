import type { syncEndpoints } from '#contract/sync.ts'
import type { HandlersOf } from '#server/http/handler.ts'
import { eventsHandler } from '#server/sync/events.ts'
import { patientsKeyHandler, tabletMarkHandler } from '#server/sync/patients-key.ts'
import { pullHandler } from '#server/sync/pull.ts'
import { pushHandler } from '#server/sync/push.ts'

export const syncHandlers: HandlersOf<keyof typeof syncEndpoints> = {
  push: pushHandler,
  pull: pullHandler,
  events: eventsHandler,
  patientsKey: patientsKeyHandler,
  tabletMark: tabletMarkHandler,
}
