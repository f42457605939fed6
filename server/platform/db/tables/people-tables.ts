import type { Generated } from 'kysely'
import type { Letterhead } from '#contract/settings/letterhead.ts'
import type { OpticalSettings } from '#contract/settings/settings.ts'
import type { FieldChange, SettingsAction } from '#contract/settings/settings-changes.ts'
import type { Role } from '#contract/core/roles.ts'
import type { Json } from '#server/platform/db/json.ts'

/** Stores, who works in them, and how they are signed in on which tablets. */
export type PeopleTables = {
  stores: StoreTable
  users: UserTable
  user_stores: UserStoreTable
  sessions: SessionTable
  refresh_tokens: RefreshTokenTable
  sign_in_failures: SignInFailureTable
  tablets: TabletTable
  known_tablets: KnownTabletTable
  tablet_passwords: TabletPasswordTable
  settings_audit: SettingsAuditTable
}

export type StoreSettings = {
  blind_counts: boolean
  control_preset: 'practice' | 'specification'
  coverage_percent: number
  scan_gap_ms: number
  /** Absent until someone chooses. */
  optical?: OpticalSettings
  letterhead?: Letterhead
}
type StoreTable = {
  store_id: Generated<number>
  store_name: string
  short_name: string
  time_zone: string
  is_warehouse: boolean
  settings: Json<StoreSettings>
}
type UserTable = {
  id_user: Generated<number>
  /** Lower case; unique, as is `email`. */
  username: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  /** HMAC-SHA-256 of the PIN under the server's pepper, hex: PINs are looked up by it and kept in no other form. */
  pin_lookup: string | null
  role_ids: Role[]
  store_id: number
  disabled_at: string | null
  /** Of doctors: what their prescriptions tell. */
  license_no: Generated<string | null>
  npi: Generated<string | null>
}
type UserStoreTable = { id_user: number; store_id: number }
/** One sign-in: the family of refresh tokens that came of it. */
type SessionTable = {
  id: string
  id_user: number
  store_id: number
  device_id: string | null
  created_at: string
  last_used_at: string
  revoked_at: string | null
  /** `tablet`: a manager ended all sessions of its tablet. */
  revoked_because: 'logout' | 'reuse' | 'disabled' | 'tablet' | null
  /** The newest rotation while nothing that it gave was ever presented: its answer may have been lost. */
  unconfirmed_rotation: string | null
  /** Name of the public key that its capture tokens are bound to; null for one that brought none. */
  signing_key: Generated<string | null>
}
type RefreshTokenTable = {
  token_hash: string
  session_id: string
  issued_at: string
  expires_at: string
  used_at: string | null
}
/**
 * Failures of one subject (an account on a tablet, an address, …) since `window_at`. `blocks` is how often they led to a block: each is
 * longer than the one before.
 */
type SignInFailureTable = {
  subject: string
  failures: number
  window_at: Generated<string>
  last_at: string
  blocks: Generated<number>
  blocked_until: string | null
}
/** Tablets on which somebody signed in with a password. Tokens of an older generation prove nothing. */
type KnownTabletTable = { device_id: string; generation: Generated<number>; known_at: string }
type TabletPasswordTable = { device_id: string; id_user: number; signed_in_at: string }
type SettingsAuditTable = {
  id: Generated<number>
  store_id: number
  /** Whose numbers were changed; null where it was about the store. */
  id_provider: number | null
  at: string
  id_user: number
  rep: string
  device_id: string | null
  action: SettingsAction
  changes: Json<FieldChange[]>
}
/**
 * What was last heard of the tablet of a session (`tabletOf`), and the identity under which its app counts what it says:
 * a report that was overtaken on its way changes nothing.
 */
type TabletTable = {
  id_tablet: string
  device_id: string
  last_report: number
  name: string
  store_id: number
  id_user: number
  last_seen_at: string
  unsent: number
  oldest_unsent_at: string | null
  app_version: string | null
  /** When a manager last ended it; its keys change with that. */
  removed_at: Generated<string | null>
}
