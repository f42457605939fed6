import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // A small picture of an image, made by the tablet that brought it: its key in the storage.
  'alter table patient_files add thumbnail_path text unique',
]

/** Small pictures of images in lists of files. */
export const fileThumbnails: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
