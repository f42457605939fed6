import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // The bytes lie in the storage, under the id: another photo has another one.
  `create table model_photos (
    id_model integer primary key references models,
    id_photo uuid not null unique,
    mime text not null,
    size integer not null check (size > 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    at timestamptz(3) not null,
    id_user integer not null references users,
    rep text not null
  )`,
]

/** Photos of models in the frame library. */
export const modelPhotos: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
