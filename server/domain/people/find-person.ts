import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

export type UserRow = Selectable<Schema['users']>

/** Normalizes a username or email address for storing and comparing: no outer spaces, lower case. */
export function signInName(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase()
}

/** Returns the person with this username or email address in any case, including a disabled account. */
export async function findPerson(pool: Kysely<Schema>, typed: string): Promise<UserRow | null> {
  const name = signInName(typed)
  // PostgreSQL rejects a text with NUL in a query, and no name has one.
  if (name === '' || name.includes('\u0000')) return null
  const rows = await pool
    .selectFrom('users')
    .selectAll()
    .where((where) => where.or([where('username', '=', name), where('email', '=', name)]))
    .execute()
  // When one person's username is another's email address, the person with the username wins.
  return rows.find((row) => row.username === name) ?? rows[0] ?? null
}

export async function findPersonById(pool: Kysely<Schema>, idUser: number): Promise<UserRow | null> {
  const row = await pool.selectFrom('users').selectAll().where('id_user', '=', idUser).executeTakeFirst()
  return row ?? null
}
