import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // The refraction is one document: it is read, compared and signed as a whole.
  `create table prescriptions (
    id_rx uuid primary key,
    id_patient uuid not null references patients,
    rx_kind text not null check (rx_kind in ('spectacle', 'contact_lens')),
    status text not null check (status in ('draft', 'active', 'superseded', 'cancelled', 'entered_in_error')),
    provider_id integer references users,
    content jsonb not null,
    signature jsonb,
    signed_by integer references users,
    signed_at timestamptz(3),
    created_at timestamptz(3) not null,
    created_by integer references users,
    version integer not null default 1 check (version > 0),
    check (status in ('draft', 'cancelled', 'entered_in_error') or (signature is not null and signed_by is not null and signed_at is not null))
  )`,
  'create index prescriptions_by_patient on prescriptions (id_patient, created_at desc)',
  // One of each kind is in force.
  `create unique index prescriptions_in_force on prescriptions (id_patient, rx_kind) where status = 'active'`,
]

/** Prescriptions of patients. */
export const prescriptions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
