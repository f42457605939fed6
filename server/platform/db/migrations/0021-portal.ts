import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // The database holds only the hash of a link. `id_send` is the sending that counts: older links, and emails with
  // them, open nothing.
  `create table portal_invitations (
    id uuid primary key,
    id_patient uuid not null references patients,
    id_user integer references users,
    rep text not null,
    way text not null check (way in ('email', 'link')),
    email text,
    id_send uuid not null unique,
    token_hash text not null unique,
    sends integer not null default 1,
    sent_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    wrong_tries integer not null default 0 check (wrong_tries >= 0)
  )`,
  'create unique index portal_invitations_in_force on portal_invitations (id_patient) where revoked_at is null',
  'create index portal_invitations_newest on portal_invitations (sent_at desc, id desc)',
  `create table portal_intakes (
    id uuid primary key,
    id_invitation uuid not null references portal_invitations,
    id_patient uuid not null references patients,
    at timestamptz(3) not null,
    answers jsonb not null,
    taken text[],
    reviewed_at timestamptz(3),
    reviewed_by integer references users,
    rep text,
    check ((reviewed_at is null) = (taken is null))
  )`,
  'create index portal_intakes_by_invitation on portal_intakes (id_invitation, at desc)',
  'create index portal_intakes_new on portal_intakes (at) where reviewed_at is null',
  `create table portal_messages (
    id uuid primary key,
    id_invitation uuid not null references portal_invitations,
    id_patient uuid not null references patients,
    id_answered uuid references portal_messages,
    way text not null check (way in ('portal', 'email')),
    at timestamptz(3) not null,
    id_user integer references users,
    rep text not null,
    body text not null,
    read_at timestamptz(3),
    assigned_to integer references users,
    assigned_rep text,
    done_at timestamptz(3)
  )`,
  'create index portal_messages_by_invitation on portal_messages (id_invitation, at desc)',
  'create index portal_messages_answers on portal_messages (id_answered) where id_answered is not null',
  'create index portal_messages_open on portal_messages (at) where id_answered is null and done_at is null',
]

/** Invitations of patients to the portal, and forms and messages that they sent from there. */
export const portal: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
