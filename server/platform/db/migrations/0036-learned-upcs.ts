import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  `create table model_upcs (
    gtin text collate "C" primary key check (gtin ~ '^[0-9]{14}$'),
    upc text collate "C" not null,
    id_model integer not null references models,
    at timestamptz(3) not null,
    rep text not null
  )`,
  `create index model_upcs_by_model on model_upcs (id_model)`,
]

/** UPCs of models beside their own: what stands on a label and was matched by hand. */
export const learnedUpcs: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
