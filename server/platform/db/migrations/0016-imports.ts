import { type Kysely, type Migration, sql } from 'kysely'

/** Which rows of files were imported into a store, by a hash of what identifies them, so that the same file brings nobody twice. */
export const imports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table patient_imports (
          store_id integer not null references stores,
          row_hash text not null check (row_hash ~ '^[0-9a-f]{64}$'),
          id_patient uuid not null references patients,
          primary key (store_id, row_hash)
        )`,
      )
      .execute(db)
  },
}
