import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // So far one number is known of a tablet. The rest comes with its next report, within minutes.
  'drop table device_reports',
  `create table tablets (
    id_tablet uuid primary key,
    device_id uuid not null,
    last_report bigint not null,
    name text not null,
    store_id integer not null references stores,
    id_user integer not null references users,
    last_seen_at timestamptz(3) not null,
    unsent integer not null check (unsent >= 0),
    oldest_unsent_at timestamptz(3),
    app_version text
  )`,
  'create index tablets_by_store on tablets (store_id, name)',
  'create index sessions_by_device on sessions (device_id) where device_id is not null',
  'alter table sessions drop constraint sessions_revoked_because_check',
  `alter table sessions add constraint sessions_revoked_because_check check (revoked_because in ('logout', 'reuse', 'disabled', 'tablet'))`,
]

/** The last report of each tablet, and sessions that a manager ended with their tablet. */
export const tablets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
