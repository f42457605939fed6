import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // For doctors: the numbers on their prescriptions.
  `alter table users add license_no text, add npi text check (npi ~ '^[12][0-9]{9}$')`,
]

/** License number and NPI of prescribers. */
export const providerNumbers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
