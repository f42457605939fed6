import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  'alter table sessions add column signing_key text',
  `create table held_commands (
    command_id uuid primary key,
    body_hash text not null,
    kind text not null,
    -- As it came, as text: a body may hold what jsonb does not take, and what was sealed stays sealed.
    command text not null,
    lane text not null,
    lane_seq bigint not null,
    device_id uuid not null,
    store_id integer not null references stores,
    author_id integer not null references users,
    deliverer_id integer not null references users,
    reason text not null check (reason in ('tablet-revoked', 'author-disabled', 'right-lost', 'proof-old')),
    captured_at timestamptz(3) not null,
    received_at timestamptz(3) not null,
    decision text check (decision in ('applied', 'discarded')),
    decided_by integer references users,
    decided_at timestamptz(3),
    decided_because text,
    check ((decision is null) = (decided_at is null))
  )`,
  'create index held_commands_waiting on held_commands (store_id, captured_at) where decision is null',
  // Tablets that someone signed in on and that have told nothing of themselves yet: a manager can revoke those, too.
  `insert into tablets (id_tablet, device_id, last_report, name, store_id, id_user, last_seen_at, unsent)
    select distinct on (device_id) device_id, device_id, 0, 'Unnamed tablet', store_id, id_user, last_used_at, 0
    from sessions where device_id is not null order by device_id, last_used_at desc
    on conflict (id_tablet) do nothing`,
]

/** The keys that sessions are bound to, and work that waits for a manager. */
export const heldCommands: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
