import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // Of doctors: what their prescriptions tell.
  `alter table users add license_no text, add npi text check (npi ~ '^[12][0-9]{9}$')`,
]

/** Licence number and NPI of those who prescribe. */
export const providerNumbers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
