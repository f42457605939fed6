import { type Kysely, type Migration, sql } from 'kysely'

/** The last that was heard of a tablet, so that what it said before and arrives after it is told apart. */
export const deviceReports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('create table device_reports (tablet uuid primary key, device_id uuid not null, last_report bigint not null)').execute(db)
  },
}
