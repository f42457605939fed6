import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  'alter table scope_revisions drop constraint scope_revisions_scope_check',
  `alter table scope_revisions add constraint scope_revisions_scope_check
    check (scope = 'chain' or scope ~ '^(store|settings|user):[1-9][0-9]*$')`,
]

/** A store's settings get their own revision, so that devices hear of their changes and not of every scan. */
export const settingsScope: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
