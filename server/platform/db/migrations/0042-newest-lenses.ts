import { type Kysely, type Migration, sql } from 'kysely'

/** Finds the newest contact lens prescriptions that were signed, whose lenses the next ones are mostly of. */
export const newestLenses: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create index prescriptions_newest_lenses on prescriptions (signed_at desc)
          where rx_kind = 'contact_lens' and signed_at is not null and status in ('active', 'superseded', 'cancelled')`,
      )
      .execute(db)
  },
}
