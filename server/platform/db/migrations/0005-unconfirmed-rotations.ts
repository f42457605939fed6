import { type Kysely, type Migration, sql } from 'kysely'

/** A session remembers the rotation of which nobody has shown that its answer arrived. */
export const unconfirmedRotations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table sessions add column unconfirmed_rotation text collate "C"').execute(db)
  },
}
