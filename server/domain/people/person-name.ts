import { type RawBuilder, sql } from 'kysely'

/** The full name of a person in a query. `table` is the query's alias of `users`. */
export function personName(table: string): RawBuilder<string> {
  return sql<string>`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`
}
