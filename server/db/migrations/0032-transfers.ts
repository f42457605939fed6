import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  `create table transfers (
    id_transfer uuid primary key,
    number integer generated always as identity unique,
    from_store_id integer not null references stores,
    to_store_id integer not null references stores check (to_store_id <> from_store_id),
    reason text not null,
    status text not null check (status in ('draft', 'sent', 'partly received', 'received', 'discrepancy', 'cancelled')),
    note text not null,
    carrier text not null,
    tracking text not null,
    discrepancy text not null default '',
    created_by text not null,
    created_at timestamptz(3) not null,
    sent_by text,
    sent_at timestamptz(3),
    closed_at timestamptz(3),
    version integer not null default 1 check (version > 0)
  )`,
  'create index transfers_from on transfers (from_store_id, status, number desc)',
  'create index transfers_to on transfers (to_store_id, status, number desc)',
  `create table transfer_lines (
    id_transfer uuid not null references transfers,
    id_inventory integer not null references frames,
    place integer not null,
    state text not null check (state in ('listed', 'in transit', 'received', 'damaged', 'lost', 'returned')),
    -- What the piece was when it was sent: for sale or defective.
    sent_status text,
    received_by text,
    received_at timestamptz(3),
    note text not null default '',
    primary key (id_transfer, id_inventory)
  )`,
  // A piece is under way in one transfer only.
  `create unique index transfer_lines_in_transit on transfer_lines (id_inventory) where state = 'in transit'`,
]

/** Frames between stores. */
export const transfers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
