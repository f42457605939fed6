import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { instant, rowId, uuid } from '#contract/core/primitives.ts'

/** Tablets that were not heard of for so long and held nothing then are no longer listed. */
export const listedTabletDays = 90

/**
 * What became of the sessions of a tablet: someone is signed in on it, nobody is, or a manager ended them and nobody has
 * signed in there since.
 */
export const tabletSession = v.picklist(['open', 'ended', 'revoked'])

/** A tablet as it last told of itself. A device on which nobody ever signed in is unknown to the server. */
export const tablet = v.object({
  id_tablet: uuid,
  name: v.string(),
  /** Where it was last worked on. */
  store_id: rowId,
  store_name: v.string(),
  /** Who last worked on it. */
  person_name: v.string(),
  last_seen_at: instant,
  /** Commands that it held then, those that need attention among them. */
  unsent: v.number(),
  /** When the oldest of them was made; null when it held none, or did not say. */
  oldest_unsent_at: v.nullable(instant),
  /** Null when it did not say. */
  app_version: v.nullable(v.string()),
  session: tabletSession,
})
export type Tablet = v.InferOutput<typeof tablet>

export const tabletEndpoints = {
  listTablets: endpoint({
    method: 'GET',
    path: '/api/settings/tablets',
    summary: 'The tablets of the stores one belongs to, by store and name',
    access: 'settings.tablets',
    response: v.object({
      tablets: v.array(tablet),
      /** Of the app that the server has to offer. */
      app_version: v.string(),
      server_time: instant,
    }),
  }),
  revokeTablet: endpoint({
    method: 'POST',
    path: '/api/settings/tablets/{id}/revoke',
    summary: 'Ends every session and capture token of a tablet; what it holds stays on it, and waits for a manager when it arrives',
    access: 'settings.tablets',
    params: v.object({ id: uuid }),
    response: tablet,
    refuses: ['tablet-unknown'],
  }),
} as const
