import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // Who withdrew a prescription, when and why. Also the changes that its signing made in the patient's record, to undo
  // an error.
  `alter table prescriptions
    add withdrawn_at timestamptz(3),
    add withdrawn_by integer references users,
    add withdrawn_reason text,
    add moved jsonb,
    add check ((status in ('cancelled', 'entered_in_error')) = (withdrawn_at is not null)),
    add check ((withdrawn_at is null) = (withdrawn_reason is null))`,
]

/** Prescriptions that were canceled or entered in error. */
export const withdrawnPrescriptions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
