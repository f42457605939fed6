import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // The paper that an outside prescription was copied from. It is no part of what was signed, and may come later.
  'alter table prescriptions add id_scan uuid references patient_files',
]

/** Scans of outside prescriptions. */
export const prescriptionScans: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
