import { sql, type Transaction } from 'kysely'
import { type CountDevice } from '#contract/counts/count-sheets.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { readDevices } from '#server/features/counts/count-sheets/close-sheet.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services, SheetPresence } from '#server/platform/services.ts'

/** The report of a device with every push. */
export type DeviceReport = {
  device_id: string
  report: number
  device_name: string
  /** Commands that it still holds, by lane. */
  holds: readonly { lane: string; unsent: number }[]
  open_sheets: readonly string[]
  /** Age of the oldest of them at the time of the report, seconds. */
  oldest_unsent_s?: number | null | undefined
  app_version?: string | undefined
}

type PresenceRow = Omit<CountDevice, 'device_id' | 'person_name'> & { id_user: number }

const countLane = /^count:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * Stores the report of the session's tablet: its open sheets, and the commands that it still holds for them. Sheets
 * missing in the report are closed and hold nothing. No push reports for another tablet: that could keep a sheet from
 * closing, or let it close too early. A report that a newer one overtook does not count.
 */
export async function recordPresence(services: Services, person: Scope, report: DeviceReport): Promise<void> {
  const told = await services.db.pool.transaction().execute(async (trx) => {
    const now = services.clock.now()
    return (await keepTablet(trx, person, report, now)) ? await keepSheets(trx, person, report, new Date(now).toISOString()) : []
  })
  for (const id of told) services.changes.publishPresence(id, () => readPresence(services, id))
}

/** Simultaneous reports of the same tablet wait here. Returns false for a report that a newer one overtook. */
async function keepTablet(trx: Transaction<Schema>, person: Scope, report: DeviceReport, now: number): Promise<boolean> {
  const unsent = report.holds.reduce((sum, hold) => sum + heldIn(hold), 0)
  const age = report.oldest_unsent_s ?? null
  const told = {
    device_id: report.device_id,
    last_report: report.report,
    name: nameOf(report),
    store_id: person.store_id,
    id_user: person.id_user,
    last_seen_at: new Date(now).toISOString(),
    unsent: Math.min(unsent, heldLimit),
    oldest_unsent_at: unsent === 0 || age === null ? null : new Date(now - age * 1000).toISOString(),
    app_version: report.app_version ?? null,
  }
  const kept = await trx
    .insertInto('tablets')
    .values({ id_tablet: tabletOf(person), ...told })
    .onConflict((conflict) =>
      conflict
        .column('id_tablet')
        .doUpdateSet(told)
        // A tablet whose data the browser deleted counts from one again, under a new identity.
        .where(sql<boolean>`tablets.device_id <> excluded.device_id or tablets.last_report < excluded.last_report`),
    )
    .returning('id_tablet')
    .executeTakeFirst()
  return kept !== undefined
}

/** More than any tablet holds; a higher report is wrong. */
const heldLimit = 1_000_000

function heldIn({ unsent }: { unsent: number }): number {
  return unsent > 0 ? Math.min(Math.round(unsent), heldLimit) : 0
}

function nameOf({ device_name }: DeviceReport): string {
  return device_name.replaceAll('\u0000', '').trim() || 'Unnamed tablet'
}

/** Stores the sheets of a report. Returns those with news for others. */
async function keepSheets(db: Transaction<Schema>, person: Scope, report: DeviceReport, now: string): Promise<string[]> {
  const tablet = tabletOf(person)
  const sheets = new Map<string, { open: boolean; unsent: number }>()
  for (const id of report.open_sheets) sheets.set(id.toLowerCase(), { open: true, unsent: 0 })
  for (const hold of report.holds) {
    const id = countLane.exec(hold.lane)?.[1]?.toLowerCase()
    const unsent = heldIn(hold)
    if (id === undefined || unsent === 0) continue
    const sheet = sheets.get(id) ?? { open: false, unsent: 0 }
    sheets.set(id, { ...sheet, unsent: sheet.unsent + unsent })
  }

  // Only sheets of stores that this person works in: nobody may keep other stores' sheets from closing.
  const named = [...sheets.keys()]
  const mine =
    named.length === 0
      ? []
      : await db
          .selectFrom('count_sheets')
          .select('id_count_sheet')
          .where('id_count_sheet', '=', sql<string>`any(${named}::uuid[])`)
          .where('deleted_at', 'is', null)
          .where('store_id', 'in', await storesOf(db, person.id_user))
          .execute()
  const rows = mine.map(({ id_count_sheet }) => ({
    id_count_sheet,
    device_id: tablet,
    device_name: nameOf(report),
    id_user: person.id_user,
    ...(sheets.get(id_count_sheet) ?? { open: false, unsent: 0 }),
    last_seen_at: now,
  }))
  const before = await db.selectFrom('count_devices').selectAll().where('device_id', '=', tablet).execute()
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
      .where('device_id', '=', tablet)
      .where('id_count_sheet', '=', sql<string>`any(${left.map((row) => row.id_count_sheet)}::uuid[])`)
      .execute()
  }
  const news = rows.filter((row) => isNews(known.get(row.id_count_sheet), row))
  return [...news, ...left].map((row) => row.id_count_sheet)
}

/** Every push reports its tablet; others hear of it only when that is news. */
function isNews(before: PresenceRow | undefined, now: PresenceRow): boolean {
  if (!before || before.open !== now.open || before.unsent !== now.unsent) return true
  if (before.id_user !== now.id_user || before.device_name !== now.device_name) return true
  return Date.parse(now.last_seen_at) - Date.parse(before.last_seen_at) > 10_000
}

/** Returns the tablets of a sheet; null when the sheet is gone. */
async function readPresence(services: Services, idCountSheet: string): Promise<SheetPresence | null> {
  const sheet = await services.db.pool
    .selectFrom('count_sheets')
    .select('store_id')
    .where('id_count_sheet', '=', idCountSheet)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!sheet) return null
  return { id_count_sheet: idCountSheet, store_id: sheet.store_id, devices: await readDevices(services.db.pool, idCountSheet) }
}
