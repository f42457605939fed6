import { sql } from 'kysely'
import { type CountDevice } from '#contract/count-sheets.ts'
import { readDevices } from '#server/features/count-sheets/close-sheet.ts'
import type { Scope } from '#server/http/scope.ts'
import type { Services } from '#server/services.ts'

/** What a device says of itself with every push. */
export type DeviceReport = {
  device_id: string
  device_name: string
  /** Commands that it still holds, by lane. */
  holds: readonly { lane: string; unsent: number }[]
  open_sheets: readonly string[]
}

type PresenceRow = Omit<CountDevice, 'device_id' | 'person_name'> & { id_user: number }

const countLane = /^count:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Keeps which sheets a device has open and what it still holds for them; sheets it says nothing of are neither. */
export async function recordPresence(services: Services, person: Scope, report: DeviceReport): Promise<void> {
  const db = services.db.reads
  const now = new Date(services.clock.now()).toISOString()
  const sheets = new Map<string, { open: boolean; unsent: number }>()
  for (const id of report.open_sheets) sheets.set(id.toLowerCase(), { open: true, unsent: 0 })
  for (const { lane, unsent } of report.holds) {
    const id = countLane.exec(lane)?.[1]?.toLowerCase()
    if (id === undefined || !(unsent > 0)) continue
    const sheet = sheets.get(id) ?? { open: false, unsent: 0 }
    sheets.set(id, { ...sheet, unsent: sheet.unsent + Math.min(Math.round(unsent), 1_000_000) })
  }

  // Only sheets of stores that this person works in: no one else's may be kept from closing.
  const named = [...sheets.keys()]
  const mine =
    named.length === 0
      ? []
      : await db
          .selectFrom('count_sheets')
          .select('id_count_sheet')
          .where('id_count_sheet', '=', sql<string>`any(${named}::uuid[])`)
          .where('deleted_at', 'is', null)
          .where((where) =>
            where.or([
              where('store_id', '=', person.store_id),
              where('store_id', 'in', where.selectFrom('user_stores').select('store_id').where('id_user', '=', person.id_user)),
            ]),
          )
          .execute()
  const rows = mine.map(({ id_count_sheet }) => ({
    id_count_sheet,
    device_id: report.device_id,
    device_name: report.device_name.replaceAll('\u0000', '').trim() || 'Unnamed tablet',
    id_user: person.id_user,
    ...(sheets.get(id_count_sheet) ?? { open: false, unsent: 0 }),
    last_seen_at: now,
  }))
  const before = await db.selectFrom('count_devices').selectAll().where('device_id', '=', report.device_id).execute()
  const known = new Map(before.map((row) => [row.id_count_sheet, row]))
  if (rows.length > 0) {
    await db
      .insertInto('count_devices')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['id_count_sheet', 'device_id']).doUpdateSet({
          device_name: sql<string>`excluded.device_name`,
          id_user: sql<number>`excluded.id_user`,
          open: sql<boolean>`excluded.open`,
          unsent: sql<number>`excluded.unsent`,
          last_seen_at: sql<string>`excluded.last_seen_at`,
        }),
      )
      .execute()
  }
  const stillNamed = new Set(rows.map((row) => row.id_count_sheet))
  const left = before.filter((row) => (row.open || row.unsent > 0) && !stillNamed.has(row.id_count_sheet))
  if (left.length > 0) {
    await db
      .updateTable('count_devices')
      .set({ open: false, unsent: 0, last_seen_at: now })
      .where('device_id', '=', report.device_id)
      .where('id_count_sheet', '=', sql<string>`any(${left.map((row) => row.id_count_sheet)}::uuid[])`)
      .execute()
  }
  const news = rows.filter((row) => isNews(known.get(row.id_count_sheet), row))
  for (const { id_count_sheet } of [...news, ...left]) services.changes.publishPresence(id_count_sheet)
}

/** Every push says where its tablet is; others are only told when that says something new. */
function isNews(before: PresenceRow | undefined, now: PresenceRow): boolean {
  if (!before || before.open !== now.open || before.unsent !== now.unsent) return true
  if (before.id_user !== now.id_user || before.device_name !== now.device_name) return true
  return Date.parse(now.last_seen_at) - Date.parse(before.last_seen_at) > 10_000
}

/** The tablets of a sheet for someone of its store; null for everyone else. */
export async function readPresence(services: Services, person: Scope, idCountSheet: string): Promise<CountDevice[] | null> {
  const sheet = await services.db.reads
    .selectFrom('count_sheets')
    .select('store_id')
    .where('id_count_sheet', '=', idCountSheet)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (sheet?.store_id !== person.store_id) return null
  return await readDevices(services.db.reads, idCountSheet)
}
