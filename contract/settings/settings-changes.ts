import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { instant } from '#contract/core/primitives.ts'

/** The log of changes to a store's settings and to its providers' numbers. */

export const settingsActions = ['provider.edit', 'optical.edit', 'letterhead.edit', 'inventory.edit', 'security.edit'] as const
export type SettingsAction = (typeof settingsActions)[number]

const value = v.nullable(v.union([v.string(), v.number(), v.boolean()]))
const fieldChange = v.object({ field: v.string(), before: value, after: value })
export type FieldChange = v.InferOutput<typeof fieldChange>

const settingsChange = v.object({
  at: instant,
  by: v.string(),
  action: v.picklist(settingsActions),
  /** The provider whose numbers changed; null for a change of the store. */
  provider: v.nullable(v.string()),
  changes: v.array(fieldChange),
})
export type SettingsChange = v.InferOutput<typeof settingsChange>

/** The most changes in an answer. */
export const settingsChangesShown = 50

export const settingsChangeEndpoints = {
  settingsChanges: endpoint({
    method: 'GET',
    path: '/api/settings/changes',
    summary: 'Who changed the settings of the store one works in and the numbers of its providers, newest first',
    access: 'settings.optical',
    response: v.object({ changes: v.array(settingsChange) }),
  }),
} as const
