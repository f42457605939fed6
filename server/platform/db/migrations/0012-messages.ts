import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // Also the outbox of messages: the server sends the queued rows, and services know a message by its id.
  `create table messages (
    id uuid primary key,
    id_patient uuid not null references patients,
    store_id integer not null references stores,
    channel text not null check (channel in ('sms', 'email', 'call')),
    direction text not null check (direction in ('out', 'in')),
    at timestamptz(3) not null,
    id_user integer not null references users,
    rep text not null,
    address text not null,
    subject text,
    body text not null,
    template text,
    request_hash text not null,
    status text check (status in ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown')),
    status_at timestamptz(3),
    problem text,
    attempts integer not null default 0,
    not_before timestamptz(3),
    outcome text,
    duration_s integer check (duration_s >= 0),
    check ((channel = 'call') = (status is null)),
    check ((channel = 'call') = (outcome is not null))
  )`,
  'create index messages_by_patient on messages (id_patient, channel, at desc, id desc)',
  'create index messages_by_person on messages (id_user, at desc)',
  `create index messages_to_send on messages (not_before) where status = 'queued'`,
  `create index messages_under_way on messages (status_at) where status = 'sending'`,
]

/** Messages to and from patients, sent and queued. */
export const messages: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
