import { type Kysely, type Migration, sql } from 'kysely'

/** A session remembers its newest rotation until a device proves that it has the answer. */
export const unconfirmedRotations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table sessions add column unconfirmed_rotation text collate "C"').execute(db)
  },
}
