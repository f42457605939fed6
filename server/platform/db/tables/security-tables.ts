import type { Generated } from 'kysely'
import type { SecurityKind } from '#contract/people/security-log.ts'

/** The security log, and what managers have seen of it. */
export type SecurityTables = {
  security_log: SecurityLogTable
  security_alerts_seen: SecurityAlertsSeenTable
}

/** Rows are only ever added. They hold ids and codes, and no other personal data. */
export type SecurityLogTable = {
  id: Generated<number>
  at: string
  kind: SecurityKind
  /** Who did it; null when nobody was signed in. */
  id_user: number | null
  /** The account that it was about. */
  id_about: number | null
  id_patient: string | null
  store_id: number | null
  device_id: string | null
  session_id: string | null
  request_id: string | null
  address: string | null
  detail: string
  times: number
}
type SecurityAlertsSeenTable = { id_user: number; up_to: number; at: string }
