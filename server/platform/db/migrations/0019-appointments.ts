import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  `create table appointments (
    id_appointment uuid primary key,
    id_patient uuid not null references patients,
    store_id integer not null references stores,
    provider_id integer references users,
    start_at timestamptz(3) not null,
    duration_min integer not null check (duration_min between 5 and 600),
    type text not null,
    status text not null check (status in ('booked', 'reminded', 'confirmed', 'arrived', 'arrived_late', 'roomed', 'with_doctor', 'optical',
      'checked_out', 'coded', 'cancelled', 'cancelled_late', 'no_show', 'left', 'rescheduled')),
    reason text not null default '',
    created_at timestamptz(3) not null,
    created_by integer references users,
    version integer not null default 1 check (version > 0)
  )`,
  'create index appointments_by_patient on appointments (id_patient, start_at desc)',
  'create index appointments_by_store on appointments (store_id, start_at)',
]

/** When patients come and came, and to whom. */
export const appointments: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
