import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  'alter table frame_history add column id_count_sheet uuid references count_sheets',
  `update frame_history set id_count_sheet = sheet.id_count_sheet
    from count_sheets as sheet where frame_history.extra = 'Count #' || sheet.number`,
]

/** A row of a frame's history says which count wrote it, so that nobody has to tell that from its words. */
export const countsInHistory: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
