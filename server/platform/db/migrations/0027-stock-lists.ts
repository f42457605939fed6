import { type Kysely, type Migration, sql } from 'kysely'

/** Pieces that are added by hand, once however often it is asked for; and what lists of a chain's frames are read by. */
export const stockLists: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `alter table frames add column add_id uuid`,
  `create index frames_by_add on frames (add_id) where add_id is not null`,
  `create index frames_by_last_seen on frames (store_id, last_seen_at)`,
  `create index frames_by_receipt on frames (store_id, receipt_at)`,
  `create index frames_by_model on frames (brand_id, title_product, title_variant)`,
]
