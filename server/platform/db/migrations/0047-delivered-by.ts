import { type Kysely, type Migration, sql } from 'kysely'

/** Whose session brought what someone else did with a patient's record. */
export const deliveredBy: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table patient_audit add column delivered_by text`.execute(db)
  },
}
