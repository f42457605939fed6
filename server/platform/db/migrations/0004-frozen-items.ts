import { type Kysely, type Migration, sql } from 'kysely'

const statements = ['id_count_sheet', 'id_inventory', 'store_id'].map(
  (column) => `alter table count_items drop constraint count_items_${column}_fkey`,
)

/**
 * What a sheet expects is a frozen copy, written once beside its sheet: looking up and locking a sheet, a frame and a store
 * for each line took two thirds of the time that the making of a large count took.
 */
export const frozenItems: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
