import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // Rows are only ever added; merging two providers moves them.
  `create table pcp_letters (
    id_letter uuid primary key,
    id_patient uuid not null references patients,
    id_pcp uuid not null references pcps,
    sent_on date not null,
    way text not null check (way in ('fax', 'mail', 'email', 'hand')),
    about text not null check (about <> ''),
    id_user integer not null references users,
    rep text not null,
    recorded_at timestamptz(3) not null
  )`,
  'create index pcp_letters_by_patient on pcp_letters (id_patient, sent_on desc, recorded_at desc)',
  'create index pcp_letters_by_pcp on pcp_letters (id_pcp, sent_on desc, recorded_at desc)',
]

/** Which letters about patients went to their primary care providers. */
export const pcpLetters: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
