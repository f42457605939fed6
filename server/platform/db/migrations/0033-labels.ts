import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  `create table label_request (
    id_request uuid primary key,
    id_inventory integer not null references frames,
    state text not null default 'waiting' check (state in ('waiting', 'printed', 'withdrawn')),
    asked_by text not null,
    asked_at timestamptz(3) not null,
    settled_by text,
    settled_at timestamptz(3),
    check ((state = 'waiting') = (settled_at is null))
  )`,
  // A piece waits for one label at a time. The list of a store is small: it begins here.
  `create unique index label_request_waiting on label_request (id_inventory) where state = 'waiting'`,
]

/** Pieces that wait for a label. */
export const labels: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
