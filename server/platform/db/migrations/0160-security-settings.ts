import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  'alter table settings_audit drop constraint settings_audit_action_check',
  `alter table settings_audit add constraint settings_audit_action_check
    check (action in ('provider.edit', 'optical.edit', 'letterhead.edit', 'inventory.edit', 'security.edit'))`,
]

/** Changes of a store's lock time are in the record of changes, too. */
export const securitySettings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
