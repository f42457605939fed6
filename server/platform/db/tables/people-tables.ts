import type { Generated } from 'kysely'
import type { Letterhead } from '#contract/settings/letterhead.ts'
import type { OpticalSettings, SecuritySettings } from '#contract/settings/settings.ts'
import type { FieldChange, SettingsAction } from '#contract/settings/settings-changes.ts'
import type { Role } from '#contract/core/roles.ts'
import type { Json } from '#server/platform/db/json.ts'

/** Stores, the people who work in them, and their sign-ins on tablets. */
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
  security?: SecuritySettings
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
  /** HMAC-SHA-256 of the PIN under the server's pepper, hex. PINs are found by it and stored in no other form. */
  pin_lookup: string | null
  role_ids: Role[]
  store_id: number
  disabled_at: string | null
  /** For doctors: the numbers on their prescriptions. */
  license_no: Generated<string | null>
  npi: Generated<string | null>
}
type UserStoreTable = { id_user: number; store_id: number }
/** One sign-in, with the family of its refresh tokens. */
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
  /** The newest rotation, until a device presents one of its tokens: its answer may have been lost. */
  unconfirmed_rotation: string | null
  /** Name of the public key that its capture tokens are bound to; null for a session without a key. */
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
 * Failures of one subject (an account on a tablet, an address, …) since `window_at`. `blocks` counts the blocks that
 * followed: each is longer than the one before.
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
  /** The provider whose numbers changed; null for a change of the store. */
  id_provider: number | null
  at: string
  id_user: number
  rep: string
  device_id: string | null
  action: SettingsAction
  changes: Json<FieldChange[]>
}
/**
 * The last report of a session's tablet (`tabletOf`), and the identity under which its app numbers its reports. A late
 * report that a newer one overtook changes nothing.
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
  /** The last time that a manager revoked it; its keys change with that. */
  removed_at: Generated<string | null>
}
