import type { Kysely, Selectable } from 'kysely'
import type { Punch } from '#contract/people/time-card.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PunchTable } from '#server/platform/db/tables/punch-tables.ts'

export type PunchRow = Selectable<PunchTable>

/** Wide enough for every punch that can affect the session of a moment: sessions end after 16 hours. */
const windowMs = 48 * 3_600_000

/** A person's punches around a moment, with their corrections, held ones too. */
export async function punchesAround(db: Kysely<Schema>, idUser: number, at: string): Promise<PunchRow[]> {
  const moment = Date.parse(at)
  return await punchesBetween(db, idUser, new Date(moment - windowMs).toISOString(), new Date(moment + windowMs).toISOString())
}

/** A person's punches in a span of time, oldest first, with corrections that moved them out of it. */
export async function punchesBetween(db: Kysely<Schema>, idUser: number, from: string, to: string): Promise<PunchRow[]> {
  const inSpan = await db
    .selectFrom('punches')
    .selectAll()
    .where('id_user', '=', idUser)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at')
    .orderBy('id')
    .execute()
  if (inSpan.length === 0) return inSpan
  const known = new Set(inSpan.map((row) => row.id))
  const corrections = await db
    .selectFrom('punches')
    .selectAll()
    .where('supersedes', 'in', [...known])
    .orderBy('at')
    .orderBy('id')
    .execute()
  return [...inSpan, ...corrections.filter((row) => !known.has(row.id))]
}

/** The rows as the person's device mirrors them. */
export async function asPunches(db: Kysely<Schema>, rows: readonly PunchRow[]): Promise<Punch[]> {
  const editors = [...new Set(rows.flatMap((row) => row.edited_by ?? []))]
  const people =
    editors.length === 0
      ? []
      : await db.selectFrom('users').select(['id_user', 'first_name', 'last_name']).where('id_user', 'in', editors).execute()
  const names = new Map(people.map((person) => [person.id_user, `${person.first_name} ${person.last_name}`]))
  return rows.flatMap((row) =>
    row.id_user === null
      ? []
      : {
          id: row.id,
          id_user: row.id_user,
          store_id: row.store_id,
          direction: row.direction,
          at: row.at,
          received_at: row.received_at,
          offline_captured: row.offline_captured,
          supersedes: row.supersedes,
          edited_by_name: row.edited_by === null ? null : (names.get(row.edited_by) ?? null),
          edit_reason: row.edit_reason,
          in_review: row.in_review,
          revision: row.revision,
        },
  )
}
