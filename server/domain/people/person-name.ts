import { type RawBuilder, sql } from 'kysely'

/** The name of a person in a query, by the name that the query gives to `users`. */
export function personName(table: string): RawBuilder<string> {
  return sql<string>`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`
}
