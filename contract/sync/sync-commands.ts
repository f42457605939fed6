import * as v from 'valibot'
import { requiredText, uuid } from '#contract/core/primitives.ts'
import type { syncCommandKinds } from '#contract/sync/sync-command-kinds.ts'

/** What each command about other commands says. */
export const syncCommandBodies = {
  /** A person gave a command up: the server keeps the fact, the reason and what was given up. */
  'command.discard': v.object({
    discarded_id: uuid,
    discarded_kind: v.pipe(v.string(), v.maxLength(64)),
    discarded_body: v.record(v.string(), v.unknown()),
    reason: requiredText(500),
  }),
} as const satisfies Record<keyof typeof syncCommandKinds, v.GenericSchema>
