import { type Kysely, type Migration, sql } from 'kysely'

/** The last report of each tablet, so that the server recognizes an older report that arrives late. */
export const deviceReports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('create table device_reports (tablet uuid primary key, device_id uuid not null, last_report bigint not null)').execute(db)
  },
}
