import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // A tablet is known once somebody signed in on it with a password. A new generation ends all tokens of the one before.
  `create table known_tablets (
    device_id uuid primary key,
    generation integer not null default 1,
    known_at timestamptz(3) not null
  )`,
  // Who may use a PIN where: the last sign-in with a password of each person on each tablet.
  `create table tablet_passwords (
    device_id uuid not null references known_tablets,
    id_user integer not null references users,
    signed_in_at timestamptz(3) not null,
    primary key (device_id, id_user)
  )`,
  // Failures count within a window, and each block of a row is longer than the one before.
  'alter table sign_in_failures add column window_at timestamptz(3) not null default now()',
  'update sign_in_failures set window_at = last_at',
  'alter table sign_in_failures add column blocks integer not null default 0',
]

/** Tablets that prove who they are, who signed in on them with a password, and blocks that grow. */
export const knownTablets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
