import type { Kysely } from 'kysely'
import type { SecurityKind } from '#contract/people/security-log.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { currentRequest } from '#server/platform/http/request-context.ts'
import type { Services } from '#server/platform/services.ts'

type Noting = Pick<Services, 'db' | 'clock'>
/** The owner of the session. A `Scope` is one. */
type Actor = { id_user: number; store_id: number | null; session_id: string | null; device_id: string | null }

export type SecurityEvent = {
  kind: SecurityKind
  /** The caller of the request, unless given. */
  by?: Actor | null
  /** The tablet, when no session names it. */
  device_id?: string
  /** The affected account, when that is not the actor. */
  about?: { id_user: number; store_id: number } | null
  id_patient?: string
  /** A code, a call or an id. It never holds personal data. */
  detail?: string
  /** Number of refusals or patients in this row. */
  times?: number
}

/** Kinds of events outside a session. Only they keep the network address. */
const kindsWithAddress: readonly SecurityKind[] = [
  'signed-in',
  'sign-in-failed',
  'locked-out',
  'pins-blocked-tablet',
  'pins-blocked',
  'token-reused',
  'refusals-repeated',
]

/**
 * Adds one row to the security log. Request, caller, store and device come from the current request.
 * @param db the transaction, when the caller has one
 */
export async function noteSecurityEvent(services: Noting, event: SecurityEvent, db: Kysely<Schema> = services.db.pool): Promise<void> {
  const request = currentRequest()
  const { kind, by = request?.caller ?? null, about = null, id_patient = null, detail = '', times = 1 } = event
  await db
    .insertInto('security_log')
    .values({
      at: new Date(services.clock.now()).toISOString(),
      kind,
      id_user: by?.id_user ?? null,
      id_about: about?.id_user ?? null,
      id_patient,
      store_id: by?.store_id ?? about?.store_id ?? null,
      device_id: event.device_id ?? by?.device_id ?? null,
      session_id: by?.session_id ?? null,
      request_id: request?.request_id ?? null,
      address: kindsWithAddress.includes(kind) ? (request?.address ?? null) : null,
      detail,
      times,
    })
    .execute()
}
