import type { ColumnType } from 'kysely'

/** A jsonb column: written as text, read parsed. */
export type Json<T> = ColumnType<T, string, string>
