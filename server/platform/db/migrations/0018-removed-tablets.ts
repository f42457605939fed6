import { type Kysely, type Migration, sql } from 'kysely'

/** When a manager last ended a tablet: from then on it has other keys, also where nobody was signed in. */
export const removedTablets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table tablets add column removed_at timestamptz(3)`.execute(db)
  },
}
