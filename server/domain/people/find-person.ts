import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

export type UserRow = Selectable<Schema['users']>

/** A username or e-mail address as it is kept and compared: without outer spaces, in lower case. */
export function signInName(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase()
}

/** The person with this username or e-mail address, whatever its capitals; also one whose account is disabled. */
export async function findPerson(pool: Kysely<Schema>, typed: string): Promise<UserRow | null> {
  const name = signInName(typed)
  // PostgreSQL cannot be asked for a text with NUL in it, and nobody is called that.
  if (name === '' || name.includes('\u0000')) return null
  const rows = await pool
    .selectFrom('users')
    .selectAll()
    .where((where) => where.or([where('username', '=', name), where('email', '=', name)]))
    .execute()
  // A username that reads like somebody else's address belongs to the one who has it as a username.
  return rows.find((row) => row.username === name) ?? rows[0] ?? null
}

export async function findPersonById(pool: Kysely<Schema>, idUser: number): Promise<UserRow | null> {
  const row = await pool.selectFrom('users').selectAll().where('id_user', '=', idUser).executeTakeFirst()
  return row ?? null
}
